#ifndef STAN_DP_ROWS_MODEL_EVALUATOR_HPP
#define STAN_DP_ROWS_MODEL_EVALUATOR_HPP

#include <stan_dp/rows/guarded.hpp>
#include <stan/math/rev/core.hpp>
#include <stan/model/model_base.hpp>
#include <Eigen/Core>
#include <string>

namespace stan_dp {

/**
 * Evaluates models at one point, one model after another. It lives on the
 * autodiff stack of the thread that made it.
 *
 * It differentiates the density that NUTS uses, `log_prob_propto_jacobian` on
 * `var`. The constants that this drops do not depend on the parameters. (On
 * `double` it would drop everything.)
 */
class model_evaluator {
 public:
  /** @param theta unconstrained parameters */
  explicit model_evaluator(const Eigen::VectorXd& theta)
      : parameters_(theta.size()) {
    for (Eigen::Index i = 0; i < theta.size(); ++i) {
      // A parameter has nothing to propagate to: kept off the stack that the
      // reverse pass walks, which would be a virtual call for each.
      parameters_.coeffRef(i)
          = stan::math::var(new stan::math::vari(theta.coeff(i), false));
    }
  }

  /**
   * @param model a model with as many parameters as theta has
   * @param[out] value log density with the Jacobian
   * @param[out] gradient where to write its gradient; null if not wanted
   * @param[out] what why it failed; may quote data; null if not wanted
   * @return false if the model threw: value and gradient are then not set
   */
  bool operator()(const stan::model::model_base& model, double& value,
                  double* gradient, std::string* what = nullptr) {
    const stan::math::nested_rev_autodiff one_model;
    const bool ok = guarded(
        [&] {
          const stan::math::var density
              = model.log_prob_propto_jacobian(parameters_, nullptr);
          value = density.val();
          if (gradient != nullptr) {
            stan::math::grad(density.vi_);
          }
        },
        what);
    if (gradient != nullptr) {
      take_adjoints(gradient);
    }
    return ok;
  }

 private:
  /** Reads the gradient, and makes the parameters ready for the next model. */
  void take_adjoints(double* gradient) {
    for (Eigen::Index i = 0; i < parameters_.size(); ++i) {
      double& adjoint = parameters_.coeffRef(i).vi_->adj_;
      gradient[i] = adjoint;
      adjoint = 0;
    }
  }

  /** Held here so that each evaluation has it for nothing. */
  const internal::arithmetic_guard guard_;
  /** Frees the parameters at the end. */
  const stan::math::nested_rev_autodiff point_;
  Eigen::Matrix<stan::math::var, Eigen::Dynamic, 1> parameters_;
};

}  // namespace stan_dp
#endif
