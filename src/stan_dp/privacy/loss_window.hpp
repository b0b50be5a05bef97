#ifndef STAN_DP_PRIVACY_LOSS_WINDOW_HPP
#define STAN_DP_PRIVACY_LOSS_WINDOW_HPP

#include <stan_dp/privacy/dominating_pair.hpp>
#include <stan_dp/privacy/gaussian_accountant.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace stan_dp {
namespace internal {

/*
 * Where to put the lattice and how fine to make it. Nothing here decides
 * whether a bound holds, only how tight it is and what it costs.
 */

/** All full-data steps, as one: N(mu, 2 mu) is the loss of one Gaussian. */
inline double full_data_mu(const std::vector<accounted_step>& steps,
                           neighbors relation) {
  double mu = 0;
  for (const accounted_step& step : steps) {
    if (step.rate == 1) {
      mu += gaussian_mu(step.noise, static_cast<double>(step.count), relation);
    }
  }
  return mu;
}

/** The pair of full-data steps with that `mu`. */
inline dominating_pair full_data_pair(double mu) {
  return {loss_direction::remove, 1, 1 / std::sqrt(2 * mu)};
}

/** A rough picture of many steps: those with similar noise are one. */
class loss_outline {
 public:
  struct part {
    dominating_pair pair;
    double count;
    /** losses above this position are left out */
    double top = std::numeric_limits<double>::infinity();
  };

  loss_outline(const std::vector<accounted_step>& steps, neighbors relation,
               loss_direction direction) {
    std::map<std::pair<double, long>, std::pair<double, double>> bins;
    for (const accounted_step& step : steps) {
      if (step.rate < 1 && step.count > 0) {
        double log_noise = std::log(step.noise);
        auto n = static_cast<double>(step.count);
        auto& bin = bins[{step.rate, std::lround(log_noise * 12)}];
        bin.first += n;
        bin.second += n * log_noise;
      }
    }
    for (const auto& [key, bin] : bins) {
      add({direction, key.first, std::exp(bin.second / bin.first)}, bin.first);
    }
    double mu = full_data_mu(steps, relation);
    if (mu > 0) {
      add(full_data_pair(mu), 1);
    }
  }

  /** log E exp(order * loss) */
  double log_moment(double order) const {
    double sum = 0;
    for (const part& p : parts) {
      sum += p.count * stan_dp::log_moment(p.pair, order, p.top);
    }
    return sum;
  }

  /** The P-mass that each step may count as infinite loss, at some delta. */
  double step_tail(double log_delta) const {
    double log_tail = log_delta - 14 - std::log(count);
    return std::exp(std::max(log_tail, -650.0));
  }

  /**
   * Leaves out the losses that count as infinite at some delta. A single step
   * of tiny probability may rule a moment that has all of them.
   */
  void cut_tails(double log_delta) {
    for (part& p : parts) {
      if (p.pair.rate < 1) {
        p.top = top_position(p.pair, step_tail(log_delta));
      }
    }
  }

  /** Beyond this order moments cost too much to compute. */
  double largest_order() const {
    double order = 1e9;
    for (const part& p : parts) {
      if (p.pair.rate < 1) {
        double z = p.pair.noise;
        order = std::min(order, 2e3 * std::min(z, z * z));
      }
    }
    return order;
  }

  std::vector<part> parts;
  double count = 0;

