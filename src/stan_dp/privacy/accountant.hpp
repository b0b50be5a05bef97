#ifndef STAN_DP_PRIVACY_ACCOUNTANT_HPP
#define STAN_DP_PRIVACY_ACCOUNTANT_HPP

#include <stan_dp/privacy/accounted_step.hpp>
#include <stan_dp/privacy/composition.hpp>
#include <stan_dp/privacy/gaussian_accountant.hpp>
#include <stan_dp/privacy/plan.hpp>
#include <stan_dp/privacy/poisson_subsample.hpp>
#include <stan_dp/privacy/privacy_loss.hpp>
#include <stan_dp/privacy/renyi_accountant.hpp>
#include <stan_dp/privacy/zcdp_accountant.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace stan_dp {

/** How costs are composed. `pld` is the tight one, and decides. */
enum class accountant_kind { pld, rdp, zcdp };

namespace internal {

inline bool all_full_data(const std::vector<accounted_step>& steps) {
  return std::all_of(steps.begin(), steps.end(), [](const accounted_step& s) {
    return s.rate == 1 || s.count == 0;
  });
}

inline std::vector<accounted_step> without_empty(
    std::vector<accounted_step> steps) {
  check_steps(steps);
  steps.erase(std::remove_if(
                  steps.begin(), steps.end(),
                  [](const accounted_step& step) { return step.count == 0; }),
              steps.end());
  return steps;
}

}  // namespace internal

/**
 * Upper bound on what all steps together cost at `delta`. Where all of them
 * use all units, `pld` is the closed form.
 *
 * @param all_steps the steps, in any order
 * @param delta delta, in (0, 1)
 * @param relation which data sets are neighbours
 * @param kind the accountant
 * @return epsilon, from above
 * @throw std::domain_error for values outside of their ranges, and for zCDP
 *   of subsampled steps
 */
inline double epsilon_bound(const std::vector<accounted_step>& all_steps,
                            double delta, neighbors relation,
                            accountant_kind kind = accountant_kind::pld) {
  internal::check_delta(delta);
  std::vector<accounted_step> steps = internal::without_empty(all_steps);
  if (steps.empty()) {
    return 0;
  }
  switch (kind) {
    case accountant_kind::rdp:
      return renyi_epsilon(steps, delta, relation);
    case accountant_kind::zcdp:
      return zcdp_epsilon(steps, delta, relation);
    default:
      return internal::all_full_data(steps)
                 ? gaussian_epsilon(gaussian_mu(steps, relation), delta)
                 : privacy_loss_epsilon(steps, delta, relation);
  }
}

/**
 * Upper bound on the delta of all steps together at `epsilon`.
 *
 * @param all_steps the steps, in any order
 * @param epsilon epsilon, not negative
 * @param relation which data sets are neighbours
 * @param kind the accountant
 * @return delta, from above
 * @throw std::domain_error as for `epsilon_bound`
 */
inline double delta_bound(const std::vector<accounted_step>& all_steps,
                          double epsilon, neighbors relation,
                          accountant_kind kind = accountant_kind::pld) {
  internal::check_epsilon(epsilon);
  std::vector<accounted_step> steps = internal::without_empty(all_steps);
  if (steps.empty()) {
    return 0;
  }
  switch (kind) {
    case accountant_kind::rdp:
      return renyi_delta(steps, epsilon, relation);
    case accountant_kind::zcdp:
      return zcdp_delta(steps, epsilon, relation);
    default:
      return internal::all_full_data(steps)
                 ? gaussian_delta(gaussian_mu(steps, relation), epsilon)
                 : privacy_loss_delta(steps, epsilon, relation);
  }
}

/** The steps of a plan as they are accounted for: with `accounted_noise`, and
 * at the rate at which units are in fact included. */
inline std::vector<accounted_step> accounted_steps(const plan& queries) {
  std::vector<accounted_step> steps;
  for (const mechanism& query : queries.mechanisms) {
    steps.push_back({effective_rate(query.rate), accounted_noise(query.noise),
                     query.count});
  }
  return steps;
}

/**
 * Upper bound on what a plan costs at its delta; infinite for a plan that is
 * not engaged.
 */
inline double epsilon_bound(const plan& queries) {
  if (!queries.engaged) {
    return std::numeric_limits<double>::infinity();
  }
  return epsilon_bound(accounted_steps(queries), queries.delta,
                       queries.relation);
}

}  // namespace stan_dp
#endif
