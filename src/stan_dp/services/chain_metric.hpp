#ifndef STAN_DP_SERVICES_CHAIN_METRIC_HPP
#define STAN_DP_SERVICES_CHAIN_METRIC_HPP

#include <stan/model/model_base.hpp>
#include <stan_dp/samplers/adapted_chain.hpp>
#include <stan_dp/samplers/diagonal_metric.hpp>
#include <stan_dp/services/check_settings.hpp>
#include <stan_dp/services/private_run.hpp>
#include <stan_dp/services/settings.hpp>
#include <Eigen/Core>
#include <exception>
#include <string>
#include <vector>

namespace stan_dp {

/**
 * The metric that a chain starts with: from a context in CmdStan's format
 * (`inv_metric`, one positive number for each unconstrained parameter), or the
 * identity. What the user gives is taken to be public.
 *
 * @param context may be null
 */
inline diagonal_metric initial_metric(const stan::io::var_context* context,
                                      std::size_t size) {
  if (context == nullptr || !context->contains_r("inv_metric")) {
    return diagonal_metric::unit(size);
  }
  const std::vector<double> values = context->vals_r("inv_metric");
  if (values.size() != size) {
    throw invalid_setting("metric_file has " + std::to_string(values.size())
                          + " elements in inv_metric, and the model has "
                          + std::to_string(size)
                          + " unconstrained parameters: give one for each.");
  }
  return diagonal_metric(
      Eigen::Map<const Eigen::VectorXd>(values.data(), values.size()));
}

/** The metrics of all chains. */
inline std::vector<diagonal_metric> initial_metrics(
    const chain_contexts& contexts, std::size_t num_chains, std::size_t size) {
  std::vector<diagonal_metric> metrics;
  for (std::size_t k = 0; k < num_chains; ++k) {
    metrics.push_back(
        initial_metric(k < contexts.size() ? contexts[k] : nullptr, size));
  }
  return metrics;
}

/** How warm-up tunes, from CmdStan's `adapt` arguments. */
inline adaptation_options make_adaptation(const adapt_settings& s,
                                          metric_kind metric, int num_warmup) {
  adaptation_options options;
  options.engaged = s.engaged && num_warmup > 0;
  options.stepsize = {s.gamma, s.delta, s.kappa, s.t0};
  if (options.engaged && metric == metric_kind::diag_e) {
    options.windows = adaptation_windows(
        num_warmup, static_cast<int>(s.init_buffer),
        static_cast<int>(s.term_buffer), static_cast<int>(s.window));
  }
  return options;
}

}  // namespace stan_dp
#endif
