#ifndef STAN_DP_PRIVACY_ACCOUNTED_STEP_HPP
#define STAN_DP_PRIVACY_ACCOUNTED_STEP_HPP

#include <stan_dp/privacy/plan.hpp>

#include <cmath>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace stan_dp {

/**
 * A Poisson-subsampled Gaussian mechanism that runs `count` times, as the
 * accountants see it.
 */
struct accounted_step {
  /** Poisson sampling rate, in (0, 1] */
  double rate;
  /** noise multiplier z = sd / clip, for both neighbour relations */
  double noise;
  std::int64_t count;
};

/** `m`: by how many clip bounds the sums of neighbours may differ. */
inline double sensitivity_multiple(neighbors relation) {
  return relation == neighbors::substitute ? 2 : 1;
}

/**
 * The multiplier to account with for discrete Gaussian noise on the lattice.
 *
 * The noise has `sigma = z * Delta_1` with `Delta_1 >= 2^30`. A discrete
 * Gaussian of variance `sigma^2` is, pointwise within a factor of
 * `exp(d * 1e-136)`, a continuous Gaussian of variance `sigma^2 - 16` that is
 * rounded by a discrete Gaussian of variance 16, whatever its centre; so it is
 * a post-processed continuous Gaussian of that variance (DESIGN, section 3).
 * This needs `sigma >= 2^20`, hence `z >= 2^-10`. A larger `Delta_1` only
 * makes the change smaller.
 *
 * @param noise the multiplier of the noise that is drawn
 * @return the multiplier that the accountants are to be given
 */
inline double accounted_noise(double noise) {
  double sigma = std::ldexp(noise, 30);
  if (!(sigma >= std::ldexp(1.0, 20))) {
    std::ostringstream text;
    text << "The noise multiplier is " << noise
         << ", and has to be at least 2^-10 for discrete noise to be accounted "
            "for as continuous noise; use more noise.";
    throw std::domain_error(text.str());
  }
  return noise * std::sqrt(1 - 16 / (sigma * sigma));
}

namespace internal {

inline void refuse(const char* name, double value, const char* range) {
  std::ostringstream text;
  text << name << " is " << value << ", and has to be " << range << ".";
  throw std::domain_error(text.str());
}

inline void check_delta(double delta) {
  if (!(delta > 0 && delta < 1)) {
    refuse("delta", delta, "above 0 and below 1");
  }
}

inline void check_epsilon(double epsilon) {
  if (!(epsilon >= 0 && std::isfinite(epsilon))) {
    refuse("epsilon", epsilon, "finite and not negative");
  }
}

inline void check_rate(double rate) {
  if (!(rate > 0 && rate <= 1)) {
    refuse("The sampling rate", rate, "above 0 and at most 1");
  }
}

inline void check_noise(double noise) {
  if (!(noise > 0 && std::isfinite(noise))) {
    refuse("The noise multiplier", noise, "positive and finite");
  }
}

inline void check_count(std::int64_t count) {
  if (count < 0) {
    refuse("The number of steps", static_cast<double>(count), "not negative");
  }
}

/** Throws std::domain_error if a step cannot be accounted for. */
inline void check_steps(const std::vector<accounted_step>& steps) {
  for (const accounted_step& step : steps) {
    check_rate(step.rate);
    check_noise(step.noise);
    check_count(step.count);
  }
}

}  // namespace internal
}  // namespace stan_dp
#endif
