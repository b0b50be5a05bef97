#ifndef STAN_DP_PRIVACY_LOSS_LATTICE_HPP
#define STAN_DP_PRIVACY_LOSS_LATTICE_HPP

#include <stan_dp/privacy/dominating_pair.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace stan_dp {

/**
 * The privacy loss of one step on the multiples of `spacing`: a pair of
 * distributions that dominates the step's own pair, so that every epsilon
 * computed from it is an upper bound.
 *
 * Losses between two lattice points are not rounded up but split: the mass p
 * of P and q of Q that lie between the losses u and v go to atoms at u and v
 * in the one way that keeps p and q. As a function of e^eps, delta is convex
 * between the two points, and the split pair has the chord (Doroshenko et al.
 * 2022, connect the dots). Where p and q were rounded, the difference goes to
 * the upper atom, which can only raise delta.
 */
struct loss_lattice {
  double spacing;
  /** atoms at `index * spacing`, in increasing order */
  std::vector<std::int64_t> index;
  /** P-mass of the atoms */
  std::vector<double> mass;
  /** P-mass whose loss counts as infinite */
  double infinite;
  /** how far rounding may have moved a loss */
  double shift;
};

/** How finely a step is put on the lattice. */
struct lattice_rule {
  double spacing;
  /** order of the moment that matters: it weighs the tail */
  double order;
  /** P-mass of the upper tail that may count as infinite */
  double tail;
};

namespace internal {

/** Cell widths, in lattice steps, that a stretch of losses may have. */
struct cell_widths {
  std::vector<double> from;
  std::vector<std::int64_t> width;
};

/**
 * Far out in both tails, where `exp(order * loss)` times the mass is small,
 * cells may be wide: what counts is mass times width squared.
 */
inline cell_widths choose_widths(const dominating_pair& pair,
                                 const lattice_rule& rule, double low,
                                 double high) {
  constexpr int stretches = 64;
  double widest = std::max(1.0, 0.5 / ((1 + rule.order) * rule.spacing));
  cell_widths result;
  std::vector<double> above(stretches + 1);
  std::vector<double> below(stretches + 1);
  for (int i = 0; i <= stretches; ++i) {
    double x = low + (high - low) * i / stretches;
    double loss = loss_at(pair, x);
    double tail = upper_tails(pair, x).p;
    double weight = std::exp(std::min(rule.order * loss, 700.0));
    result.from.push_back(loss);
    above[i] = weight * tail;
    below[i] = weight * std::max(1 - tail, 1e-18);
  }
  for (int i = 1; i <= stretches; ++i) {
    below[i] = std::max(below[i], below[i - 1]);
    above[stretches - i]
        = std::max(above[stretches - i], above[stretches - i + 1]);
  }
  for (int i = 0; i < stretches; ++i) {
    double mass = std::min(above[i], below[i + 1]);
    double width = std::min(widest, std::sqrt(0.02 / std::max(mass, 1e-30)));
    result.width.push_back(std::max<std::int64_t>(1, std::llround(width)));
  }
  result.from.pop_back();
  return result;
}

/** Relative error of a tail: of erfc, and of its argument. */
inline double tail_error(double x, double noise) {
  double t = std::max(0.0, x / noise);
  return std::numeric_limits<double>::epsilon() * (4 + t * t);
}

}  // namespace internal

/**
 * Puts one step on the lattice.
 *
 * @param pair the step's dominating pair
 * @param rule spacing, tail and order
 * @return a pair that dominates it
 */
inline loss_lattice make_lattice(const dominating_pair& pair,
                                 const lattice_rule& rule) {
  double h = rule.spacing;
  double low = (pair.rate == 1 ? 1 : 0) - 9 * pair.noise;
  double high = internal::top_position(pair, rule.tail);
  internal::cell_widths widths = internal::choose_widths(pair, rule, low, high);
  auto k
      = static_cast<std::int64_t>(std::floor(internal::loss_at(pair, low) / h));
  double top_loss = internal::loss_at(pair, high);
  auto top = static_cast<std::int64_t>(std::ceil(top_loss / h));
  double error = internal::position_error(
      pair, std::max(top_loss, -static_cast<double>(k) * h));
  loss_lattice result{h, {}, {}, 0, error};

  // Everything below the first point is rounded up to it.
  double tail_p = 1;
  double tail_q = 1;
  double carried = 0;
  double x = low;
  std::size_t stretch = 0;
  bool first = true;
  while (true) {
    double loss = static_cast<double>(k) * h;
    double next_x = internal::position_of(pair, loss);
    if (first) {
      internal::pair_tails start = internal::upper_tails(pair, next_x);
      carried = std::max(0.0, 1 - start.p);
      tail_p = std::min(1.0, start.p);
      tail_q = start.q;
      x = next_x;
      first = false;
    }
    if (k >= top) {
      break;
    }
    while (stretch + 1 < widths.from.size()
           && widths.from[stretch + 1] <= loss) {
      ++stretch;
    }
    std::int64_t width = std::min(widths.width[stretch], top - k);
    if (stretch + 1 < widths.from.size()) {  // no cell reaches into the next
      double room = std::floor((widths.from[stretch + 1] - loss) / h);
      width = room < 1 ? 1 : std::min(width, std::int64_t(std::min(room, 1e9)));
    }
    double span = static_cast<double>(width) * h;
    double upper_x
        = internal::position_of(pair, static_cast<double>(k + width) * h);
    internal::pair_tails upper = internal::upper_tails(pair, upper_x);
    double relative = internal::tail_error(x, pair.noise);
    upper.p = std::min(tail_p, upper.p * (1 + relative));
    upper.q = std::min(tail_q, upper.q);
    double p = tail_p - upper.p;
    double growth = std::exp(loss);
    double excess = p - growth * (tail_q - upper.q) + error * p
                    + 2 * relative * (tail_p + growth * tail_q);
    double raised = std::max(0.0, excess / -std::expm1(-span));
    if (!(growth < 1e300 && raised < p)) {
      raised = p;  // also where e^loss is beyond the range of double
    }
    result.index.push_back(k);
    result.mass.push_back(carried + (p - raised));
    carried = raised;
    tail_p = upper.p;
    tail_q = upper.q;
    x = upper_x;
    k += width;
  }
  result.index.push_back(k);
  result.mass.push_back(carried);
  result.infinite = tail_p;
  return result;
}

}  // namespace stan_dp
#endif
