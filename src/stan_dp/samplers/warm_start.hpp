#ifndef STAN_DP_SAMPLERS_WARM_START_HPP
#define STAN_DP_SAMPLERS_WARM_START_HPP

#include <stan_dp/privacy/plan.hpp>
#include <stan_dp/privacy/private_likelihood.hpp>
#include <stan_dp/privacy/random_bits.hpp>
#include <stan_dp/samplers/gaussian_fit.hpp>
#include <stan_dp/samplers/prior_density.hpp>
#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <vector>

namespace stan_dp {

/**
 * A run that comes before the chains and is part of their plan.
 *
 * `mechanisms` are planned as they are; the noise of the chains is solved so
 * that the whole plan costs the budget. `run` makes exactly these queries, the
 * first of them under the index `first_query`, from a starting point that is
 * public. Chains begin at draws of the Gaussian that it gives, and may use it
 * in any way: it is released.
 */
struct warm_start_source {
  std::vector<mechanism> mechanisms;
  std::function<gaussian_fit(
      const prior_density& prior, private_likelihood& likelihood,
      random_bits& bits, std::size_t first_query, const Eigen::VectorXd& theta)>
      run;
};

}  // namespace stan_dp
#endif
