#ifndef STAN_DP_PRIVACY_STEP_GROUPS_HPP
#define STAN_DP_PRIVACY_STEP_GROUPS_HPP

#include <stan_dp/privacy/loss_window.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace stan_dp {
namespace internal {

/*
 * A schedule may have thousands of noise multipliers. A step with multiplier z
 * between z_1 < z_2 is dominated by a mixture of the pairs at z_1 and z_2,
 * with the share (s(z) - s(z_2)) / (s(z_1) - s(z_2)) of the first, where
 *   s(z) = erf(1 / (sqrt(8) z))   under add/remove,
 *   s(z) = erf(1 / (sqrt(2) z))   under substitution.
 *
 * Proof. The mixture's delta is the mixture of the deltas, so delta has to be
 * convex in s for every eps. Let t = 1/z, with x in units of the noise.
 * Remove: delta(t) is the integral of P - e^eps Q above x, where x is the
 * point with P = e^eps Q: x = l/t + t/2, l = log((e^eps - 1 + q) / q). So
 *   delta' = q phi(x - t),
 *   delta''/delta' = -(x - t)(dx/dt - 1) = (l^2/t^2 - t^2/4) / t >= -t/4;
 * and s' is proportional to exp(-t^2/8), s''/s' = -t/4. Add: the same with
 * l = log((e^-eps - 1 + q) / q) and a factor of e^eps. Substitute:
 *   t x = eps/2 + w,  sinh w = (1-q)/q e^(t^2/2) sinh(eps/2),
 * dx/dt = -x/t + T with T = tanh w, delta' = q [phi(x-t) + e^eps phi(x+t)],
 * whose two parts have the ratio e^(2w), and
 *   delta''/delta' = x^2/t - T x - t + T^2 t
 *                  = (x - T t/2)^2 / t + 3 T^2 t/4 - t >= -t;
 * and s''/s' = -t. Where delta is constant in t it is convex as well.
 */

/** erfc of the scale in which delta is convex in the noise. */
inline double convex_scale(loss_direction direction, double noise) {
  double factor = direction == loss_direction::substitute ? 2 : 8;
  return std::erfc(1 / (std::sqrt(factor) * noise));
}

/** A step as a mixture of a group's two pairs. */
struct mixed_step {
  /** share of the first pair, the one with less noise */
  double share;
  std::int64_t count;
};

/** Steps that lie between two pairs. */
struct step_group {
  dominating_pair first;
  dominating_pair second;
  std::vector<mixed_step> steps;

  bool mixed() const { return first.noise != second.noise; }
};

/** All steps, sorted into groups. */
class step_groups {
 public:
  step_groups(const std::vector<accounted_step>& steps, neighbors relation,
              loss_direction direction, const loss_outline& outline,
              const loss_window& window)
      : direction_(direction) {
    std::map<double, std::map<double, std::int64_t>> by_rate;
    for (const accounted_step& step : steps) {
      if (step.rate < 1 && step.count > 0) {
        by_rate[step.rate][step.noise] += step.count;
      }
    }
    double gap = largest_gap(outline, window);
    for (const auto& [rate, counts] : by_rate) {
      double range = std::log(counts.rbegin()->first / counts.begin()->first);
      double nodes = std::ceil(range / gap) + 1;
      if (static_cast<double>(counts.size()) <= nodes) {
        add_exactly(rate, counts);
      } else {
        add_between(rate, counts, nodes);
      }
    }
    double mu = full_data_mu(steps, relation);
    if (mu > 0) {
      dominating_pair pair = full_data_pair(mu);
      groups_.push_back({pair, pair, {{1, 1}}});
    }
  }

  const std::vector<step_group>& groups() const { return groups_; }

 private:
  /**
   * Distance of two pairs in log noise at which mixing costs little: it adds
   * at most gap^2/8 times the second derivative to a moment.
   */
  static double largest_gap(const loss_outline& outline,
                            const loss_window& window) {
    constexpr double d = 0.02;
    constexpr double accuracy = 2e-5;
    double bend = 0;
    for (const loss_outline::part& part : outline.parts) {
      auto moment = [&](double factor) {
        dominating_pair pair = part.pair;
        pair.noise *= factor;
        return log_moment(pair, window.order, part.top);
      };
      double middle = moment(1);
      bend += part.count
              * (std::exp(moment(1 + d) - middle)
                 + std::exp(moment(1 - d) - middle) - 2)
              / (d * d);
    }
    double allowed = window.order * accuracy * std::max(window.epsilon, 1e-3);
    return std::sqrt(12 * allowed / std::max(bend, 1e-300));
  }

  void add_exactly(double rate, const std::map<double, std::int64_t>& counts) {
    for (const auto& [noise, count] : counts) {
      dominating_pair pair{direction_, rate, noise};
      groups_.push_back({pair, pair, {{1, count}}});
    }
  }

  void add_between(double rate, const std::map<double, std::int64_t>& counts,
                   double nodes) {
    double lowest = counts.begin()->first;
    double highest = counts.rbegin()->first;
    auto node = [&](double i) {
      return i + 1 >= nodes
                 ? highest
                 : lowest * std::pow(highest / lowest, i / (nodes - 1));
    };
    double i = 0;
    auto next = counts.begin();
    while (next != counts.end()) {
      while (next->first > node(i + 1)) {
        ++i;
      }
      step_group group{
          {direction_, rate, node(i)}, {direction_, rate, node(i + 1)}, {}};
      while (next != counts.end() && next->first <= node(i + 1)) {
        group.steps.push_back({share(group, next->first), next->second});
        ++next;
      }
      groups_.push_back(group);
    }
  }

  double share(const step_group& group, double noise) const {
    double high = convex_scale(direction_, group.second.noise);
    double whole = high - convex_scale(direction_, group.first.noise);
    double part = high - convex_scale(direction_, noise);
    if (!(whole > 1e-12 * high)) {
      return 1;
    }
    return std::min(1.0, std::max(0.0, part / whole) + 1e-15 * high / whole);
  }

  loss_direction direction_;
  std::vector<step_group> groups_;
};

}  // namespace internal
}  // namespace stan_dp
#endif
