#ifndef STAN_DP_PRIVACY_SOLVERS_HPP
#define STAN_DP_PRIVACY_SOLVERS_HPP

#include <stan_dp/privacy/accountant.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace stan_dp {

/*
 * The inverses of `epsilon_bound`. What they return was checked: the steps
 * cost at most epsilon, both as given and with `accounted_noise`, so that a
 * plan made of them is within its budget.
 */

namespace internal {

/** Steps with their noise scaled. */
inline std::vector<accounted_step> scale_noise(
    std::vector<accounted_step> steps, double factor) {
  for (accounted_step& step : steps) {
    step.noise *= factor;
  }
  return steps;
}

inline std::vector<accounted_step> join(
    std::vector<accounted_step> first,
    const std::vector<accounted_step>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/** What the steps cost, when given to a plan or not. */
inline double budgeted_epsilon(std::vector<accounted_step> steps, double delta,
                               neighbors relation, accountant_kind kind) {
  for (accounted_step& step : steps) {
    step.noise = accounted_noise(step.noise);
  }
  return epsilon_bound(steps, delta, relation, kind);
}

inline void check_budget(double epsilon, double delta) {
  if (!(epsilon > 0 && std::isfinite(epsilon))) {
    refuse("epsilon", epsilon, "positive and finite");
  }
  check_delta(delta);
}

/**
 * Smallest factor, to a relative 1e-5, with `cost(factor) <= epsilon`. The
 * cost falls with the factor, nearly like a power of it: interpolate in
 * logarithms, and keep a bracket (Illinois' form of regula falsi).
 */
template <class Cost>
double smallest_factor(Cost&& cost, double epsilon, double least) {
  auto excess = [&](double log_factor) {
    return std::log(std::max(cost(std::exp(log_factor)), 1e-12) / epsilon);
  };
  double low = std::max(0.0, std::log(least));
  double f_low = excess(low);
  double high = low;
  double f_high = f_low;
  while (f_high > 0) {
    low = high;
    f_low = f_high;
    high += std::min(8.0, std::max(0.3, 1.1 * f_high));
    f_high = excess(high);
    if (high > 60) {
      throw std::domain_error(
          "No amount of noise brings the cost down to epsilon; use a larger "
          "epsilon, or fewer steps that are fixed.");
    }
  }
  while (f_low <= 0) {
    high = low;
    f_high = f_low;
    if (low <= std::log(least)) {
      return std::exp(low);
    }
    low = std::max(std::log(least),
                   low - std::min(1.0, std::max(0.1, -1.1 * f_low)));
    f_low = excess(low);
  }
  for (int i = 0; i < 60 && high - low > 1e-5; ++i) {
    double share = std::isfinite(f_low) ? f_low / (f_low - f_high) : 0.5;
    share = i % 3 == 2 ? 0.5 : std::min(0.98, std::max(0.02, share));
    double middle = low + share * (high - low);
    // Aim to land just on the safe side.
    middle = std::min(middle + 2e-6, 0.5 * (middle + high));
    double value = excess(middle);
    if (value > 0) {
      low = middle;
      f_low = value;
    } else {
      high = middle;
      f_high = value;
      if (value > -1e-5) {
        break;
      }
    }
  }
  return std::exp(high);
}

/**
 * A factor that is safe for the plan is so for the bare steps, up to the last
 * digits of the bound: move on by those until both hold.
 */
template <class Steps>
double settle(Steps&& steps_at, double factor, double epsilon, double delta,
              neighbors relation, accountant_kind kind) {
  for (int i = 0; i < 100; ++i) {
    std::vector<accounted_step> steps = steps_at(factor);
    if (epsilon_bound(steps, delta, relation, kind) <= epsilon
        && budgeted_epsilon(steps, delta, relation, kind) <= epsilon) {
      return factor;
    }
    factor *= 1 + 1e-6 * (i + 1);
  }
  throw std::logic_error("The accountant is not monotone in the noise.");
}

/** The least noise whose discrete form can be accounted for is 2^-10. */
inline double least_factor(const std::vector<accounted_step>& steps) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const accounted_step& step : steps) {
    smallest = std::min(smallest, step.noise);
  }
  return 1.0 / 1024 / smallest * (1 + 1e-12);
}

}  // namespace internal

/**
 * Smallest factor by which the noise of some steps has to be multiplied so
 * that they cost at most epsilon together with steps that are fixed already,
 * a warm start for example.
 *
 * @param epsilon the budget
 * @param delta the budget's delta
 * @param relation which data sets are neighbours
 * @param fixed steps as they are
 * @param scalable steps whose noise is multiplied
 * @param kind the accountant
 * @return the factor
 * @throw std::domain_error if the fixed steps alone cost too much
 */
inline double solve_scale(double epsilon, double delta, neighbors relation,
                          const std::vector<accounted_step>& fixed,
                          const std::vector<accounted_step>& scalable,
                          accountant_kind kind = accountant_kind::pld) {
  internal::check_budget(epsilon, delta);
  std::vector<accounted_step> moving = internal::without_empty(scalable);
  if (internal::budgeted_epsilon(fixed, delta, relation, kind) > epsilon) {
    throw std::domain_error(
        "The steps that are fixed cost more than epsilon; give them more "
        "noise, or use a larger epsilon.");
  }
  if (moving.empty()) {
    return 1;
  }
  auto steps_at = [&](double factor) {
    return internal::join(fixed, internal::scale_noise(moving, factor));
  };
  double factor = internal::smallest_factor(
      [&](double f) {
        return internal::budgeted_epsilon(steps_at(f), delta, relation, kind);
      },
      epsilon, internal::least_factor(moving));
  return internal::settle(steps_at, factor, epsilon, delta, relation, kind);
}

