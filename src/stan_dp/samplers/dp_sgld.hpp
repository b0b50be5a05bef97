#ifndef STAN_DP_SAMPLERS_DP_SGLD_HPP
#define STAN_DP_SAMPLERS_DP_SGLD_HPP

#include <stan_dp/samplers/injected_noise.hpp>
#include <stan_dp/samplers/noisy_posterior.hpp>
#include <stan_dp/samplers/subsample_query.hpp>
#include <Eigen/Core>
#include <cmath>
#include <utility>

namespace stan_dp {

/**
 * Stochastic gradient Langevin dynamics whose Langevin noise is the privacy
 * noise:
 *
 * `theta += (eta/2) [grad lp_0 + (T/q) sum clip] + N(0, eta)`.
 *
 * The injected variance is twice the drift's step. The privacy noise, of
 * standard deviation `z C` on the sum, arrives as `(eta/2)(T/q) z C`; that is
 * all of it when `z = 2q / (sqrt(eta) T C)`, and is topped up when it is less.
 *
 * Privacy: a step is one noisy gradient and post-processing.
 */
class dp_sgld {
 public:
  struct state {
    Eigen::VectorXd theta;
    double log_prior;
  };

  struct info {
    /** false: the step led nowhere (not finite, or outside the prior) */
    bool moved;
  };

  dp_sgld(noisy_posterior& posterior, random_bits& bits)
      : posterior_(posterior), bits_(bits) {}

  /** The first state: no query. */
  state start(const Eigen::VectorXd& theta) const {
    return {theta, posterior_.log_prior(theta)};
  }

  /** One gradient, on every path. */
  std::pair<state, info> transition(const state& current, double stepsize,
                                    subsample_query query) {
    const Eigen::VectorXd gradient
        = posterior_.at(current.theta, query.index, query.rate).gradient;
    const double privacy_sd
        = 0.5 * stepsize * posterior_.noise_sd(query.index, query.rate);
    state next{
        current.theta + 0.5 * stepsize * gradient
            + top_up_noise(bits_, current.theta.size(), stepsize, privacy_sd),
        0};
    next.log_prior = posterior_.log_prior(next.theta);
    if (!std::isfinite(next.log_prior)) {
      return {current, {false}};
    }
    return {std::move(next), {true}};
  }

 private:
  noisy_posterior& posterior_;
  random_bits& bits_;
};

}  // namespace stan_dp
#endif
