#ifndef STAN_DP_PRIVACY_DOMINATING_PAIR_HPP
#define STAN_DP_PRIVACY_DOMINATING_PAIR_HPP

#include <stan_dp/privacy/accounted_step.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace stan_dp {

/** From which data set the loss is seen. */
enum class loss_direction { remove, add, substitute };

/**
 * The pair (P, Q) that dominates one Poisson-subsampled Gaussian step, in
 * units of the clip bound, as densities on the line:
 *
 *   remove      P = (1-q) N(0, z^2) + q N(1, z^2),  Q = N(0, z^2)
 *   add         P = N(0, z^2),  Q = (1-q) N(0, z^2) + q N(-1, z^2)
 *   substitute  P = (1-q) N(0, z^2) + q N(1, z^2),
 *               Q = (1-q) N(0, z^2) + q N(-1, z^2)
 *
 * Zhu, Dong and Wang 2022 (theorem 11) for add and remove; DESIGN, section 4,
 * for substitution. All are turned so that the loss log(P/Q) grows with x.
 * A full-data Gaussian is the `remove` pair with rate 1.
 */
struct dominating_pair {
  loss_direction direction;
  double rate;
  double noise;
};

namespace internal {

/** `P(N(0,1) > t)` */
inline double upper_normal(double t) {
  return 0.5 * std::erfc(t * 0.70710678118654752440);
}

/** `log((1-q) + q exp((x - 1/2) / z^2))`: the mixture against N(0, z^2). */
inline double mixture_log_ratio(const dominating_pair& pair, double x) {
  double t = (x - 0.5) / (pair.noise * pair.noise);
  if (pair.rate == 1) {
    return t;
  }
  if (t < 30) {
    return std::log1p(pair.rate * std::expm1(t));
  }
  return std::log(pair.rate) + t
         + std::log1p((1 - pair.rate) / pair.rate * std::exp(-t));
}

/** The inverse of `mixture_log_ratio`; minus infinity below its range. */
inline double mixture_position(const dominating_pair& pair, double loss) {
  double variance = pair.noise * pair.noise;
  if (pair.rate == 1) {
    return 0.5 + variance * loss;
  }
  if (loss > 30) {
    return 0.5
           + variance
                 * (loss - std::log(pair.rate)
                    + std::log1p((pair.rate - 1) * std::exp(-loss)));
  }
  double argument = std::expm1(loss) / pair.rate;
  if (argument <= -1) {
    return -std::numeric_limits<double>::infinity();
  }
  return 0.5 + variance * std::log1p(argument);
}

/** `log sinh(x)` for x > 0 */
inline double log_sinh(double x) {
  return x < 1 ? std::log(std::sinh(x))
               : x + std::log1p(-std::exp(-2 * x)) - 0.69314718055994530942;
}

/**
 * x with `loss(x) = loss` for substitution: with y = x / z^2,
 * `sinh(y - loss/2) = a sinh(loss/2)`, `a = (1-q)/q exp(1/(2 z^2))`.
 */
inline double substitute_position(const dominating_pair& pair, double loss) {
  double variance = pair.noise * pair.noise;
  double half = 0.5 * std::fabs(loss);
  if (half == 0) {
    return 0;
  }
  double log_a = std::log1p(-pair.rate) - std::log(pair.rate) + 0.5 / variance;
  double log_argument = log_a + log_sinh(half);
  double inverse = log_argument > 40 ? log_argument + 0.69314718055994530942
                                     : std::asinh(std::exp(log_argument));
  return std::copysign(variance * (half + inverse), loss);
}

/** `log(P/Q)` at x */
inline double loss_at(const dominating_pair& pair, double x) {
  switch (pair.direction) {
    case loss_direction::remove:
      return mixture_log_ratio(pair, x);
    case loss_direction::add:
      return -mixture_log_ratio(pair, -x);
    default:
      return mixture_log_ratio(pair, x) - mixture_log_ratio(pair, -x);
  }
}

/** Where the loss takes a value; infinite outside of its range. */
inline double position_of(const dominating_pair& pair, double loss) {
  switch (pair.direction) {
    case loss_direction::remove:
      return mixture_position(pair, loss);
    case loss_direction::add:
      return -mixture_position(pair, -loss);
    default:
      return substitute_position(pair, loss);
  }
}

/** P and Q of the half line above a point. */
struct pair_tails {
  double p;
  double q;
};

inline pair_tails upper_tails(const dominating_pair& pair, double x) {
  double rate = pair.rate;
  double base = upper_normal(x / pair.noise);
  auto mixture = [&](double centre) {
    return (1 - rate) * base + rate * upper_normal((x - centre) / pair.noise);
  };
  switch (pair.direction) {
    case loss_direction::remove:
      return {mixture(1), base};
    case loss_direction::add:
      return {base, mixture(-1)};
    default:
      return {mixture(1), mixture(-1)};
  }
}

/** Smallest x, on a coarse scale, with at most `tail` P-mass above it. */
inline double top_position(const dominating_pair& pair, double tail) {
  double x = 0;
  while (upper_tails(pair, x).p > tail) {
    x += pair.noise / 4;
  }
  return x;
}

/**
 * Bound on what rounding does to the loss at a computed position: the relative
 * errors of the logarithms and of the position, in units of the loss.
 */
inline double position_error(const dominating_pair& pair, double largest_loss) {
  double unit = std::numeric_limits<double>::epsilon();
  return 8 * unit
         * (2 + std::fabs(largest_loss) - std::log(pair.rate)
            + 1 / (pair.noise * pair.noise));
}

}  // namespace internal

