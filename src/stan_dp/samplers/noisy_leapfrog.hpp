#ifndef STAN_DP_SAMPLERS_NOISY_LEAPFROG_HPP
#define STAN_DP_SAMPLERS_NOISY_LEAPFROG_HPP

#include <stan_dp/samplers/diagonal_metric.hpp>
#include <stan_dp/samplers/noisy_posterior.hpp>
#include <Eigen/Core>
#include <cstddef>

namespace stan_dp {

/** Where a trajectory is. */
struct phase_point {
  noisy_point position;
  Eigen::VectorXd momentum;
};

/**
 * `steps` leapfrog steps with noisy gradients: always `steps` queries.
 *
 * The first half step uses the gradient that `from` carries, with its noise.
 * With the momentum turned and the noises in reverse order the same steps lead
 * back, and volume is kept: as far as the Metropolis test is concerned the
 * noises are fixed numbers (Raisa et al. 2021, theorem 4.6). A theta that
 * overflows stays so to the end, where the test rejects it.
 */
inline phase_point noisy_leapfrog(noisy_posterior& posterior,
                                  const diagonal_metric& metric,
                                  double stepsize, int steps, std::size_t query,
                                  phase_point from) {
  for (int step = 0; step < steps; ++step) {
    from.momentum += 0.5 * stepsize * from.position.gradient;
    from.position = posterior.at(
        from.position.theta + stepsize * metric.velocity(from.momentum), query);
    from.momentum += 0.5 * stepsize * from.position.gradient;
  }
  return from;
}

}  // namespace stan_dp
#endif
