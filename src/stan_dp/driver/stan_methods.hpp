#ifndef STAN_DP_DRIVER_STAN_METHODS_HPP
#define STAN_DP_DRIVER_STAN_METHODS_HPP

#include <stan_dp/driver/argument.hpp>
#include <stan_dp/driver/contexts.hpp>
#include <stan_dp/driver/csv_writer.hpp>
#include <stan/callbacks/interrupt.hpp>
#include <stan/callbacks/json_writer.hpp>
#include <stan/callbacks/logger.hpp>
#include <stan/model/model_base.hpp>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace stan_dp {

/** Frees nothing: the stream belongs to somebody else. */
struct not_owned {
  void operator()(std::ostream*) const {}
};
using metric_writer = stan::callbacks::json_writer<std::ostream, not_owned>;

/** What a method writes, for each chain; files are open from the start. */
struct method_outputs {
  std::vector<csv_writer> draws;
  std::vector<csv_writer> diagnostics;
  std::vector<metric_writer> metrics;
};

/** What a method gets beside its arguments and its model. */
struct method_inputs {
  unsigned int seed;
  unsigned int id;
  unsigned int num_chains;
  double init_radius;
  std::vector<context_pointer> inits;
};

/**
 * Runs one of Stan's own methods with Stan's own services: what CmdStan calls,
 * with the same arguments, and so the same draws.
 *
 * In a translation unit of its own: it is what takes long to compile, and it
 * does not change.
 *
 * @return Stan's error code
 * @throws std::invalid_argument if arguments contradict each other
 */
int run_stan_method(const argument_tree& arguments,
                    stan::model::model_base& model, const method_inputs& inputs,
                    stan::callbacks::interrupt& interrupt,
                    stan::callbacks::logger& logger, method_outputs& outputs);

}  // namespace stan_dp
#endif
