#ifndef STAN_DP_ROWS_EXPONENTIAL_FORM_HPP
#define STAN_DP_ROWS_EXPONENTIAL_FORM_HPP

#include <stan_dp/rows/closed_form.hpp>
#include <Eigen/Core>
#include <Eigen/QR>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace stan_dp {
namespace internal {

class exponential_point final : public closed_point {
 public:
  explicit exponential_point(few_answers basis) : basis_(std::move(basis)) {}

  double answer(const double* description, double* gradient) const override {
    const Eigen::Index count = basis_.values.size();
    const double* weights = description + 1;
    double value = description[0];
    for (Eigen::Index k = 0; k < count; ++k) {
      value += weights[k] * basis_.values[k];
    }
    if (gradient != nullptr) {
      const Eigen::Index d = basis_.gradients.rows();
      Eigen::Map<Eigen::VectorXd> sum(gradient, d);
      sum = weights[0] * basis_.gradients.col(0);
      for (Eigen::Index k = 1; k < count; ++k) {
        sum += weights[k] * basis_.gradients.col(k);
      }
    }
    return value;
  }

 private:
  few_answers basis_;
};

}  // namespace internal

/**
 * An exponential family with few statistics: Gaussians, counts, proportions,
 * few covariates or few distinct rows.
 *
 * `l_i(theta) = c_i + sum_k w_ik phi_k(theta)`, where the `phi_k` are the log
 * likelihoods of invented rows whose gradients are linearly independent. A
 * unit's numbers are its c, then its w, found by least squares; the models of
 * these invented rows are evaluated once for a sweep.
 */
class exponential_form final : public closed_form {
 public:
  /**
   * @param invented outlives this
   * @param basis invented rows that span the others
   * @param watched the others
   * @param probes enough to find the weights, and more
   */
  exponential_form(const stan_units& invented, std::vector<std::size_t> basis,
                   std::vector<std::size_t> watched, probe_points probes)
      : invented_(invented),
        basis_(std::move(basis)),
        watched_(std::move(watched)),
        probes_(std::move(probes)),
        values_(probes_.size(), basis_.size()),
        gradients_(invented.dimension() * probes_.size(), basis_.size()) {
    const auto d = static_cast<Eigen::Index>(invented.dimension());
    for (std::size_t p = 0; p < probes_.size(); ++p) {
      const auto answers = ask_models(invented_, basis_, probes_[p]);
      values_.row(p) = answers.values;
      gradients_.middleRows(d * p, d) = answers.gradients;
    }
    solve_ = gradients_.completeOrthogonalDecomposition().pseudoInverse();
  }

  std::size_t size() const override { return basis_.size() + 1; }
  const probe_points& probes() const override { return probes_; }
  const std::vector<std::size_t>& watched() const override { return watched_; }

  bool describe(const few_answers& answers,
                double* description) const override {
    if (!answers.finite()) {
      return false;
    }
    const Eigen::Map<const Eigen::VectorXd> wanted(answers.gradients.data(),
                                                   gradients_.rows());
    Eigen::Map<Eigen::VectorXd> weights(description + 1, basis_.size());
    weights.noalias() = solve_ * wanted;
    description[0] = answers.values[0] - values_.row(0).dot(weights);
    const Eigen::VectorXd found = gradients_ * weights;
    const Eigen::VectorXd size = gradients_.cwiseAbs() * weights.cwiseAbs();
    const auto d = answers.gradients.rows();
    for (std::size_t p = 0; p < probes_.size(); ++p) {
      const double value = description[0] + values_.row(p).dot(weights);
      const double value_size
          = std::abs(description[0])
            + values_.row(p).cwiseAbs().dot(weights.cwiseAbs())
            + probes_.prior_value(p);
      const double gradient_size
          = size.segment(d * p, d).maxCoeff() + probes_.prior_gradient(p);
      const double error
          = (found - wanted).segment(d * p, d).lpNorm<Eigen::Infinity>();
      if (!(std::abs(value - answers.values[p]) <= form_tolerance * value_size
            && error <= form_tolerance * gradient_size)) {
        return false;
      }
    }
    return true;
  }

  std::unique_ptr<closed_point> at(const Eigen::VectorXd& theta,
                                   bool gradients) const override {
    auto basis = ask_models(invented_, basis_, theta, gradients);
    if (!basis.finite()) {
      return nullptr;
    }
    return std::make_unique<internal::exponential_point>(std::move(basis));
  }

 private:
  const stan_units& invented_;
  std::vector<std::size_t> basis_;
  std::vector<std::size_t> watched_;
  probe_points probes_;
  /** of the basis: a row for each probe */
  Eigen::MatrixXd values_;
  /** of the basis: `dimension` rows for each probe */
  Eigen::MatrixXd gradients_;
  Eigen::MatrixXd solve_;
};

}  // namespace stan_dp
#endif
