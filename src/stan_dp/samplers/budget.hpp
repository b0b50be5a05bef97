#ifndef STAN_DP_SAMPLERS_BUDGET_HPP
#define STAN_DP_SAMPLERS_BUDGET_HPP

#include <stan_dp/privacy/accounted_step.hpp>
#include <stan_dp/privacy/gaussian_accountant.hpp>
#include <stan_dp/privacy/plan.hpp>
#include <stan_dp/privacy/privacy_loss.hpp>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace stan_dp {

/** What a plan may cost, and what is in it already. */
struct budget {
  bool engaged;
  double epsilon;
  double delta;
  neighbors relation;
  /** planned by others (a warm start), with their noise; they come first */
  std::vector<mechanism> fixed;
};

namespace internal {

inline bool full_data(const plan& p) {
  return std::all_of(p.mechanisms.begin(), p.mechanisms.end(),
                     [](const mechanism& m) { return m.rate == 1; });
}

inline std::vector<accounted_step> accounted_steps(const plan& p) {
  std::vector<accounted_step> steps;
  for (const mechanism& m : p.mechanisms) {
    if (m.count > 0) {
      steps.push_back({m.rate, accounted_noise(m.noise), m.count});
    }
  }
  return steps;
}

}  // namespace internal

/** What an engaged plan costs at its delta: an upper bound. */
inline double plan_epsilon(const plan& p) {
  const auto steps = internal::accounted_steps(p);
  return internal::full_data(p)
             ? gaussian_epsilon(gaussian_mu(steps, p.relation), p.delta)
             : privacy_loss_epsilon(steps, p.delta, p.relation);
}

namespace internal {

inline plan scaled_plan(const budget& b, const std::vector<mechanism>& shape,
                        double factor) {
  plan p{b.relation, b.engaged, b.engaged ? b.delta : 0, b.fixed};
  for (mechanism m : shape) {
    m.noise *= factor;
    p.mechanisms.push_back(m);
  }
  return p;
}

/**
 * The factor for full-data Gaussians, in closed form: costs `m^2 / (2 z^2)` add
 * up, and the largest sum within (epsilon, delta) is known.
 */
inline double gaussian_factor(const budget& b,
                              const std::vector<mechanism>& shape) {
  const auto mu = [&b](const std::vector<mechanism>& mechanisms) {
    double sum = 0;
    for (const mechanism& m : mechanisms) {
      sum += gaussian_mu(m.noise, static_cast<double>(m.count), b.relation);
    }
    return sum;
  };
  const double left = gaussian_mu_within(b.epsilon, b.delta) - mu(b.fixed);
  if (!(left > 0)) {
    throw std::invalid_argument(
        "The warm start leaves nothing of epsilon: give it a smaller"
        " warm_share.");
  }
  // the last digits are for the discrete noise, see accounted_noise
  return std::sqrt(mu(shape) / left) * (1 + 1e-10);
}

/**
 * The factor in general. Epsilon falls as the factor grows, nearly as a power
 * of it: regula falsi on logarithms, kept within a bracket, until the upper end
 * costs at least 0.999 of the budget. What is returned always costs less.
 */
inline double loss_factor(const budget& b,
                          const std::vector<mechanism>& shape) {
  const double least = std::ldexp(1.0, -10);
  const auto cost = [&](double factor) {
    return std::log(plan_epsilon(scaled_plan(b, shape, factor)) / b.epsilon);
  };
  double smallest = std::numeric_limits<double>::infinity();
  for (const mechanism& m : shape) {
    smallest = std::min(smallest, m.noise);
  }
  double high = 1 / smallest;
  double cost_high = cost(high);
  while (cost_high > 0) {
    high *= 4;
    if (high > 1e12) {
      throw std::invalid_argument(
          "The warm start leaves nothing of epsilon: give it a smaller"
          " warm_share.");
    }
    cost_high = cost(high);
  }
  double low = high / 4;
  double cost_low = cost(low);
  while (cost_low <= 0 && low * smallest > 4 * least) {
    high = low;
    cost_high = cost_low;
    low /= 4;
    cost_low = cost(low);
  }
  for (int i = 0; i < 60 && cost_high < -1e-3 && cost_low > 0; ++i) {
    const double span = std::log(high / low);
    double part = cost_low / (cost_low - cost_high);
    // aim a little above the root, and never close to an end: both ends move
    part = std::min(0.95, std::max(0.05, part + 2e-4 / span));
    const double middle = low * std::exp(part * span);
    const double cost_middle = cost(middle);
    if (cost_middle > 0) {
      low = middle;
      cost_low = cost_middle;
    } else {
      high = middle;
      cost_high = cost_middle;
    }
  }
  return high;
}

}  // namespace internal

/**
 * The plan of least noise within the budget: the noise multipliers of `shape`
 * say only how they relate to each other; a common factor is solved for. The
 * budget's fixed mechanisms come first and stay as they are.
 *
 * A run that is not engaged has no noise.
 */
inline plan plan_within(const budget& b, const std::vector<mechanism>& shape) {
  if (!b.engaged) {
    plan p = internal::scaled_plan(b, shape, 0);
    for (mechanism& m : p.mechanisms) {
      m.noise = 0;
    }
    return p;
  }
  const bool full = internal::full_data(internal::scaled_plan(b, shape, 1));
  return internal::scaled_plan(b, shape,
                               full ? internal::gaussian_factor(b, shape)
                                    : internal::loss_factor(b, shape));
}

}  // namespace stan_dp
#endif
