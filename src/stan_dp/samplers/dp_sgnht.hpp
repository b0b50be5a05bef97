#ifndef STAN_DP_SAMPLERS_DP_SGNHT_HPP
#define STAN_DP_SAMPLERS_DP_SGNHT_HPP

#include <stan_dp/samplers/injected_noise.hpp>
#include <stan_dp/samplers/noisy_posterior.hpp>
#include <stan_dp/samplers/sg_noise.hpp>
#include <stan_dp/samplers/subsample_query.hpp>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>

namespace stan_dp {

/**
 * Stochastic gradient Nose-Hoover thermostat (Ding et al. 2014): the friction
 * is found by holding the kinetic energy at its mean, whatever noise the
 * gradients have.
 *
 * With `a = eta zeta`: `p += eta g~ - a p`, `theta += eta p`,
 * `a += kappa (p'p / d - 1)`, not above a bound. The injected noise has
 * variance `2 a_0`, all of it privacy noise where `a_0 = eta^2 (z T C / q)^2 /
 * 2`.
 *
 * Privacy: a transition is one noisy gradient and post-processing.
 */
class dp_sgnht {
 public:
  struct state {
    Eigen::VectorXd theta;
    double log_prior;
    Eigen::VectorXd momentum;
    /** `a`, the friction of a step */
    double thermostat;
  };

  struct info {
    /** false: the step led nowhere (not finite, or outside the prior) */
    bool moved;
    /** `p'p/2 - log prior` where the chain now is */
    double energy;
  };

  /**
   * @param thermostat `a_0`, where the thermostat starts: half the variance
   * that a step injects into the momentum
   * @param most_friction bound on `a`, see `sgnht_most_friction`; at 1 a step
   * takes out all of the momentum
   */
  dp_sgnht(noisy_posterior& posterior, random_bits& bits, double stepsize,
           double thermostat, double most_friction = 1)
      : posterior_(posterior),
        bits_(bits),
        stepsize_(stepsize),
        thermostat_(thermostat),
        most_friction_(most_friction) {}

  /** The first state: no query. */
  state start(const Eigen::VectorXd& theta) const {
    return restart(theta, posterior_.log_prior(theta));
  }

  /** One gradient, on every path. */
  std::pair<state, info> transition(const state& current,
                                    subsample_query query) {
    const auto size = current.theta.size();
    const double privacy_sd
        = stepsize_ * posterior_.noise_sd(query.index, query.rate);
    const Eigen::VectorXd gradient
        = posterior_.at(current.theta, query.index, query.rate).gradient;
    state next = current;
    next.momentum += stepsize_ * gradient - current.thermostat * next.momentum
                     + top_up_noise(bits_, size, 2 * thermostat_, privacy_sd);
    next.theta += stepsize_ * next.momentum;
    const double square = next.momentum.squaredNorm();
    next.thermostat = std::min(
        next.thermostat + sgnht_gain * (square / size - 1), most_friction_);
    next.log_prior = posterior_.log_prior(next.theta);
    const bool moved = std::isfinite(next.log_prior) && std::isfinite(square);
    if (!moved) {
      next = restart(current.theta, current.log_prior);
    }
    const double energy = 0.5 * next.momentum.squaredNorm() - next.log_prior;
    return {std::move(next), {moved, energy}};
  }

 private:
  /** A fresh momentum, the thermostat where it began. */
  state restart(const Eigen::VectorXd& theta, double log_prior) const {
    return {theta, log_prior, normal_vector(bits_, theta.size()), thermostat_};
  }

  noisy_posterior& posterior_;
  random_bits& bits_;
  double stepsize_;
  double thermostat_;
  double most_friction_;
};

}  // namespace stan_dp
#endif