/**
 * `log E_P exp(order * loss)`, that is `order` times the Renyi divergence of
 * order `order + 1`, for orders from -1 on.
 *
 * The integral is taken by the trapezoidal rule. The integrand is analytic in
 * a strip of half width pi z^2 around the line (beyond lie the zeros of the
 * mixture) and decays like a Gaussian of width z, so that steps of z/4 and
 * z^2/4 leave an error below exp(-2 pi^2 * 4), far below rounding.
 *
 * @param pair the pair
 * @param order the order of the moment
 * @param top x above which losses are left out; none if it is not given
 * @return the logarithm of the moment
 */
inline double log_moment(const dominating_pair& pair, double order,
                         double top = std::numeric_limits<double>::infinity()) {
  double z = pair.noise;
  if (pair.rate == 1) {
    return order * (order + 1) / (2 * z * z);
  }
  bool p_mixed = pair.direction != loss_direction::add;
  bool q_mixed = pair.direction != loss_direction::remove;
  double low = -1 - 12 * z;
  double high
      = 1 + (p_mixed && q_mixed ? 2 : 1) * std::max(order, 0.0) + 12 * z;
  high = std::min(high, top);
  double intervals = std::ceil((high - low) / std::min(z / 4, z * z / 4));
  if (intervals > 2e6) {
    // Hardly any noise. Divergences are jointly quasi-convex: sampling does
    // not raise them above those of a sample that always holds the unit.
    double distance = p_mixed && q_mixed ? 2 : 1;
    return order * (order + 1) * distance * distance / (2 * z * z);
  }
  double step = (high - low) / intervals;
  auto points = static_cast<std::size_t>(intervals) + 1;
  std::vector<double> exponent(points);
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < exponent.size(); ++i) {
    double x = low + step * static_cast<double>(i);
    double value = -0.5 * (x / z) * (x / z);
    value += p_mixed ? (1 + order) * internal::mixture_log_ratio(pair, x) : 0;
    value -= q_mixed ? order * internal::mixture_log_ratio(pair, -x) : 0;
    exponent[i] = value;
    largest = std::max(largest, value);
  }
  double sum = 0;
  for (double value : exponent) {
    sum += std::exp(value - largest);
  }
  return largest + std::log(sum * step / (z * 2.5066282746310005024));
}

}  // namespace stan_dp
#endif
