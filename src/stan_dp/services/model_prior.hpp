#ifndef STAN_DP_SERVICES_MODEL_PRIOR_HPP
#define STAN_DP_SERVICES_MODEL_PRIOR_HPP

#include <stan/model/model_base.hpp>
#include <stan_dp/samplers/prior_density.hpp>
#include <stan/math/rev/core.hpp>
#include <cmath>
#include <cstddef>
#include <exception>
#include <limits>

namespace stan_dp {

/**
 * The prior as a Stan model that was built with no rows.
 *
 * The path is the one that NUTS takes: `log_prob_propto_jacobian` on `var`.
 * What the model prints goes nowhere.
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
    try {
      const stan::math::nested_rev_autodiff nested;
      Eigen::Matrix<stan::math::var, Eigen::Dynamic, 1> parameters = theta;
      stan::math::var lp = model_.log_prob_propto_jacobian(parameters, nullptr);
      lp.grad();
      value = lp.val();
      gradient = parameters.adj();
    } catch (const std::exception&) {
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
