#ifndef STAN_DP_SAMPLERS_DP_SGHMC_HPP
#define STAN_DP_SAMPLERS_DP_SGHMC_HPP

#include <stan_dp/samplers/injected_noise.hpp>
#include <stan_dp/samplers/noisy_posterior.hpp>
#include <stan_dp/samplers/subsample_query.hpp>
#include <Eigen/Core>
#include <cmath>
#include <utility>

namespace stan_dp {

/**
 * Stochastic gradient Hamiltonian Monte Carlo with friction (Chen, Fox and
 * Guestrin 2014):
 *
 * `p += eta [grad lp_0 + (T/q) sum clip] - eta F p + N(0, 2 F eta)`,
 * `theta += eta p`.
 *
 * The privacy noise, `eta (T/q) z C` in the momentum, is part of the injected
 * noise; the rest is topped up. A transition is `num_leapfrog` such steps after
 * a fresh momentum. The first of them moves the momentum by half a step, as
 * leapfrog does: a fresh momentum belongs to the same time as its position, and
 * full steps after each refreshment would sample at the temperature
 * `J / (J + 1)`, however small `eta` is.
 *
 * Privacy: a step is one noisy gradient and post-processing; a transition makes
 * `num_leapfrog` of them on every path.
 */
class dp_sghmc {
 public:
  struct state {
    Eigen::VectorXd theta;
    double log_prior;
  };

  struct info {
    /** false: the trajectory led nowhere (not finite, or outside the prior) */
    bool moved;
    /** `p'p/2 - log prior` where the chain now is */
    double energy;
  };

  dp_sghmc(noisy_posterior& posterior, random_bits& bits, int num_leapfrog,
           double friction)
      : posterior_(posterior),
        bits_(bits),
        num_leapfrog_(num_leapfrog),
        friction_(friction) {}

  /** The first state: no query. */
  state start(const Eigen::VectorXd& theta) const {
    return {theta, posterior_.log_prior(theta)};
  }

  /** `num_leapfrog` gradients, on every path. */
  std::pair<state, info> transition(const state& current, double stepsize,
                                    subsample_query query) {
    const auto size = current.theta.size();
    const double noise_sd = posterior_.noise_sd(query.index, query.rate);
    const Eigen::VectorXd refreshed = normal_vector(bits_, size);
    Eigen::VectorXd p = refreshed;
    state next = current;
    for (int step = 0; step < num_leapfrog_; ++step) {
      const Eigen::VectorXd gradient
          = posterior_.at(next.theta, query.index, query.rate).gradient;
      const double kick = step == 0 ? 0.5 * stepsize : stepsize;
      p += kick * gradient - kick * friction_ * p
           + top_up_noise(bits_, size, 2 * friction_ * kick, kick * noise_sd);
      next.theta += stepsize * p;
    }
    next.log_prior = posterior_.log_prior(next.theta);
    if (!std::isfinite(next.log_prior)) {
      return {current,
              {false, 0.5 * refreshed.squaredNorm() - current.log_prior}};
    }
    const double energy = 0.5 * p.squaredNorm() - next.log_prior;
    return {std::move(next), {true, energy}};
  }

 private:
  noisy_posterior& posterior_;
  random_bits& bits_;
  int num_leapfrog_;
  double friction_;
};

}  // namespace stan_dp
#endif
