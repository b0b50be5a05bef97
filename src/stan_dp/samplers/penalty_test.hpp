#ifndef STAN_DP_SAMPLERS_PENALTY_TEST_HPP
#define STAN_DP_SAMPLERS_PENALTY_TEST_HPP

#include <stan_dp/privacy/random_bits.hpp>
#include <algorithm>
#include <cmath>

namespace stan_dp {

/**
 * The Metropolis test with a noisy log likelihood ratio (the penalty method,
 * Ceperley and Dewing 1999; with privacy noise: Yildirim and Ermis 2019,
 * Raisa, Koskela and Honkela 2021, theorem 4.7).
 *
 * The ratio comes as `R + xi`, `xi ~ N(0, sd^2)`. Half of the variance of
 * `T xi` is taken off: then `E[min(1, e^a)] / E[min(1, e^-a)] = e^(T R + ...)`,
 * and the chain has exactly the posterior as its stationary distribution. Each
 * test needs a noise of its own.
 */
struct penalty_test {
  /** `T`, the power of the likelihood */
  double tempering;

  /**
   * Log acceptance probability, not cut at 0.
   *
   * @param proposal_gain what the proposal adds: kinetic energy at the start
   * minus that at the end, or the log density of a move back minus that of
   * this one
   * @param log_prior_gain log prior at the end minus that at the start
   * @param noisy_ratio `R + xi`
   * @param sd standard deviation of xi
   */
  double log_probability(double proposal_gain, double log_prior_gain,
                         double noisy_ratio, double sd) const {
    const double noise_sd = tempering * sd;
    return proposal_gain + log_prior_gain + tempering * noisy_ratio
           - 0.5 * noise_sd * noise_sd;
  }
};

/** What a Metropolis test decided; all of it is released. */
struct test_result {
  bool accepted = false;
  /** `min(1, e^log_probability)`; 0 where that is not a number, or so small
   * that readers of the CSV would stumble over it */
  double probability = 0;
};

/**
 * Accepts when `ln u < log_probability`; not a number rejects: an overflow on
 * the way leaves the chain where it is.
 */
inline test_result metropolis(random_bits& bits, double log_probability) {
  const double log_u = std::log(uniform(bits));
  if (std::isnan(log_probability)) {
    return {};
  }
  const double probability = std::exp(std::min(0.0, log_probability));
  return {log_u < log_probability,
          std::isnormal(probability) ? probability : 0};
}

}  // namespace stan_dp
#endif
