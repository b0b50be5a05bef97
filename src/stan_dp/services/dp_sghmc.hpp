#ifndef STAN_DP_SERVICES_DP_SGHMC_HPP
#define STAN_DP_SERVICES_DP_SGHMC_HPP

#include <stan/model/model_base.hpp>
#include <stan_dp/samplers/sghmc_chain.hpp>
#include <stan_dp/services/sg_run.hpp>

namespace stan_dp {
namespace services {

/**
 * Runs stochastic gradient Hamiltonian Monte Carlo with friction.
 * Arguments as for `dp_sgld`.
 *
 * @return `stan::services::error_codes`
 */
inline int dp_sghmc(const private_run& run, const sample_settings& sample,
                    const dp_sghmc_settings& settings,
                    const chain_contexts& init,
                    const run_callbacks& callbacks) {
  return run_sg<sghmc_chain>(
      run, sample, settings, init, callbacks,
      [&](const budget& b, const run_length& length, const sg_noise& noise) {
        return plan_sghmc(b, length, noise, settings.num_leapfrog,
                          settings.stepsize, settings.decay_offset,
                          settings.decay_power, settings.friction);
      });
}

}  // namespace services
}  // namespace stan_dp
#endif
