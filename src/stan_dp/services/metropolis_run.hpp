#ifndef STAN_DP_SERVICES_METROPOLIS_RUN_HPP
#define STAN_DP_SERVICES_METROPOLIS_RUN_HPP

#include <stan/model/model_base.hpp>
#include <stan_dp/samplers/hmc_plan.hpp>
#include <stan_dp/services/chain_metric.hpp>
#include <stan_dp/services/check_settings.hpp>
#include <stan_dp/services/make_warm_start.hpp>
#include <stan_dp/services/private_run.hpp>
#include <stan_dp/services/run_chains.hpp>
#include <stan_dp/services/settings.hpp>
#include <optional>
#include <utility>
#include <vector>

namespace stan_dp {

/** What the chains of a Metropolis method start from; all of it public. */
struct metropolis_start {
  /** initial values of each chain */
  chain_contexts init;
  /** a context with `inv_metric` for each chain, or empty */
  chain_contexts inv_metric;
  /** in place of the one that the settings name, or null */
  const warm_start_source* other_warm_start = nullptr;
};

/** What a chain of a Metropolis method is made with. */
struct metropolis_parts {
  const hmc_plan& planned;
  const diagonal_metric& metric;
  const adaptation_options& adaptation;
  /** of the warm start, if there was one */
  const std::optional<gaussian_fit>& fit;
};

/** The metric that warm-up learns. */
inline metric_kind learned_metric(const dp_hmc_settings& s) { return s.metric; }

/** A fitted Gaussian has the shape already: nothing is learned. */
inline metric_kind learned_metric(const dp_penalty_settings& s) {
  return s.proposal == proposal_kind::fitted ? metric_kind::unit_e : s.metric;
}

/**
 * What the services of the methods with a penalty test have in common: metric,
 * adaptation, warm start.
 *
 * @tparam Chain hmc_chain or penalty_chain
 * @param make_plan gives an `hmc_plan` for a budget and an adaptation
 * @param make_chain gives a chain for a posterior, bits, `metropolis_parts` and
 * a point
 * @return `stan::services::error_codes`
 */
template <class Chain, class Settings, class MakePlan, class MakeChain>
int run_metropolis(const private_run& run, const sample_settings& sample,
                   const adapt_settings& adapt, const Settings& settings,
                   const metropolis_start& start,
                   const run_callbacks& callbacks, const MakePlan& make_plan,
                   const MakeChain& make_chain) {
  return return_code(callbacks.logger, [&] {
    check_settings(run.privacy);
    check_settings(sample);
    check_settings(adapt);
    check_settings(settings);
    check_callbacks(sample, start.init, callbacks);
    const auto asked
        = make_warm_start(run.privacy, settings.warm_start, settings.tempering);
    const warm_start_source* warm_start
        = asked && !start.other_warm_start ? &*asked : start.other_warm_start;
    auto metrics = initial_metrics(start.inv_metric, sample.num_chains,
                                   run.units.dimension());
    const adaptation_options adaptation
        = make_adaptation(adapt, learned_metric(settings), sample.num_warmup);
    const hmc_plan planned
        = make_plan(make_budget(run.privacy, warm_start), adaptation);
    auto points = initial_points(run, sample, start.init, callbacks);
    std::optional<gaussian_fit> fitted;
    const chain_maker<Chain> make = [&](noisy_posterior& posterior,
                                        random_bits& bits,
                                        const Eigen::VectorXd& theta, int k) {
      return make_chain(
          posterior, bits,
          metropolis_parts{planned, metrics[k], adaptation, fitted}, theta);
    };
    run_chains<Chain>(
        run, planned.plan,
        ratio_noise_warnings(run,
                             planned.plan.mechanisms[planned.ratio_query].noise,
                             settings.tempering, make_length(sample)),
        sample, settings.tempering, std::move(points), callbacks, make,
        warm_start, [&](const gaussian_fit& fit) {
          fitted = fit;
          if (settings.metric == metric_kind::diag_e) {
            metrics.assign(metrics.size(),
                           ratio_metric(fit.scales().cwiseAbs2()));
          }
        });
  });
}

}  // namespace stan_dp
#endif
