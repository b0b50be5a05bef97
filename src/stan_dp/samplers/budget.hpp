#ifndef STAN_DP_SAMPLERS_BUDGET_HPP
#define STAN_DP_SAMPLERS_BUDGET_HPP

#include <stan_dp/privacy/accounted_step.hpp>
#include <stan_dp/privacy/plan.hpp>
#include <stan_dp/privacy/solvers.hpp>
#include <vector>

namespace stan_dp {

/** What a plan may cost, and what is in it already. */
struct budget {
  bool engaged;
  double epsilon;
  double delta;
  neighbors relation;
  /** planned by others (a warm start), with their noise; they come first */
  std::vector<mechanism> fixed;
};

namespace internal {

inline std::vector<accounted_step> to_steps(
    const std::vector<mechanism>& mechanisms) {
  std::vector<accounted_step> steps;
  for (const mechanism& m : mechanisms) {
    steps.push_back({m.rate, m.noise, m.count});
  }
  return steps;
}

}  // namespace internal

/**
 * The plan of least noise within the budget: the noise multipliers of `shape`
 * say only how they relate to each other; a common factor is solved for. The
 * budget's fixed mechanisms come first and stay as they are.
 *
 * A run that is not engaged has no noise.
 */
inline plan plan_within(const budget& b, const std::vector<mechanism>& shape) {
  plan p{b.relation, b.engaged, b.engaged ? b.delta : 0, b.fixed};
  p.mechanisms.insert(p.mechanisms.end(), shape.begin(), shape.end());
  const double factor = b.engaged ? solve_scale(b.epsilon, b.delta, b.relation,
                                                internal::to_steps(b.fixed),
                                                internal::to_steps(shape))
                                  : 0;
  for (std::size_t i = b.engaged ? b.fixed.size() : 0; i < p.mechanisms.size();
       ++i) {
    p.mechanisms[i].noise *= factor;
  }
  return p;
}

}  // namespace stan_dp
#endif
