#ifndef STAN_DP_SAMPLERS_DP_HMC_HPP
#define STAN_DP_SAMPLERS_DP_HMC_HPP

#include <stan_dp/samplers/diagonal_metric.hpp>
#include <stan_dp/samplers/noisy_leapfrog.hpp>
#include <stan_dp/samplers/noisy_posterior.hpp>
#include <stan_dp/samplers/penalty_test.hpp>
#include <cmath>
#include <cstddef>
#include <utility>

namespace stan_dp {

/** What dp_hmc is told before it starts. */
struct dp_hmc_options {
  int num_leapfrog;
  double stepsize_jitter;
  /** indices of the planned mechanisms */
  std::size_t gradient_query;
  std::size_t ratio_query;
};

/**
 * Hamiltonian Monte Carlo with noisy gradients and the penalty test.
 *
 * The state is `(theta, g~(theta))`: the noisy gradient at theta, with its
 * noise, is kept at a rejection and replaced by the trajectory's last one at an
 * acceptance. On the space of position, momentum and the `L + 1` noises, the
 * map "leapfrog, turn the momentum, reverse the order of the noises" is an
 * involution that keeps volume and the density of the noises, so the penalty
 * test makes the chain exact (Raisa, Koskela and Honkela 2021, theorems 4.6
 * and 4.7, for a version that queries both ends anew). `k` transitions
 * cost `k` ratios and `k L + 1` gradients.
 *
 * Privacy: all that is read of the data are the answers of
 * `private_likelihood`, and their number is the same on every path.
 */
class dp_hmc {
 public:
  using state = noisy_point;

  struct info {
    bool accepted;
    double accept_probability;
    double stepsize;
    /** `kinetic - log prior` where the chain now is: the likelihood is not in
     * it, nobody has seen that */
    double energy;
  };

  dp_hmc(noisy_posterior& posterior, random_bits& bits, dp_hmc_options options,
         double stepsize, diagonal_metric metric)
      : posterior_(posterior),
        bits_(bits),
        options_(options),
        stepsize_(stepsize),
        metric_(std::move(metric)) {
    posterior_.likelihood().set_scales(metric_.scales());
  }

  double stepsize() const { return stepsize_; }
  void set_stepsize(double stepsize) { stepsize_ = stepsize; }
  const diagonal_metric& metric() const { return metric_; }

  /** The first state: one gradient. */
  state start(const Eigen::VectorXd& theta) {
    return posterior_.at(theta, options_.gradient_query);
  }

  /**
   * Changes the metric, and with it the geometry of clipping and noise: the
   * gradient that the state carries has the noise of the old one, so this costs
   * a fresh gradient.
   */
  state set_metric(diagonal_metric metric, const state& current) {
    metric_ = std::move(metric);
    posterior_.likelihood().set_scales(metric_.scales());
    return start(current.theta);
  }

  /** `num_leapfrog` gradients and one ratio, on every path. */
  std::pair<state, info> transition(const state& current) {
    const double stepsize = jittered_stepsize();
    const phase_point begin{current, metric_.momentum(bits_)};
    phase_point end
        = noisy_leapfrog(posterior_, metric_, stepsize, options_.num_leapfrog,
                         options_.gradient_query, begin);
    const double before = metric_.kinetic_energy(begin.momentum);
    const double after = metric_.kinetic_energy(end.momentum);
    const test_result test = decide(current, end, before - after);
    if (test.accepted) {
      const double energy = after - end.position.log_prior;
      return {std::move(end.position),
              {true, test.probability, stepsize, energy}};
    }
    return {current,
            {false, test.probability, stepsize, before - current.log_prior}};
  }

 private:
  double jittered_stepsize() {
    return stepsize_
           * (1 + options_.stepsize_jitter * (2 * uniform(bits_) - 1));
  }

  test_result decide(const state& current, const phase_point& end,
                     double kinetic_drop) {
    const auto ratio = posterior_.likelihood().log_ratio(
        current.theta, end.position.theta, options_.ratio_query);
    const penalty_test test{posterior_.tempering()};
    return metropolis(
        bits_, test.log_probability(kinetic_drop,
                                    end.position.log_prior - current.log_prior,
                                    ratio.value, ratio.sd));
  }

  noisy_posterior& posterior_;
  random_bits& bits_;
  dp_hmc_options options_;
  double stepsize_;
  diagonal_metric metric_;
};

}  // namespace stan_dp
#endif
