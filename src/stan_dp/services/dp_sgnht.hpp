#ifndef STAN_DP_SERVICES_DP_SGNHT_HPP
#define STAN_DP_SERVICES_DP_SGNHT_HPP

#include <stan/model/model_base.hpp>
#include <stan_dp/samplers/sg_plan.hpp>
#include <stan_dp/samplers/sgnht_chain.hpp>
#include <stan_dp/services/run_chains.hpp>
#include <stan_dp/services/sg_run.hpp>
#include <memory>
#include <vector>

namespace stan_dp {
namespace services {

/**
 * Runs a stochastic gradient thermostat.
 *
 * @param run model without rows, units, budget
 * @param sample number of iterations, chains and so on
 * @param settings of dp_sgnht
 * @param init a context of initial values for each chain; public
 * @param[in,out] interrupt called before each iteration
 * @param[in,out] logger messages; none depends on a row
 * @param[in,out] init_writer unconstrained initial values, a writer a chain
 * @param[in,out] sample_writer draws, a writer a chain
 * @param[in,out] diagnostic_writer unconstrained draws, a writer a chain
 * @return `stan::services::error_codes`
 */
template <class InitPtr, class InitWriter, class SampleWriter,
          class DiagnosticWriter>
int dp_sgnht(const private_run& run, const sample_settings& sample,
             const dp_sgnht_settings& settings,
             const std::vector<InitPtr>& init,
             stan::callbacks::interrupt& interrupt,
             stan::callbacks::logger& logger,
             std::vector<InitWriter>& init_writer,
             std::vector<SampleWriter>& sample_writer,
             std::vector<DiagnosticWriter>& diagnostic_writer) {
  return return_code(logger, [&] {
    check_settings(run.privacy);
    check_settings(sample);
    check_settings(settings);
    const run_callbacks callbacks{
        interrupt, logger, writer_pointers(init_writer),
        writer_pointers(sample_writer), writer_pointers(diagnostic_writer)};
    const chain_contexts inits = context_pointers(init);
    check_callbacks(sample, inits, callbacks);
    const sg_noise noise
        = make_sg_noise(run, settings.batch, settings.tempering);
    const sg_plan planned
        = plan_sgnht(make_budget(run.privacy, nullptr), make_length(sample),
                     noise, settings.stepsize);
    auto points = initial_points(run, sample, inits, callbacks);
    const chain_maker<sgnht_chain> make
        = [&](noisy_posterior& posterior, random_bits& bits,
              const Eigen::VectorXd& theta, int) {
            return std::make_unique<sgnht_chain>(posterior, bits, planned,
                                                 noise.rate, theta);
          };
    run_chains<sgnht_chain>(run, planned.plan, planned.warnings, sample,
                            settings.tempering, std::move(points), callbacks,
                            make);
  });
}

}  // namespace services
}  // namespace stan_dp
#endif
