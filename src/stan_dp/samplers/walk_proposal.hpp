#ifndef STAN_DP_SAMPLERS_WALK_PROPOSAL_HPP
#define STAN_DP_SAMPLERS_WALK_PROPOSAL_HPP

#include <stan_dp/samplers/diagonal_metric.hpp>
#include <stan_dp/samplers/gaussian_fit.hpp>
#include <stan_dp/samplers/proposal_kind.hpp>
#include <stan_dp/samplers/random_vector.hpp>
#include <Eigen/Core>
#include <cmath>
#include <cstddef>

namespace stan_dp {

/** A place to go to. */
struct walk_move {
  Eigen::VectorXd theta;
  /** the one that moves, where only one does */
  std::size_t coordinate = 0;
  /** log density of a move back minus that of this one; 0 if symmetric */
  double log_return = 0;
};

/**
 * Proposes a symmetric move of size `scale`, in units of the metric.
 *
 * `full` moves all coordinates, `component` one, `guided` one, in the kept
 * `directions` (Gustafson 1998): going back has the same density once the
 * direction is turned.
 */
inline walk_move propose_walk(proposal_kind kind, random_bits& bits,
                              double scale, const diagonal_metric& metric,
                              const Eigen::VectorXd& theta,
                              const Eigen::VectorXd& directions) {
  walk_move move{theta};
  if (kind == proposal_kind::full) {
    move.theta
        += scale
           * metric.scales().cwiseProduct(normal_vector(bits, theta.size()));
    return move;
  }
  const std::size_t j = uniform_below(bits, theta.size());
  const double z = normal(bits);
  const double length
      = kind == proposal_kind::guided ? directions(j) * std::abs(z) : z;
  move.coordinate = j;
  move.theta(j) += scale * metric.scales()(j) * length;
  return move;
}

/** The largest scale of `propose_fitted`: a place that forgets theta. */
constexpr double largest_fitted_scale = 1;

/**
 * Proposes a move around a fitted Gaussian: theta is drawn towards its mean,
 * and noise of its shape is added, so that it would stay as it is if it were
 * the posterior (Neal 1999; "preconditioned Crank-Nicolson", Cotter et al.
 * 2013). What the posterior differs by is left to the test.
 *
 * With `w = factor^-1 (theta - mean)` the move is `w' = sqrt(1 - s^2) w + s
 * eps`, which is reversible for N(0, I): the densities of the two ways differ
 * by what `-|w|^2 / 2` does.
 *
 * @param scale s, above 0 and at most `largest_fitted_scale`
 */
inline walk_move propose_fitted(random_bits& bits, double scale,
                                const gaussian_fit& fit,
                                const Eigen::VectorXd& theta) {
  const Eigen::VectorXd from = fit.standardise(theta);
  const Eigen::VectorXd to = std::sqrt(1 - scale * scale) * from
                             + scale * normal_vector(bits, theta.size());
  return {fit.transform(to), 0, 0.5 * (to.squaredNorm() - from.squaredNorm())};
}

/**
 * The part of where it was that a chain forgets in an accepted move of
 * `propose_fitted`.
 */
inline double fitted_renewal(double scale) {
  return 1 - std::sqrt(1 - scale * scale);
}

/**
 * The scale of `propose_fitted` for which the noise of a test has a standard
 * deviation of `ratio_noise`.
 *
 * A chain that is at home in the fit moves by `2 (1 - sqrt(1 - s^2))` times
 * its variance, summed over the coordinates of the metric. With a noise of sd v
 * a test accepts `2 Phi(-v / 2)`; the squares of accepted moves add up to most
 * at v = 2.4, and a little less is safer where the fit is not the posterior.
 *
 * @param noise standard deviation of a test's noise, per unit of distance
 */
inline double fitted_scale(const gaussian_fit& fit,
                           const diagonal_metric& metric, double noise) {
  constexpr double ratio_noise = 2;
  const double width
      = noise * fit.scales().cwiseQuotient(metric.scales()).stableNorm();
  const double forgotten = 0.5 * std::pow(ratio_noise / width, 2);
  return forgotten < 1 ? std::sqrt(forgotten * (2 - forgotten))
                       : largest_fitted_scale;
}

}  // namespace stan_dp
#endif
