#ifndef STAN_DP_ROWS_MODEL_FACTORY_HPP
#define STAN_DP_ROWS_MODEL_FACTORY_HPP

#include <stan/io/var_context.hpp>
#include <stan/model/model_base.hpp>
#include <memory>
#include <ostream>

namespace stan_dp {

/** The type of `new_model`, which every compiled Stan program defines. */
using model_factory = stan::model::model_base& (*)(stan::io::var_context&,
                                                   unsigned int, std::ostream*);

/**
 * Constructs a model.
 *
 * The seed, for random numbers in transformed data, is 0 for all: seeding a
 * generator dominates the cost of a small model, and 0 is its cheapest seed.
 * There is no stream: `print` would show rows.
 */
inline std::unique_ptr<stan::model::model_base> make_model(
    model_factory factory, stan::io::var_context& context) {
  return std::unique_ptr<stan::model::model_base>(
      &factory(context, 0, nullptr));
}

}  // namespace stan_dp
#endif
