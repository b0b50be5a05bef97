#ifndef STAN_DP_SERVICES_DP_SGLD_HPP
#define STAN_DP_SERVICES_DP_SGLD_HPP

#include <stan/model/model_base.hpp>
#include <stan_dp/samplers/sgld_chain.hpp>
#include <stan_dp/services/sg_run.hpp>

namespace stan_dp {
namespace services {

/**
 * Runs stochastic gradient Langevin dynamics whose Langevin noise is the
 * privacy noise.
 *
 * @param run model without rows, units, budget
 * @param sample number of iterations, chains and so on
 * @param settings of dp_sgld
 * @param init initial values of each chain; public
 * @param callbacks where messages and draws go; nothing in them depends on a
 * row but through noisy answers
 * @return `stan::services::error_codes`
 */
inline int dp_sgld(const private_run& run, const sample_settings& sample,
                   const dp_sgld_settings& settings, const chain_contexts& init,
                   const run_callbacks& callbacks) {
  return run_sg<sgld_chain>(
      run, sample, settings, init, callbacks,
      [&](const budget& b, const run_length& length, const sg_noise& noise) {
        return plan_sgld(b, length, noise, settings.stepsize,
                         settings.decay_offset, settings.decay_power);
      });
}

}  // namespace services
}  // namespace stan_dp
#endif
