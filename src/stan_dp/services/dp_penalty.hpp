#ifndef STAN_DP_SERVICES_DP_PENALTY_HPP
#define STAN_DP_SERVICES_DP_PENALTY_HPP

#include <stan/model/model_base.hpp>
#include <stan_dp/samplers/hmc_plan.hpp>
#include <stan_dp/samplers/penalty_chain.hpp>
#include <stan_dp/services/chain_metric.hpp>
#include <stan_dp/services/make_warm_start.hpp>
#include <stan_dp/services/run_chains.hpp>
#include <memory>
#include <vector>

namespace stan_dp {
namespace services {

/**
 * Runs a random walk with the penalty test. Arguments as for `dp_hmc`.
 *
 * @return `stan::services::error_codes`
 */
template <class InitPtr, class MetricPtr, class InitWriter, class SampleWriter,
          class DiagnosticWriter>
int dp_penalty(const private_run& run, const sample_settings& sample,
               const adapt_settings& adapt, const dp_penalty_settings& settings,
               const std::vector<InitPtr>& init,
               const std::vector<MetricPtr>& init_inv_metric,
               stan::callbacks::interrupt& interrupt,
               stan::callbacks::logger& logger,
               std::vector<InitWriter>& init_writer,
               std::vector<SampleWriter>& sample_writer,
               std::vector<DiagnosticWriter>& diagnostic_writer,
               const warm_start_source* other_warm_start = nullptr) {
  return return_code(logger, [&] {
    check_settings(run.privacy);
    check_settings(sample);
    check_settings(adapt);
    check_settings(settings);
    const auto asked
        = make_warm_start(run.privacy, settings.warm_start, settings.tempering);
    const warm_start_source* warm_start
        = asked && !other_warm_start ? &*asked : other_warm_start;
    const run_callbacks callbacks{
        interrupt, logger, writer_pointers(init_writer),
        writer_pointers(sample_writer), writer_pointers(diagnostic_writer)};
    const chain_contexts inits = context_pointers(init);
    check_callbacks(sample, inits, callbacks);
    auto metrics = initial_metrics(context_pointers(init_inv_metric),
                                   sample.num_chains, run.units.dimension());
    const adaptation_options adaptation
        = make_adaptation(adapt, settings.metric, sample.num_warmup);
    const budget b = make_budget(run.privacy, warm_start);
    const plan planned = plan_penalty(b, make_length(sample));
    auto points = initial_points(run, sample, inits, callbacks);
    const chain_maker<penalty_chain> make
        = [&](noisy_posterior& posterior, random_bits& bits,
              const Eigen::VectorXd& theta, int k) {
            const dp_penalty_options options{settings.proposal, b.fixed.size()};
            return std::make_unique<penalty_chain>(posterior, bits, options,
                                                   settings.scale, metrics[k],
                                                   adaptation, theta);
          };
    run_chains<penalty_chain>(
        run, planned,
        ratio_noise_warnings(run, planned.mechanisms.back().noise,
                             settings.tempering, make_length(sample)),
        sample, settings.tempering, std::move(points), callbacks, make,
        warm_start, [&](const Eigen::VectorXd& scales) {
          if (settings.metric == metric_kind::diag_e) {
            metrics.assign(metrics.size(), ratio_metric(scales.cwiseAbs2()));
          }
        });
  });
}

}  // namespace services
}  // namespace stan_dp
#endif
