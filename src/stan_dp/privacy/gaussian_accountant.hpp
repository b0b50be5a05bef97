#ifndef STAN_DP_PRIVACY_GAUSSIAN_ACCOUNTANT_HPP
#define STAN_DP_PRIVACY_GAUSSIAN_ACCOUNTANT_HPP

#include <stan_dp/privacy/accounted_step.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace stan_dp {

/*
 * Gaussian mechanisms on all units. Their privacy loss is N(mu, 2 mu), and
 * losses of adaptively composed ones add up: mu = sum of count m^2 / (2 z^2).
 * The trade-off between epsilon and delta is exact (Balle and Wang 2018,
 * theorem 8; Dong, Roth and Su 2022, corollary 3.3):
 *   delta = [erfc((eps - mu) / (2 sqrt mu))
 *            - e^eps erfc((eps + mu) / (2 sqrt mu))] / 2.
 */

namespace internal {

/** `exp(x^2) erfc(x)`, to about 1e-14, for x above -5. */
inline double scaled_erfc(double x) {
  if (x < 4) {
    return std::exp(x * x) * std::erfc(x);
  }
  // Laplace's continued fraction from the inside; 60 levels are beyond
  // double precision from x = 4 on.
  double level = x;
  for (int k = 60; k > 0; --k) {
    level = x + 0.5 * k / level;
  }
  return 0.5641895835477562869 / level;  // 1 / sqrt(pi)
}

/**
 * `scaled_erfc(middle - half) - scaled_erfc(middle + half)` for a small half:
 * the integral of minus its derivative, which is positive, so that nothing
 * cancels.
 */
inline double scaled_erfc_drop(double middle, double half) {
  static const double node[4] = {0.1834346424956498, 0.5255324099163290,
                                 0.7966664774136267, 0.9602898564975363};
  static const double weight[4] = {0.3626837833783620, 0.3137066458778873,
                                   0.2223810344533745, 0.1012285362903763};
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    for (double t : {middle - half * node[i], middle + half * node[i]}) {
      sum += weight[i] * (1.1283791670955126 - 2 * t * scaled_erfc(t));
    }
  }
  return sum * half;
}

}  // namespace internal

/** `mu` of a full-data Gaussian mechanism that runs `count` times. */
inline double gaussian_mu(double noise, double count, neighbors relation) {
  double m = sensitivity_multiple(relation);
  return count * m * m / (2 * noise * noise);
}

/** `mu` of all steps together, whose rates all have to be 1. */
inline double gaussian_mu(const std::vector<accounted_step>& steps,
                          neighbors relation) {
  internal::check_steps(steps);
  double mu = 0;
  for (const accounted_step& step : steps) {
    if (step.rate != 1) {
      internal::refuse("The sampling rate", step.rate,
                       "1 where full-data accounting is used");
    }
    mu += gaussian_mu(step.noise, static_cast<double>(step.count), relation);
  }
  return mu;
}

/** delta at `epsilon` of a loss N(mu, 2 mu); no overflow, no cancellation. */
inline double gaussian_delta(double mu, double epsilon) {
  internal::check_epsilon(epsilon);
  if (mu <= 0) {
    return 0;
  }
  double root = std::sqrt(mu);
  double a = 0.5 * (epsilon / root - root);
  double b = 0.5 * (epsilon / root + root);
  // e^eps = exp(b^2 - a^2): the large factor goes into the scaled erfc.
  if (root < 0.5) {
    return 0.5 * std::exp(-a * a)
           * internal::scaled_erfc_drop(0.5 * epsilon / root, 0.5 * root);
  }
  if (a < 0) {
    return 0.5 * (std::erfc(a) - std::exp(-a * a) * internal::scaled_erfc(b));
  }
  return 0.5 * std::exp(-a * a)
         * (internal::scaled_erfc(a) - internal::scaled_erfc(b));
}

/** Smallest epsilon, from above, that a loss N(mu, 2 mu) has at `delta`. */
inline double gaussian_epsilon(double mu, double delta) {
  internal::check_delta(delta);
  if (gaussian_delta(mu, 0) <= delta) {
    return 0;
  }
  // Rounding must not turn the figure into a lower bound.
  double goal = delta * (1 - 1e-12);
  double low = 0;
  double high = mu + 2 * std::sqrt(mu * -std::log(goal));  // zCDP's bound
  while (gaussian_delta(mu, high) > goal) {
    high = 2 * high + 1e-300;
  }
  for (int i = 0; i < 200 && high - low > 1e-14 * high; ++i) {
    double middle = 0.5 * (low + high);
    (gaussian_delta(mu, middle) > goal ? low : high) = middle;
  }
  return high;
}

/** Largest `mu` that costs at most (epsilon, delta). */
inline double gaussian_mu_within(double epsilon, double delta) {
  internal::check_epsilon(epsilon);
  internal::check_delta(delta);
  double low = 0;
  double high = 1;
  while (gaussian_delta(high, epsilon) <= delta) {
    high *= 2;
  }
  for (int i = 0; i < 2000 && high - low > 1e-14 * high; ++i) {
    // Halve the exponent while nothing is known about its size.
    double middle = low > 0 ? 0.5 * (low + high) : high / 16;
    if (middle < 1e-300) {
      return 0;
    }
    (gaussian_delta(middle, epsilon) <= delta ? low : high) = middle;
  }
  return low * (1 - 1e-11);
}

}  // namespace stan_dp
#endif
