#ifndef STAN_DP_SAMPLERS_PRIOR_DENSITY_HPP
#define STAN_DP_SAMPLERS_PRIOR_DENSITY_HPP

#include <Eigen/Core>
#include <cstddef>

namespace stan_dp {

/**
 * The prior on the unconstrained scale, Jacobian included: public, it never
 * saw a row.
 */
class prior_density {
 public:
  virtual ~prior_density() = default;

  /** Number of unconstrained parameters. */
  virtual std::size_t dimension() const = 0;

  /**
   * Log density, up to a constant, and its gradient.
   *
   * Thread safe. Where the model rejects or is not finite the value is minus
   * infinity and the gradient is zero.
   *
   * @param theta unconstrained parameters
   * @param[out] gradient resized and set
   */
  virtual double log_density(const Eigen::VectorXd& theta,
                             Eigen::VectorXd& gradient) const = 0;
};

}  // namespace stan_dp
#endif
