#ifndef STAN_DP_PRIVACY_PRIVACY_LOSS_HPP
#define STAN_DP_PRIVACY_PRIVACY_LOSS_HPP

#include <stan_dp/privacy/gaussian_accountant.hpp>
#include <stan_dp/privacy/loss_lattice.hpp>
#include <stan_dp/privacy/loss_spectrum.hpp>
#include <stan_dp/privacy/loss_window.hpp>
#include <stan_dp/privacy/step_groups.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace stan_dp {

/*
 * Privacy loss distributions of many Poisson-subsampled Gaussian steps, with
 * an upper bound on epsilon or delta as the result.
 *
 * With L the sum of the steps' losses under P, and M(s) = E exp(s L),
 *   delta(eps) = E (1 - e^(eps - L))_+
 *              = M(s) E~ [e^(-s L) (1 - e^(eps - L))_+],
 * where E~ is under the distribution tilted by e^(s L). With s near the order
 * that a Renyi accountant would choose, the tilted sum has its mass near eps,
 * and the convolution by FFT has errors relative to delta instead of 1.
 *
 * Why the result is an upper bound:
 *  - each step is replaced by a lattice distribution that dominates it
 *    (loss_lattice.hpp), where there are many different ones by a mixture of
 *    two that does (step_groups.hpp); composition keeps dominance;
 *  - mass that the lattice leaves out counts as infinite loss, and is added to
 *    delta once for each step;
 *  - a cyclic convolution only adds mass to points of the window; what lies
 *    above the window is bounded by Chernoff's inequality and added to delta;
 *    what lies below it cannot contribute, because eps is in the window;
 *  - a bound on the rounding errors of the FFTs and products is added to every
 *    probability, one on those of the weights to delta, and one on those of
 *    the lattice's positions to epsilon.
 */

namespace internal {

/**
 * The composed loss: weights from which delta is a sum over lattice points.
 */
class composed_loss {
 public:
  composed_loss(const step_groups& groups, const loss_window& window)
      : low_(std::floor(window.low / window.spacing) * window.spacing),
        spacing_(window.spacing),
        order_(window.order) {
    loss_spectrum spectrum(window.size, window.spacing, window.order,
                           window.high_order);
    lattice_rule rule{window.spacing, window.order, window.step_tail};
    spectrum.multiply(groups, rule);
    auto first = static_cast<std::int64_t>(std::floor(low_ / spacing_ + 0.5));
    std::vector<double> mass = spectrum.masses(first);
    double top = low_ + spacing_ * static_cast<double>(window.size);
    double log_above = spectrum.log_high_moment() - window.high_order * top;
    extra_ = spectrum.infinite() + std::exp(std::min(log_above, 0.0));
    shift_ = spectrum.shift();
    log_moment_ = spectrum.log_moment()
                  + 1e-15 * (order_ * std::max(std::fabs(top), -low_) + 100);
    accumulate(mass);
  }

  /** Upper bound on delta at an epsilon of the window. */
  double delta(double epsilon) const {
    double target = epsilon - shift_;
    if (target < low_) {
      return 1;
    }
    auto k = static_cast<std::size_t>((target - low_) / spacing_);
    if (k + 1 >= plain_.size()) {
      return std::min(1.0, extra_);
    }
    return std::min(1.0, delta_above(k + 1, target) + extra_);
  }

  /** Smallest epsilon, not below zero, with at most `delta`. */
  double epsilon(double delta) const {
    double goal = delta - extra_;
    if (!(goal > 0)) {
      return std::numeric_limits<double>::infinity();
    }
    std::size_t k = 0;
    std::size_t last = plain_.size() - 1;
    while (k < last) {  // smallest k whose delta is within the goal
      std::size_t middle = (k + last) / 2;
      if (delta_above(middle + 1, point(middle)) <= goal) {
        last = middle;
      } else {
        k = middle + 1;
      }
    }
    if (k == 0) {
      return std::max(0.0, low_ + shift_);
    }
    // Between the points k-1 and k the sums run from k on:
    // goal = scale (plain - e^(eps - point) damped).
    double scaled = goal * std::exp(-log_scale(k));
    double rest = (plain_[k] * (1 + slack()) - scaled) / damped_[k];
    double found = rest > 0 ? point(k) + std::log(rest) : point(k - 1);
    found = std::max(found, point(k - 1));
    if (!(found <= point(k))) {
      found = point(k);
    }
    return std::max(0.0, found + shift_);
  }

