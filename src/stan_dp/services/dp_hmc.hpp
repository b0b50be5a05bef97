#ifndef STAN_DP_SERVICES_DP_HMC_HPP
#define STAN_DP_SERVICES_DP_HMC_HPP

#include <stan/model/model_base.hpp>
#include <stan_dp/samplers/hmc_chain.hpp>
#include <stan_dp/services/metropolis_run.hpp>
#include <memory>

namespace stan_dp {
namespace services {

/**
 * Runs Hamiltonian Monte Carlo with noisy gradients and the penalty test.
 *
 * @param run model without rows, units, budget
 * @param sample number of iterations, chains and so on
 * @param adapt warm-up
 * @param settings of dp_hmc
 * @param start initial values and metrics; public
 * @param callbacks where messages and draws go; nothing in them depends on a
 * row but through noisy answers
 * @return `stan::services::error_codes`
 */
inline int dp_hmc(const private_run& run, const sample_settings& sample,
                  const adapt_settings& adapt, const dp_hmc_settings& settings,
                  const metropolis_start& start,
                  const run_callbacks& callbacks) {
  return run_metropolis<hmc_chain>(
      run, sample, adapt, settings, start, callbacks,
      [&](const budget& b, const adaptation_options& adaptation) {
        return plan_hmc(b, make_length(sample), settings.num_leapfrog,
                        adaptation.windows.count(), settings.ratio_share);
      },
      [&](noisy_posterior& posterior, random_bits& bits,
          const metropolis_parts& parts, const Eigen::VectorXd& theta) {
        const dp_hmc_options options{
            settings.num_leapfrog, settings.stepsize_jitter,
            parts.planned.gradient_query, parts.planned.ratio_query};
        return std::make_unique<hmc_chain>(posterior, bits, options,
                                           settings.stepsize, parts.metric,
                                           parts.adaptation, theta);
      });
}

}  // namespace services
}  // namespace stan_dp
#endif
