#ifndef STAN_DP_SAMPLERS_OPTIMIZER_HPP
#define STAN_DP_SAMPLERS_OPTIMIZER_HPP

#include <stan_dp/samplers/optimizer_kind.hpp>
#include <Eigen/Core>
#include <cmath>
#include <stdexcept>

namespace stan_dp {

/**
 * Turns stochastic gradients into steps uphill.
 *
 * Adam (Kingma and Ba 2015): `eta t^(-1/2) m / sqrt(v)`, where m is a moving
 * average of gradients with weight 0.9 and v one of their squares with weight
 * `1 - t^(-4/5)` (Shazeer and Stern 2018): its memory grows with the run, so
 * that the large gradients of the first steps are forgotten in a short run and
 * v is steady at the end of a long one.
 *
 * AdaGrad (Duchi, Hazan and Singer 2011): `eta g / sqrt(sum of squares)`.
 *
 * In both a step is about `eta t^(-1/2)`, whatever the gradient's unit.
 */
class optimizer {
 public:
  /** @param eta finite and above zero */
  optimizer(optimizer_kind kind, double eta, Eigen::Index size)
      : kind_(kind),
        eta_(eta),
        first_(Eigen::VectorXd::Zero(size)),
        second_(Eigen::VectorXd::Zero(size)) {
    if (!(eta > 0 && std::isfinite(eta))) {
      throw std::invalid_argument("eta must be finite and above zero.");
    }
  }

  /** The step for a finite gradient. */
  Eigen::VectorXd step(const Eigen::VectorXd& gradient) {
    ++count_;
    return kind_ == optimizer_kind::adam ? adam(gradient) : adagrad(gradient);
  }

 private:
  Eigen::VectorXd adam(const Eigen::VectorXd& gradient) {
    constexpr double kept = 0.9;
    const double fresh = std::pow(count_, -0.8);
    first_ += (1 - kept) * (gradient - first_);
    second_ += fresh * (gradient.cwiseAbs2() - second_);
    const double unbiased = 1 - std::pow(kept, count_);
    return scaled(first_ / unbiased, eta_ / std::sqrt(count_));
  }

  Eigen::VectorXd adagrad(const Eigen::VectorXd& gradient) {
    second_ += gradient.cwiseAbs2();
    return scaled(gradient, eta_);
  }

  /** The smallest number keeps a coordinate that never moved at zero. */
  Eigen::VectorXd scaled(const Eigen::VectorXd& direction, double eta) const {
    return (eta * direction.array() / (second_.array().sqrt() + 1e-300))
        .matrix();
  }

  optimizer_kind kind_;
  double eta_;
  Eigen::VectorXd first_;
  Eigen::VectorXd second_;
  double count_ = 0;
};

}  // namespace stan_dp
#endif
