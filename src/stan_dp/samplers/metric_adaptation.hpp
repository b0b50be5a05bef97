#ifndef STAN_DP_SAMPLERS_METRIC_ADAPTATION_HPP
#define STAN_DP_SAMPLERS_METRIC_ADAPTATION_HPP

#include <stan_dp/samplers/diagonal_metric.hpp>
#include <Eigen/Core>
#include <cmath>

namespace stan_dp {

/**
 * An inverse metric whose elements have geometric mean one.
 *
 * Only the ratios of an adapted metric matter to the trajectory: the step size
 * takes up the rest. To clipping and noise the overall size does matter, since
 * they live in the metric's coordinates: a metric as small as the posterior
 * would shrink every unit's gradient by the posterior's width and leave the
 * noise as it is. With mean one the clip bound keeps its meaning.
 */
inline diagonal_metric ratio_metric(const Eigen::VectorXd& variances) {
  const Eigen::ArrayXd logs = variances.array().log();
  return diagonal_metric((logs - logs.mean()).exp().matrix());
}

/**
 * Diagonal metric from released draws (Welford's variances), drawn towards
 * equal scales as Stan draws it towards 1e-3, with the weight of five draws.
 */
class metric_adaptation {
 public:
  explicit metric_adaptation(Eigen::Index size)
      : mean_(Eigen::VectorXd::Zero(size)),
        squares_(Eigen::VectorXd::Zero(size)) {}

  void add(const Eigen::VectorXd& theta) {
    ++count_;
    const Eigen::VectorXd difference = theta - mean_;
    mean_ += difference / count_;
    squares_ += difference.cwiseProduct(theta - mean_);
  }

  /**
   * The metric of the window; starts a new one. `current` stays where the draws
   * say nothing (a chain that did not move).
   */
  diagonal_metric finish(const diagonal_metric& current) {
    const diagonal_metric learned = estimate(current);
    mean_.setZero();
    squares_.setZero();
    count_ = 0;
    return learned;
  }

 private:
  diagonal_metric estimate(const diagonal_metric& current) const {
    if (count_ < 2) {
      return current;
    }
    const Eigen::VectorXd variances = squares_ / (count_ - 1);
    if (!variances.allFinite() || (variances.array() <= 0).any()) {
      return current;
    }
    const double common = std::exp(variances.array().log().mean());
    const Eigen::VectorXd shrunk
        = ((count_ * variances.array() + 5 * common) / (count_ + 5)).matrix();
    return shrunk.allFinite() && (shrunk.array() > 0).all()
               ? ratio_metric(shrunk)
               : current;
  }

  Eigen::VectorXd mean_;
  Eigen::VectorXd squares_;
  double count_ = 0;
};

}  // namespace stan_dp
#endif
