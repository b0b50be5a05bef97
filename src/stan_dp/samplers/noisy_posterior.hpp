#ifndef STAN_DP_SAMPLERS_NOISY_POSTERIOR_HPP
#define STAN_DP_SAMPLERS_NOISY_POSTERIOR_HPP

#include <stan_dp/privacy/private_likelihood.hpp>
#include <stan_dp/samplers/prior_density.hpp>
#include <Eigen/Core>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>

namespace stan_dp {

/** A point with what has been released about the posterior there. */
struct noisy_point {
  Eigen::VectorXd theta;
  /** exact: the prior is public */
  double log_prior = -std::numeric_limits<double>::infinity();
  /** noisy gradient of the log posterior, *with its noise* */
  Eigen::VectorXd gradient;
};

/**
 * The log posterior as a sampler may see it: the exact prior and the noisy,
 * tempered likelihood.
 *
 * All it releases about rows comes from `private_likelihood`; scaling by
 * public numbers and adding the prior is post-processing.
 */
class noisy_posterior {
 public:
  /**
   * @param prior the public part
   * @param likelihood of one chain
   * @param tempering `T` in (0, 1], the power that the likelihood is raised to
   */
  noisy_posterior(const prior_density& prior, private_likelihood& likelihood,
                  double tempering)
      : prior_(prior), likelihood_(likelihood), tempering_(tempering) {
    if (!(tempering > 0 && tempering <= 1)) {
      throw std::invalid_argument("tempering has to be above 0 and at most 1.");
    }
  }

  std::size_t dimension() const { return prior_.dimension(); }
  double tempering() const { return tempering_; }
  private_likelihood& likelihood() { return likelihood_; }

  /** `log p(theta)`; minus infinity where theta is not finite. */
  double log_prior(const Eigen::VectorXd& theta) const {
    Eigen::VectorXd unused;
    return log_prior(theta, unused);
  }

  /**
   * `grad lp_0 + (T / rate) (sum of clipped gradients + noise)`. One query.
   *
   * Where theta is not finite the log prior is minus infinity, the gradient is
   * noise, and the query is charged like any other: how many are spent does not
   * depend on where the chain went.
   */
  noisy_point at(const Eigen::VectorXd& theta, std::size_t query,
                 double rate = 1) {
    noisy_point point;
    point.theta = theta;
    point.log_prior = log_prior(theta, point.gradient);
    point.gradient += (tempering_ / rate) * likelihood_.gradient(theta, query);
    return point;
  }

  /** Standard deviation of the noise in `at(...).gradient`, metric aside. */
  double noise_sd(std::size_t query, double rate = 1) const {
    return (tempering_ / rate) * likelihood_.gradient_noise_sd(query);
  }

 private:
  double log_prior(const Eigen::VectorXd& theta,
                   Eigen::VectorXd& gradient) const {
    if (!theta.allFinite()) {
      gradient = Eigen::VectorXd::Zero(theta.size());
      return -std::numeric_limits<double>::infinity();
    }
    return prior_.log_density(theta, gradient);
  }

  const prior_density& prior_;
  private_likelihood& likelihood_;
  double tempering_;
};

}  // namespace stan_dp
#endif
