#ifndef STAN_DP_SERVICES_DP_SGNHT_HPP
#define STAN_DP_SERVICES_DP_SGNHT_HPP

#include <stan/model/model_base.hpp>
#include <stan_dp/samplers/sgnht_chain.hpp>
#include <stan_dp/services/sg_run.hpp>

namespace stan_dp {
namespace services {

/**
 * Runs a stochastic gradient thermostat.
 * Arguments as for `dp_sgld`.
 *
 * @return `stan::services::error_codes`
 */
inline int dp_sgnht(const private_run& run, const sample_settings& sample,
                    const dp_sgnht_settings& settings,
                    const chain_contexts& init,
                    const run_callbacks& callbacks) {
  return run_sg<sgnht_chain>(
      run, sample, settings, init, callbacks,
      [&](const budget& b, const run_length& length, const sg_noise& noise) {
        return plan_sgnht(b, length, noise, settings.stepsize);
      });
}

}  // namespace services
}  // namespace stan_dp
#endif
