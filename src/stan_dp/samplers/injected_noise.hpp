#ifndef STAN_DP_SAMPLERS_INJECTED_NOISE_HPP
#define STAN_DP_SAMPLERS_INJECTED_NOISE_HPP

#include <stan_dp/samplers/random_vector.hpp>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>

namespace stan_dp {

/**
 * What has to be added to the privacy noise so that the noise of a Langevin
 * step has variance `wanted` together.
 *
 * Nothing where the privacy noise is large enough by itself: then the step is
 * larger than the budget allows for, which the plan warns of. Adding noise is
 * post-processing.
 *
 * @param wanted variance that the dynamics ask for
 * @param privacy_sd standard deviation of the privacy noise, on the same scale
 */
inline Eigen::VectorXd top_up_noise(random_bits& bits, std::size_t size,
                                    double wanted, double privacy_sd) {
  const double missing = wanted - privacy_sd * privacy_sd;
  // what rounding leaves of an exact match is no noise worth drawing
  if (missing <= 1e-12 * wanted) {
    return Eigen::VectorXd::Zero(size);
  }
  return std::sqrt(missing) * normal_vector(bits, size);
}

}  // namespace stan_dp
#endif
