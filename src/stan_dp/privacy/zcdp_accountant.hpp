#ifndef STAN_DP_PRIVACY_ZCDP_ACCOUNTANT_HPP
#define STAN_DP_PRIVACY_ZCDP_ACCOUNTANT_HPP

#include <stan_dp/privacy/gaussian_accountant.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace stan_dp {

/*
 * Zero-concentrated differential privacy. A full-data Gaussian mechanism has
 * rho = m^2 / (2 z^2), which is mu, and rho adds up. The conversions are those
 * of Bun and Steinke 2016, proposition 1.3, which the papers use. There is no
 * rate below 1: subsampling does not amplify zCDP as it does epsilon.
 */

/** epsilon at `delta` of rho-zCDP */
inline double zcdp_to_epsilon(double rho, double delta) {
  internal::check_delta(delta);
  return rho + 2 * std::sqrt(rho * -std::log(delta));
}

/** Upper bound on epsilon at `delta`; all rates have to be 1. */
inline double zcdp_epsilon(const std::vector<accounted_step>& steps,
                           double delta, neighbors relation) {
  return zcdp_to_epsilon(gaussian_mu(steps, relation), delta);
}

/** Upper bound on delta at `epsilon`; all rates have to be 1. */
inline double zcdp_delta(const std::vector<accounted_step>& steps,
                         double epsilon, neighbors relation) {
  internal::check_epsilon(epsilon);
  double rho = gaussian_mu(steps, relation);
  if (rho == 0) {
    return 0;
  }
  double excess = std::max(0.0, epsilon - rho);
  return std::exp(-excess * excess / (4 * rho));
}

}  // namespace stan_dp
#endif