 private:
  void add(const dominating_pair& pair, double n) {
    parts.push_back({pair, n, std::numeric_limits<double>::infinity()});
    count += n;
  }
};

/** Smallest size of at least `least` that a transform is fast for. */
inline std::int64_t transform_size(double least) {
  std::int64_t size = 4;
  while (static_cast<double>(size) < least) {
    size *= 2;
  }
  return size;
}

/** Where the mass of the tilted sum of losses lies. */
struct loss_window {
  double order;
  double low;
  double high;
  /** second order for Chernoff's bound above the window */
  double high_order;
  double spacing;
  std::int64_t size;
  /** epsilon and log delta, one given and the other a Renyi bound */
  double epsilon;
  double log_delta;
  /** P-mass that each step may count as infinite: a millionth of delta */
  double step_tail;
};

/**
 * Minimiser of `f`, which has one minimum, over positive numbers up to
 * `limit`, from `start` on; where f flattens out that is good enough.
 */
template <class F>
double minimise_positive(F&& f, double start, double limit) {
  double middle = start;
  double value = f(middle);
  double factor = f(2 * start) < value ? 2 : 0.5;
  for (int i = 0; i < 60 && middle * factor <= limit; ++i) {
    double next = f(middle * factor);
    bool better = next < value;
    bool flat = std::fabs(next - value) < 2e-3 * std::fabs(value);
    if (better) {
      middle *= factor;
      value = next;
    }
    if (!better || flat) {
      break;
    }
  }
  double low = std::log(middle / 2);
  double high = std::log(std::min(2 * middle, limit));
  constexpr double golden = 0.61803398874989484820;
  double a = high - golden * (high - low);
  double b = low + golden * (high - low);
  double value_a = f(std::exp(a));
  double value_b = f(std::exp(b));
  for (int i = 0; i < 6; ++i) {
    if (value_a < value_b) {
      high = b;
      b = a;
      value_b = value_a;
      a = high - golden * (high - low);
      value_a = f(std::exp(a));
    } else {
      low = a;
      a = b;
      value_a = value_b;
      b = low + golden * (high - low);
      value_b = f(std::exp(b));
    }
  }
  return std::exp(value_a < value_b ? a : b);
}

/** epsilon from a moment: Canonne, Kamath and Steinke 2020, proposition 12. */
inline double moment_epsilon(double log_moment, double order,
                             double log_delta) {
  return (log_moment - log_delta - std::log1p(order)) / order
         - std::log1p(1 / order);
}

/** log delta from a moment, by the same proposition. */
inline double moment_log_delta(double log_moment, double order,
                               double epsilon) {
  return log_moment - order * (epsilon + std::log1p(1 / order))
         - std::log1p(order);
}

/** Window and lattice for a tilt of `order` around `epsilon`. */
inline loss_window make_window(const loss_outline& outline, double order,
                               double epsilon, double log_delta) {
  constexpr double log_mass = 16;  // mass of e^-16 may lie outside
  constexpr double accuracy = 4e-5;
  constexpr double largest_size = 4194304;
  double base = outline.log_moment(order);
  double curvature = outline.log_moment(order * 1.05) - 2 * base
                     + outline.log_moment(order * 0.95);
  double sd = std::sqrt(std::max(curvature, 1e-300)) / (0.05 * order);
  auto above = [&](double s) {
    return (outline.log_moment(order + s) - base + log_mass) / s;
  };
  auto below = [&](double s) {
    return (outline.log_moment(order - s) - base + log_mass) / s;
  };
  double guess = std::sqrt(2 * log_mass) / sd;
  // Where losses have a largest value, the best order has no limit; the
  // lattice's rounding would spoil a bound of a very high one.
  double s_high = minimise_positive(
      above, guess, std::min(4 * guess, outline.largest_order()));
  double s_low
      = minimise_positive(below, std::min(guess, order / 2), order + 1);
  loss_window window;
  window.order = order;
  window.epsilon = epsilon;
  window.log_delta = log_delta;
  window.step_tail = outline.step_tail(log_delta);
  window.high_order = order + s_high;
  window.low = std::min(-below(s_low), epsilon - 0.1 * sd);
  window.high = std::max(above(s_high), epsilon + sd);
  // A split over a cell of width h adds at most h^2 / 4 to the variance of a
  // loss, and half of that to its mean: (1 + order) h^2 / 8 to epsilon.
  double width = window.high - window.low;
  double spacing = std::sqrt(8 * accuracy * std::max(epsilon, 1e-3)
                             / (outline.count * (1 + order)));
  double size = std::min(largest_size, std::max(512.0, width / spacing));
  window.size = transform_size(size);
  window.spacing = width / static_cast<double>(window.size);
  return window;
}

inline loss_window window_for_delta(loss_outline& outline, double delta) {
  double log_delta = std::log(delta);
  outline.cut_tails(log_delta);
  auto epsilon = [&](double s) {
    return moment_epsilon(outline.log_moment(s), s, log_delta);
  };
  double order = minimise_positive(epsilon, 4, outline.largest_order());
  return make_window(outline, order, epsilon(order), log_delta);
}

inline loss_window window_for_epsilon(loss_outline& outline, double epsilon) {
  auto log_delta = [&](double s) {
    return moment_log_delta(outline.log_moment(s), s, epsilon);
  };
  double order = 4;
  double found = 0;
  // Where to cut depends on delta, and delta on the cut.
  for (int i = 0; i < 10; ++i) {
    order = minimise_positive(log_delta, order, outline.largest_order());
    double before = found;
    found = std::min(0.0, log_delta(order));
    outline.cut_tails(found);
    if (i > 0 && before - found < 1) {
      break;
    }
  }
  return make_window(outline, order, epsilon, found);
}

}  // namespace internal
}  // namespace stan_dp
#endif
