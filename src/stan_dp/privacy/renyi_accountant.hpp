#ifndef STAN_DP_PRIVACY_RENYI_ACCOUNTANT_HPP
#define STAN_DP_PRIVACY_RENYI_ACCOUNTANT_HPP

#include <stan_dp/privacy/dominating_pair.hpp>
#include <stan_dp/privacy/gaussian_accountant.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace stan_dp {

/*
 * Renyi differential privacy, or the moments accountant: divergences of one
 * order add up under adaptive composition (Mironov 2017). Looser than privacy
 * loss distributions; for comparison with papers, and as a filter over runs.
 */

/** The orders that are tried, all above 1. */
inline const std::vector<double>& renyi_orders() {
  static const std::vector<double> orders = [] {
    std::vector<double> result;
    for (double excess = 0.01; excess < 2000; excess *= 1.08) {
      result.push_back(1 + excess);
    }
    return result;
  }();
  return orders;
}

/**
 * Renyi divergence of order `alpha` of one step: the larger one of add and
 * remove. At rate 1 it is `alpha m^2 / (2 z^2)`.
 *
 * @param step the step; its count is not looked at
 * @param alpha order, above 1
 * @param relation which data sets are neighbours
 * @return the divergence, with a margin for the error of its quadrature
 */
inline double renyi_divergence(const accounted_step& step, double alpha,
                               neighbors relation) {
  if (step.rate == 1) {
    return alpha * gaussian_mu(step.noise, 1, relation);
  }
  double order = alpha - 1;
  double moment;
  if (relation == neighbors::substitute) {
    moment = log_moment({loss_direction::substitute, step.rate, step.noise},
                        order);
  } else {
    moment = std::max(
        log_moment({loss_direction::remove, step.rate, step.noise}, order),
        log_moment({loss_direction::add, step.rate, step.noise}, order));
  }
  return (std::max(moment, 0.0) * (1 + 1e-9) + 1e-13) / order;
}

/** Renyi divergence of order `alpha` of all steps together. */
inline double renyi_divergence(const std::vector<accounted_step>& steps,
                               double alpha, neighbors relation) {
  double sum = 0;
  for (const accounted_step& step : steps) {
    if (step.count > 0) {
      sum += static_cast<double>(step.count)
             * renyi_divergence(step, alpha, relation);
    }
  }
  return sum;
}

/**
 * epsilon at `delta` of a Renyi divergence of order `alpha`: Canonne, Kamath
 * and Steinke 2020, proposition 12.
 */
inline double renyi_to_epsilon(double divergence, double alpha, double delta) {
  double epsilon = divergence + std::log1p(-1 / alpha)
                   - (std::log(delta) + std::log(alpha)) / (alpha - 1);
  return std::max(0.0, epsilon);
}

/** delta at `epsilon`, by the same proposition. */
inline double renyi_to_delta(double divergence, double alpha, double epsilon) {
  double log_delta
      = (alpha - 1) * (divergence - epsilon + std::log1p(-1 / alpha))
        - std::log(alpha);
  return std::exp(std::min(0.0, log_delta));
}

namespace internal {

/**
 * Smallest of a bound over the orders. Every order gives a valid one; higher
 * orders cost more to compute, so stop where the bound has clearly turned.
 */
template <class Bound>
double best_order(const std::vector<accounted_step>& steps, neighbors relation,
                  double start, Bound&& bound) {
  double best = start;
  int worse = 0;
  for (double alpha : renyi_orders()) {
    double value = bound(renyi_divergence(steps, alpha, relation), alpha);
    worse = value < best ? 0 : worse + 1;
    best = std::min(best, value);
    if (best < start && worse > 10) {
      break;
    }
  }
  return best;
}

}  // namespace internal

/** Upper bound on epsilon at `delta`, over all orders. */
inline double renyi_epsilon(const std::vector<accounted_step>& steps,
                            double delta, neighbors relation) {
  internal::check_steps(steps);
  internal::check_delta(delta);
  return internal::best_order(
      steps, relation, std::numeric_limits<double>::infinity(),
      [&](double divergence, double alpha) {
        return renyi_to_epsilon(divergence, alpha, delta);
      });
}

/** Upper bound on delta at `epsilon`, over all orders. */
inline double renyi_delta(const std::vector<accounted_step>& steps,
                          double epsilon, neighbors relation) {
  internal::check_steps(steps);
  internal::check_epsilon(epsilon);
  return internal::best_order(
      steps, relation, 1, [&](double divergence, double alpha) {
        return renyi_to_delta(divergence, alpha, epsilon);
      });
}

}  // namespace stan_dp
#endif
