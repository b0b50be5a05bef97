#ifndef STAN_DP_SAMPLERS_DP_PENALTY_HPP
#define STAN_DP_SAMPLERS_DP_PENALTY_HPP

#include <stan_dp/samplers/diagonal_metric.hpp>
#include <stan_dp/samplers/gaussian_fit.hpp>
#include <stan_dp/samplers/noisy_posterior.hpp>
#include <stan_dp/samplers/penalty_test.hpp>
#include <stan_dp/samplers/walk_proposal.hpp>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <utility>

namespace stan_dp {

/** What dp_penalty is told before it starts. */
struct dp_penalty_options {
  proposal_kind proposal;
  /** index of the planned mechanism */
  std::size_t ratio_query;
  /** what `proposal_kind::fitted` moves around */
  std::optional<gaussian_fit> fit = std::nullopt;
};

/**
 * A walk with the penalty test: one noisy ratio a transition.
 *
 * The guided walk's state holds a direction for each coordinate, which turns
 * when a move of that coordinate is rejected: a lifted chain, exact because the
 * test is satisfied in skew balance.
 *
 * Around a fitted Gaussian the walk needs no small steps to be accepted, only
 * a ratio whose noise, which grows with the distance, is not too large.
 *
 * Privacy: the only answers that it reads are `log_ratio`'s, one a transition
 * on every path.
 */
class dp_penalty {
 public:
  struct state {
    Eigen::VectorXd theta;
    double log_prior;
    /** -1 or 1 for each coordinate; only the guided walk turns them */
    Eigen::VectorXd directions;
  };

  struct info {
    bool accepted;
    double accept_probability;
  };

  dp_penalty(noisy_posterior& posterior, random_bits& bits,
             dp_penalty_options options, double scale, diagonal_metric metric)
      : posterior_(posterior),
        bits_(bits),
        options_(std::move(options)),
        scale_(usable(scale)),
        metric_(std::move(metric)) {
    if (options_.proposal == proposal_kind::fitted && !options_.fit) {
      throw std::invalid_argument(
          "A walk around a fitted Gaussian needs the Gaussian.");
    }
    posterior_.likelihood().set_scales(metric_.scales());
  }

  double stepsize() const { return scale_; }
  void set_stepsize(double scale) { scale_ = usable(scale); }
  const diagonal_metric& metric() const { return metric_; }

  /** The first state: no query. */
  state start(const Eigen::VectorXd& theta) {
    Eigen::VectorXd directions(theta.size());
    for (auto& direction : directions) {
      direction = random_sign(bits_);
    }
    return {theta, posterior_.log_prior(theta), std::move(directions)};
  }

  /** Changes the metric; the state holds nothing that depends on it. */
  state set_metric(diagonal_metric metric, const state& current) {
    metric_ = std::move(metric);
    posterior_.likelihood().set_scales(metric_.scales());
    return current;
  }

  /** One ratio, on every path. */
  std::pair<state, info> transition(const state& current) {
    walk_move move = propose(current);
    const double log_prior = posterior_.log_prior(move.theta);
    const test_result test = decide(current, move, log_prior);
    state next = current;
    if (test.accepted) {
      next.theta = std::move(move.theta);
      next.log_prior = log_prior;
    } else if (options_.proposal == proposal_kind::guided) {
      next.directions(move.coordinate) *= -1;
    }
    return {std::move(next), {test.accepted, test.probability}};
  }

 private:
  double usable(double scale) const {
    return options_.proposal == proposal_kind::fitted
               ? std::min(scale, largest_fitted_scale)
               : scale;
  }

  walk_move propose(const state& current) {
    if (options_.proposal == proposal_kind::fitted) {
      return propose_fitted(bits_, scale_, *options_.fit, current.theta);
    }
    return propose_walk(options_.proposal, bits_, scale_, metric_,
                        current.theta, current.directions);
  }

  test_result decide(const state& current, const walk_move& move,
                     double log_prior) {
    const auto ratio = posterior_.likelihood().log_ratio(
        current.theta, move.theta, options_.ratio_query);
    const penalty_test test{posterior_.tempering()};
    return metropolis(bits_, test.log_probability(move.log_return,
                                                  log_prior - current.log_prior,
                                                  ratio.value, ratio.sd));
  }

  noisy_posterior& posterior_;
  random_bits& bits_;
  dp_penalty_options options_;
  double scale_;
  diagonal_metric metric_;
};

}  // namespace stan_dp
#endif
