#ifndef STAN_DP_SERVICES_DRAW_VALUES_HPP
#define STAN_DP_SERVICES_DRAW_VALUES_HPP

#include <stan/model/model_base.hpp>
#include <stan/services/util/create_rng.hpp>
#include <Eigen/Core>
#include <cstddef>
#include <exception>
#include <limits>
#include <string>
#include <vector>

namespace stan_dp {

/**
 * A draw as it is written: constrained parameters, transformed parameters and
 * generated quantities, all from the prior model. Nothing that a row touched is
 * in it.
 *
 * Blocks that throw are written as NaN: with no rows a `mean` of nothing may
 * well throw, and the draw is worth keeping.
 */
class draw_values {
 public:
  /** @param model built with `N = 0`; outlives this */
  draw_values(const stan::model::model_base& model, stan::rng_t rng)
      : model_(model), rng_(rng) {
    model_.constrained_param_names(names_, true, true);
  }

  const std::vector<std::string>& names() const { return names_; }

  /** Appends the values of theta to `row`; as many as there are names. */
  void append(const Eigen::VectorXd& theta, std::vector<double>& row) {
    const std::size_t size = row.size() + names_.size();
    const Eigen::VectorXd values = computed(theta);
    row.insert(row.end(), values.data(), values.data() + values.size());
    row.resize(size, std::numeric_limits<double>::quiet_NaN());
  }

 private:
  /** As many blocks as can be computed. */
  Eigen::VectorXd computed(const Eigen::VectorXd& theta) {
    Eigen::VectorXd values;
    for (const int blocks : {3, 2, 1}) {
      try {
        Eigen::VectorXd parameters = theta;
        model_.write_array(rng_, parameters, values, blocks > 1, blocks > 2,
                           nullptr);
        return values;
      } catch (const std::exception&) {
        values.resize(0);
      }
    }
    return values;
  }

  const stan::model::model_base& model_;
  stan::rng_t rng_;
  std::vector<std::string> names_;
};

}  // namespace stan_dp
#endif