 private:
  /**
   * Sums over the points j from k on, of the masses times e^(-s (L_j - L_k))
   * and times e^(-(s+1) (L_j - L_k)): relative to L_k nothing overflows.
   */
  void accumulate(const std::vector<double>& mass) {
    double fall = std::exp(-order_ * spacing_);
    double steeper = std::exp(-(order_ + 1) * spacing_);
    plain_.assign(mass.size() + 1, 0);
    damped_.assign(mass.size() + 1, 0);
    for (std::size_t k = mass.size(); k-- > 0;) {
      plain_[k] = mass[k] + fall * plain_[k + 1];
      damped_[k] = mass[k] + steeper * damped_[k + 1];
    }
  }

  /** log of M(s) e^(-s L_k) */
  double log_scale(std::size_t k) const {
    return log_moment_ - order_ * point(k);
  }

  double point(std::size_t k) const {
    return low_ + spacing_ * static_cast<double>(k);
  }

  /** Relative rounding error of the sums. */
  double slack() const {
    return 8 * std::numeric_limits<double>::epsilon()
           * static_cast<double>(plain_.size());
  }

  /** delta at an epsilon up to the point k, from the points from k on. */
  double delta_above(std::size_t k, double epsilon) const {
    double difference
        = plain_[k] * (1 + slack()) - std::exp(epsilon - point(k)) * damped_[k];
    return difference <= 0 ? 0 : std::exp(log_scale(k)) * difference;
  }

  double low_;
  double spacing_;
  double order_;
  double extra_ = 0;
  double shift_ = 0;
  double log_moment_ = 0;
  std::vector<double> plain_;
  std::vector<double> damped_;
};

/**
 * Whether delta is zero at `epsilon` in the direction of add, where no step's
 * loss exceeds -log(1-q). With full-data steps there is no such limit.
 */
inline bool beyond_all_losses(const std::vector<accounted_step>& steps,
                              loss_direction direction, double epsilon) {
  if (direction != loss_direction::add) {
    return false;
  }
  double largest = 0;
  for (const accounted_step& step : steps) {
    if (step.count > 0) {
      largest -= static_cast<double>(step.count) * std::log1p(-step.rate);
    }
  }
  return largest * (1 + 1e-12) < epsilon;
}

/** The directions whose deltas have to be bounded under a relation. */
inline std::vector<loss_direction> directions(neighbors relation) {
  if (relation == neighbors::substitute) {
    return {loss_direction::substitute};
  }
  return {loss_direction::remove, loss_direction::add};
}

}  // namespace internal

/**
 * Upper bound on the epsilon of all steps together at `delta`.
 *
 * Under add/remove the compositions of all-remove and of all-add are bounded
 * one by one, and the larger decides.
 *
 * @param steps the steps, in any order
 * @param delta delta
 * @param relation which data sets are neighbours
 * @return epsilon, from above
 */
inline double privacy_loss_epsilon(const std::vector<accounted_step>& steps,
                                   double delta, neighbors relation) {
  internal::check_steps(steps);
  internal::check_delta(delta);
  double epsilon = 0;
  for (loss_direction direction : internal::directions(relation)) {
    if (internal::beyond_all_losses(steps, direction, epsilon)) {
      continue;
    }
    internal::loss_outline outline(steps, relation, direction);
    if (outline.count == 0) {
      continue;
    }
    internal::loss_window window = internal::window_for_delta(outline, delta);
    internal::step_groups groups(steps, relation, direction, outline, window);
    internal::composed_loss loss(groups, window);
    epsilon = std::max(epsilon, loss.epsilon(delta));
  }
  return epsilon;
}

/**
 * Upper bound on the delta of all steps together at `epsilon`.
 *
 * @param steps the steps, in any order
 * @param epsilon epsilon
 * @param relation which data sets are neighbours
 * @return delta, from above
 */
inline double privacy_loss_delta(const std::vector<accounted_step>& steps,
                                 double epsilon, neighbors relation) {
  internal::check_steps(steps);
  internal::check_epsilon(epsilon);
  double delta = 0;
  for (loss_direction direction : internal::directions(relation)) {
    if (internal::beyond_all_losses(steps, direction, epsilon)) {
      continue;
    }
    internal::loss_outline outline(steps, relation, direction);
    if (outline.count == 0) {
      continue;
    }
    internal::loss_window window
        = internal::window_for_epsilon(outline, epsilon);
    internal::step_groups groups(steps, relation, direction, outline, window);
    internal::composed_loss loss(groups, window);
    delta = std::max(delta, loss.delta(epsilon));
  }
  return delta;
}

}  // namespace stan_dp
#endif
