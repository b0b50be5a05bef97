#ifndef STAN_DP_ROWS_MODEL_EVALUATOR_HPP
#define STAN_DP_ROWS_MODEL_EVALUATOR_HPP

#include <stan_dp/rows/guarded.hpp>
#include <stan/math/rev/core.hpp>
#include <stan/model/model_base.hpp>
#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <string>

namespace stan_dp {

/**
 * Evaluates models at one point after another: one for each thread.
 *
 * It differentiates the density that NUTS uses, `log_prob_propto_jacobian` on
 * `var`. The constants that this drops do not depend on the parameters. (On
 * `double` it would drop everything.)
 */
class model_evaluator {
 public:
  /**
   * @param model a model with as many parameters as theta has
   * @param theta unconstrained parameters
   * @param[out] value log density with the Jacobian
   * @param[out] gradient where to write its gradient; null if not wanted
   * @param[out] what why it failed; may quote data; null if not wanted
   * @return false if the model threw: value and gradient are then not set
   */
  bool operator()(const stan::model::model_base& model,
                  const Eigen::VectorXd& theta, double& value, double* gradient,
                  std::string* what = nullptr) {
    stan::math::nested_rev_autodiff nested;
    return guarded(
        [&] {
          parameters_.resize(theta.size());
          for (Eigen::Index i = 0; i < theta.size(); ++i) {
            parameters_.coeffRef(i) = leaf(theta.coeff(i));
          }
          stan::math::var density
              = model.log_prob_propto_jacobian(parameters_, nullptr);
          if (gradient != nullptr) {
            density.grad();
            for (Eigen::Index i = 0; i < theta.size(); ++i) {
              gradient[i] = parameters_.coeff(i).adj();
            }
          }
          value = density.val();
        },
        what);
  }

 private:
  /** A parameter has nothing to propagate to: kept off the stack that the
   * reverse pass walks, which would be a virtual call for each. */
  static stan::math::var leaf(double value) {
    return stan::math::var(new stan::math::vari(value, false));
  }

  Eigen::Matrix<stan::math::var, Eigen::Dynamic, 1> parameters_;
};

}  // namespace stan_dp
#endif