/**
 * Smallest noise multiplier with which `count` steps cost at most epsilon.
 *
 * @param epsilon the budget
 * @param delta the budget's delta
 * @param rate Poisson sampling rate
 * @param count number of steps
 * @param relation which data sets are neighbours
 * @param kind the accountant
 * @return the multiplier
 */
inline double solve_noise(double epsilon, double delta, double rate,
                          std::int64_t count, neighbors relation,
                          accountant_kind kind = accountant_kind::pld) {
  internal::check_rate(rate);
  if (count < 1) {
    internal::refuse("The number of steps", static_cast<double>(count),
                     "at least 1");
  }
  return solve_scale(epsilon, delta, relation, {}, {{rate, 1, count}}, kind);
}

/**
 * Largest number of steps that cost at most epsilon, and at most 2^40.
 *
 * @param epsilon the budget
 * @param delta the budget's delta
 * @param rate Poisson sampling rate
 * @param noise noise multiplier
 * @param relation which data sets are neighbours
 * @param kind the accountant
 * @return the number of steps, zero if there is not enough for one
 */
inline std::int64_t solve_steps(double epsilon, double delta, double rate,
                                double noise, neighbors relation,
                                accountant_kind kind = accountant_kind::pld) {
  internal::check_budget(epsilon, delta);
  auto fits = [&](std::int64_t count) {
    return internal::budgeted_epsilon({{rate, noise, count}}, delta, relation,
                                      kind)
           <= epsilon;
  };
  constexpr std::int64_t most = std::int64_t{1} << 40;
  std::int64_t low = 0;
  std::int64_t high = 1;
  while (fits(high)) {
    low = high;
    if (high >= most) {
      return most;
    }
    high *= 2;
  }
  while (high - low > 1) {
    std::int64_t middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

/**
 * Noise multipliers of full-data mechanisms that share a budget: mechanism j,
 * which runs `counts[j]` times, gets `shares[j]` of `mu`, so that
 * `z_j = m sqrt(counts[j] / (2 shares[j] mu))`.
 *
 * @param epsilon the budget
 * @param delta the budget's delta
 * @param relation which data sets are neighbours
 * @param counts how often each mechanism runs
 * @param shares positive, of any sum; only their ratios count
 * @return the multipliers
 */
inline std::vector<double> solve_shared_noise(
    double epsilon, double delta, neighbors relation,
    const std::vector<std::int64_t>& counts,
    const std::vector<double>& shares) {
  internal::check_budget(epsilon, delta);
  if (counts.size() != shares.size()) {
    throw std::invalid_argument(
        "There have to be as many shares of the budget as mechanisms.");
  }
  double sum = 0;
  for (std::size_t j = 0; j < shares.size(); ++j) {
    internal::check_count(counts[j]);
    if (!(shares[j] > 0 && std::isfinite(shares[j]))) {
      internal::refuse("A share of the budget", shares[j],
                       "positive and finite");
    }
    sum += counts[j] > 0 ? shares[j] : 0;
  }
  double m = sensitivity_multiple(relation);
  double mu = gaussian_mu_within(epsilon, delta);
  std::vector<double> noise(counts.size());
  for (std::size_t j = 0; j < noise.size(); ++j) {
    // A mechanism that never runs gets the noise of one that runs once.
    auto n = static_cast<double>(std::max<std::int64_t>(counts[j], 1));
    double z
        = m * std::sqrt(n * std::max(sum, shares[j]) / (2 * shares[j] * mu));
    // Discrete noise counts as slightly less: 2^-56 / z^2 of it.
    noise[j] = z * (1 + std::ldexp(1.0, -55) / (z * z)) * (1 + 1e-12);
  }
  return noise;
}

/** A step size that falls: `eta_t = a (offset + t)^-power`, t from 1 on. */
struct decay_schedule {
  double offset;
  double power;
  std::int64_t steps;
};

/**
 * Largest `a` of a schedule of Langevin steps whose own noise is the privacy
 * noise: `z_t = 2 q / (sqrt(eta_t) T C)` (DESIGN, section 5, dp_sgld).
 *
 * @param epsilon the budget
 * @param delta the budget's delta
 * @param relation which data sets are neighbours
 * @param rate Poisson sampling rate q
 * @param clip_times_tempering `T C`
 * @param schedule the schedule, without its scale
 * @param chains how often the whole schedule runs
 * @param fixed other steps of the plan
 * @return the scale a
 */
inline double solve_step_scale(double epsilon, double delta, neighbors relation,
                               double rate, double clip_times_tempering,
                               const decay_schedule& schedule,
                               std::int64_t chains,
                               const std::vector<accounted_step>& fixed = {}) {
  internal::check_rate(rate);
  internal::check_noise(clip_times_tempering);
  std::vector<accounted_step> steps;
  for (std::int64_t t = 1; t <= schedule.steps; ++t) {
    double decay = std::pow(schedule.offset + static_cast<double>(t),
                            schedule.power / 2);
    steps.push_back({rate, decay, chains});
  }
  // z_t = f * decay_t with f = 2 q / (sqrt(a) T C)
  double factor = solve_scale(epsilon, delta, relation, fixed, steps);
  double root = 2 * rate / (factor * clip_times_tempering);
  return root * root * (1 - 1e-14);
}

}  // namespace stan_dp
#endif
