#ifndef STAN_DP_SAMPLERS_WALK_PROPOSAL_HPP
#define STAN_DP_SAMPLERS_WALK_PROPOSAL_HPP

#include <stan_dp/samplers/diagonal_metric.hpp>
#include <stan_dp/samplers/proposal_kind.hpp>
#include <stan_dp/samplers/random_vector.hpp>
#include <Eigen/Core>
#include <cmath>
#include <cstddef>

namespace stan_dp {

/** A place to go to and, for a walk of one coordinate, which one moves. */
struct walk_move {
  Eigen::VectorXd theta;
  std::size_t coordinate = 0;
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

}  // namespace stan_dp
#endif
