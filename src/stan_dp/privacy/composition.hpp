#ifndef STAN_DP_PRIVACY_COMPOSITION_HPP
#define STAN_DP_PRIVACY_COMPOSITION_HPP

#include <stan_dp/privacy/accounted_step.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace stan_dp {

/** What a mechanism, or a run, may cost. */
struct privacy_cost {
  double epsilon;
  double delta;
};

/**
 * Basic composition: epsilons and deltas add up. Valid also when a person
 * chose each cost after seeing earlier results.
 */
inline privacy_cost basic_composition(const std::vector<privacy_cost>& costs) {
  privacy_cost sum{0, 0};
  for (const privacy_cost& cost : costs) {
    sum.epsilon += cost.epsilon;
    sum.delta += cost.delta;
  }
  sum.delta = std::min(1.0, sum.delta);
  return sum;
}

/**
 * Advanced composition of mechanisms whose costs were fixed beforehand, with
 * `slack` more in delta: Kairouz, Oh and Viswanath 2017, theorem 3.5. It gives
 * the smaller one of its own epsilon and that of basic composition.
 *
 * @param costs costs of the mechanisms
 * @param slack the additional delta, in (0, 1)
 * @return the cost of all together
 */
inline privacy_cost advanced_composition(const std::vector<privacy_cost>& costs,
                                         double slack) {
  internal::check_delta(slack);
  double sum = 0;
  double squares = 0;
  double drift = 0;
  double log_kept = std::log1p(-slack);
  for (const privacy_cost& cost : costs) {
    sum += cost.epsilon;
    squares += cost.epsilon * cost.epsilon;
    drift += cost.epsilon * std::tanh(cost.epsilon / 2);
    log_kept += std::log1p(-cost.delta);
  }
  double advanced = drift + std::sqrt(2 * squares * -std::log(slack));
  return {std::min(sum, advanced), -std::expm1(log_kept)};
}

}  // namespace stan_dp
#endif
