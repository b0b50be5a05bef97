#ifndef STAN_DP_SAMPLERS_GAUSSIAN_FIT_HPP
#define STAN_DP_SAMPLERS_GAUSSIAN_FIT_HPP

#include <Eigen/Core>

namespace stan_dp {

/**
 * A Gaussian `mean + factor eps`, `eps ~ N(0, I)`, that was fitted to a
 * posterior before the chains began; all of it is released.
 */
struct gaussian_fit {
  Eigen::VectorXd mean;
  /** lower triangular, with a positive diagonal */
  Eigen::MatrixXd factor;

  Eigen::VectorXd transform(const Eigen::VectorXd& eps) const {
    return mean + factor.triangularView<Eigen::Lower>() * eps;
  }

  /** The eps that `transform` takes to theta. */
  Eigen::VectorXd standardise(const Eigen::VectorXd& theta) const {
    return factor.triangularView<Eigen::Lower>().solve(theta - mean);
  }

  /** Standard deviation of each coordinate. */
  Eigen::VectorXd scales() const { return factor.rowwise().norm(); }
};

}  // namespace stan_dp
#endif
