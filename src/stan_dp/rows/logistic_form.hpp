#ifndef STAN_DP_ROWS_LOGISTIC_FORM_HPP
#define STAN_DP_ROWS_LOGISTIC_FORM_HPP

#include <stan_dp/rows/closed_form.hpp>
#include <Eigen/Core>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace stan_dp {
namespace internal {

/** `log inv_logit(eta)`, and `inv_logit(-eta)`, its derivative. */
inline double log_inv_logit(double eta, double& derivative) {
  const double small = std::exp(-std::abs(eta));
  const double inverse = 1 / (1 + small);
  derivative = eta < 0 ? inverse : small * inverse;
  return std::min(eta, 0.0) - std::log1p(small);
}

class logistic_point final : public closed_point {
 public:
  explicit logistic_point(const Eigen::VectorXd& theta) : theta_(theta) {}

  double answer(const double* description, double* gradient) const override {
    const Eigen::Map<const Eigen::VectorXd> slope(description + 1,
                                                  theta_.size());
    double derivative;
    const double value
        = log_inv_logit(description[0] + slope.dot(theta_), derivative);
    if (gradient != nullptr) {
      Eigen::Map<Eigen::VectorXd>(gradient, theta_.size()) = derivative * slope;
    }
    return value;
  }

 private:
  const Eigen::VectorXd& theta_;
};

}  // namespace internal

/**
 * Logistic regression, however it is written: `log inv_logit(a + v' theta)`.
 * An outcome of 0 has the opposite signs. The numbers are a, then v.
 *
 * At zero the log likelihood `l` has the gradient `(1 - e^l) v`: that gives
 * both numbers from one evaluation.
 */
class logistic_form final : public closed_form {
 public:
  /** @param watched invented rows to compare with */
  logistic_form(const stan_units& invented, std::vector<std::size_t> watched)
      : watched_(std::move(watched)),
        probes_(invented.prior(), points(invented.dimension())) {}

  std::size_t size() const override { return probes_[0].size() + 1; }
  const probe_points& probes() const override { return probes_; }
  const std::vector<std::size_t>& watched() const override { return watched_; }

  bool describe(const few_answers& answers,
                double* description) const override {
    const double at_zero = answers.values[0];
    if (!answers.finite() || !(at_zero < 0)) {
      return false;
    }
    const double other = -std::expm1(at_zero);
    Eigen::Map<Eigen::VectorXd> numbers(description, size());
    numbers << at_zero - std::log(other), answers.gradients.col(0) / other;
    for (std::size_t p = 0; p < probes_.size(); ++p) {
      if (!agrees(answers, p, numbers)) {
        return false;
      }
    }
    return true;
  }

  std::unique_ptr<closed_point> at(const Eigen::VectorXd& theta,
                                   bool) const override {
    return std::make_unique<internal::logistic_point>(theta);
  }

 private:
  static std::vector<Eigen::VectorXd> points(std::size_t dimension) {
    auto points = scattered_points(dimension, 3);
    points[0].setZero();
    return points;
  }

  bool agrees(const few_answers& answers, std::size_t p,
              const Eigen::VectorXd& numbers) const {
    Eigen::VectorXd gradient(probes_[p].size());
    const double value = internal::logistic_point(probes_[p])
                             .answer(numbers.data(), gradient.data());
    const double slope = numbers.tail(gradient.size()).norm();
    return std::abs(value - answers.values[p])
               <= form_tolerance
                      * (1 + std::abs(numbers[0]) + slope * probes_[p].norm()
                         + probes_.prior_value(p))
           && (gradient - answers.gradients.col(p)).lpNorm<Eigen::Infinity>()
                  <= form_tolerance * (slope + probes_.prior_gradient(p));
  }

  std::vector<std::size_t> watched_;
  probe_points probes_;
};

}  // namespace stan_dp
#endif
