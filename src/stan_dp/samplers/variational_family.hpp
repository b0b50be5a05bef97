#ifndef STAN_DP_SAMPLERS_VARIATIONAL_FAMILY_HPP
#define STAN_DP_SAMPLERS_VARIATIONAL_FAMILY_HPP

#include <Eigen/Core>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace stan_dp {

enum class variational_kind { mean_field, full_rank };

/**
 * A Gaussian `theta = mu + L eps`, `eps ~ N(0, I)`, on the unconstrained scale.
 *
 * `L = diag(exp(omega)) U`: `exp(omega)` is the diagonal of L, and U is lower
 * triangular with ones on its diagonal, the identity for mean field. So every
 * element of L is measured by the scale of its row, and one step size fits all.
 *
 * The parameters stand in one vector: mu, omega, then the rows of U below the
 * diagonal. An optimizer and an average of iterates need to know no more.
 */
class variational_family {
 public:
  /** Independent coordinates around `mean`, all of one scale. */
  variational_family(variational_kind kind, const Eigen::VectorXd& mean,
                     double scale)
      : kind_(kind),
        dimension_(mean.size()),
        parameters_(Eigen::VectorXd::Zero(size(kind, mean.size()))) {
    if (!(scale > 0 && std::isfinite(scale))) {
      throw std::invalid_argument(
          "The first scale of an approximation must be finite and above zero.");
    }
    parameters_.head(dimension_) = mean;
    parameters_.segment(dimension_, dimension_).setConstant(std::log(scale));
  }

  Eigen::Index dimension() const { return dimension_; }
  variational_kind kind() const { return kind_; }
  const Eigen::VectorXd& parameters() const { return parameters_; }

  /** @param parameters of the same number as before */
  void set_parameters(Eigen::VectorXd parameters) {
    if (parameters.size() != parameters_.size()) {
      throw std::invalid_argument(
          "The approximation has another number of parameters.");
    }
    parameters_ = std::move(parameters);
  }

  Eigen::VectorXd mean() const { return parameters_.head(dimension_); }

  /** The diagonal of L. */
  Eigen::VectorXd diagonal() const { return omega().array().exp(); }

  /** L */
  Eigen::MatrixXd factor() const { return diagonal().asDiagonal() * shape(); }

  /** Standard deviation of each coordinate: the norms of the rows of L. */
  Eigen::VectorXd scales() const { return factor().rowwise().norm(); }

  /** `mu + L eps` */
  Eigen::VectorXd transform(const Eigen::VectorXd& eps) const {
    return mean() + diagonal().cwiseProduct(shaped(eps));
  }

  /**
   * Gradient of `E log p(theta) + entropy` with respect to the parameters, as
   * one draw of eps sees it: for `g = d log p / d theta` at `transform(eps)`,
   *
   * `d mu = g`, `d omega = g . L eps + 1`, `d U_jk = g_j exp(omega_j) eps_k`;
   *
   * the 1 is the entropy's, `log det L = sum(omega)`. All of it is a function
   * of the d numbers in `g`: nothing more about the data has to be released,
   * and full rank costs what mean field costs.
   */
  Eigen::VectorXd gradient(const Eigen::VectorXd& eps,
                           const Eigen::VectorXd& g) const {
    Eigen::VectorXd result(parameters_.size());
    const Eigen::VectorXd scaled = g.cwiseProduct(diagonal());
    result.head(dimension_) = g;
    result.segment(dimension_, dimension_)
        = scaled.cwiseProduct(shaped(eps)).array() + 1.0;
    if (kind_ == variational_kind::full_rank) {
      for (Eigen::Index j = 1; j < dimension_; ++j) {
        result.segment(row_start(j), j) = scaled[j] * eps.head(j);
      }
    }
    return result;
  }

 private:
  static Eigen::Index size(variational_kind kind, Eigen::Index d) {
    return 2 * d + (kind == variational_kind::full_rank ? d * (d - 1) / 2 : 0);
  }

  Eigen::Index row_start(Eigen::Index j) const {
    return 2 * dimension_ + j * (j - 1) / 2;
  }

  Eigen::VectorXd omega() const {
    return parameters_.segment(dimension_, dimension_);
  }

  /** U */
  Eigen::MatrixXd shape() const {
    Eigen::MatrixXd u = Eigen::MatrixXd::Identity(dimension_, dimension_);
    if (kind_ == variational_kind::full_rank) {
      for (Eigen::Index j = 1; j < dimension_; ++j) {
        u.row(j).head(j) = parameters_.segment(row_start(j), j);
      }
    }
    return u;
  }

  /** `U eps` */
  Eigen::VectorXd shaped(const Eigen::VectorXd& eps) const {
    Eigen::VectorXd result = eps;
    if (kind_ == variational_kind::full_rank) {
      for (Eigen::Index j = 1; j < dimension_; ++j) {
        result[j] += parameters_.segment(row_start(j), j).dot(eps.head(j));
      }
    }
    return result;
  }

  variational_kind kind_;
  Eigen::Index dimension_;
  Eigen::VectorXd parameters_;
};

}  // namespace stan_dp
#endif
