#ifndef STAN_DP_SERVICES_MODEL_PRIOR_HPP
#define STAN_DP_SERVICES_MODEL_PRIOR_HPP

#include <stan_dp/rows/model_evaluator.hpp>
#include <stan_dp/samplers/prior_density.hpp>
#include <stan/model/model_base.hpp>
#include <cmath>
#include <cstddef>
#include <limits>

namespace stan_dp {

/**
 * The prior as a Stan model that was built with no rows.
 *
 * It is evaluated as units are; what the model prints goes nowhere.
 */
class model_prior final : public prior_density {
 public:
  /** @param model built with `N = 0`; outlives this */
  explicit model_prior(const stan::model::model_base& model) : model_(model) {}

  std::size_t dimension() const override { return model_.num_params_r(); }

  double log_density(const Eigen::VectorXd& theta,
                     Eigen::VectorXd& gradient) const override {
    gradient.resize(theta.size());
    double value = 0;
    model_evaluator evaluate;
    if (!evaluate(model_, theta, value, gradient.data())) {
      return rejected(gradient);
    }
    return std::isfinite(value) && gradient.allFinite() ? value
                                                        : rejected(gradient);
  }

 private:
  static double rejected(Eigen::VectorXd& gradient) {
    gradient.setZero();
    return -std::numeric_limits<double>::infinity();
  }

  const stan::model::model_base& model_;
};

}  // namespace stan_dp
#endif
