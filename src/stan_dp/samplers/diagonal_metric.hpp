#ifndef STAN_DP_SAMPLERS_DIAGONAL_METRIC_HPP
#define STAN_DP_SAMPLERS_DIAGONAL_METRIC_HPP

#include <stan_dp/privacy/random_bits.hpp>
#include <stan_dp/samplers/random_vector.hpp>
#include <Eigen/Core>
#include <stdexcept>
#include <utility>

namespace stan_dp {

/**
 * A diagonal mass matrix `M`, kept as its inverse, as in Stan.
 *
 * `scales`, the square root of the inverse, is what `private_likelihood` takes:
 * clipping and noise live in `phi = theta / scales`.
 */
class diagonal_metric {
 public:
  /** @throws std::invalid_argument if an element is not positive and finite */
  explicit diagonal_metric(Eigen::VectorXd inverse)
      : inverse_(std::move(inverse)), scales_(inverse_.cwiseSqrt()) {
    if (!inverse_.allFinite() || (inverse_.array() <= 0).any()) {
      throw std::invalid_argument(
          "The inverse metric has an element that is not positive and finite:"
          " give positive numbers.");
    }
  }

  /** The identity. */
  static diagonal_metric unit(Eigen::Index size) {
    return diagonal_metric(Eigen::VectorXd::Ones(size));
  }

  const Eigen::VectorXd& inverse() const { return inverse_; }
  const Eigen::VectorXd& scales() const { return scales_; }

  /** `p ~ N(0, M)` */
  Eigen::VectorXd momentum(random_bits& bits) const {
    return normal_vector(bits, scales_.size()).cwiseQuotient(scales_);
  }

  /** `M^-1 p` */
  Eigen::VectorXd velocity(const Eigen::VectorXd& p) const {
    return inverse_.cwiseProduct(p);
  }

  /** `p' M^-1 p / 2` */
  double kinetic_energy(const Eigen::VectorXd& p) const {
    return 0.5 * scales_.cwiseProduct(p).squaredNorm();
  }

 private:
  Eigen::VectorXd inverse_;
  Eigen::VectorXd scales_;
};

}  // namespace stan_dp
#endif
