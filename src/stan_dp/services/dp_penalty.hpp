#ifndef STAN_DP_SERVICES_DP_PENALTY_HPP
#define STAN_DP_SERVICES_DP_PENALTY_HPP

#include <stan/model/model_base.hpp>
#include <stan_dp/samplers/penalty_chain.hpp>
#include <stan_dp/services/metropolis_run.hpp>
#include <memory>

namespace stan_dp {
namespace services {

/**
 * Runs a random walk with the penalty test. Arguments as for `dp_hmc`.
 *
 * @return `stan::services::error_codes`
 */
inline int dp_penalty(const private_run& run, const sample_settings& sample,
                      const adapt_settings& adapt,
                      const dp_penalty_settings& settings,
                      const metropolis_start& start,
                      const run_callbacks& callbacks) {
  return run_metropolis<penalty_chain>(
      run, sample, adapt, settings, start, callbacks,
      [&](const budget& b, const adaptation_options&) {
        return plan_penalty(b, make_length(sample));
      },
      [&](noisy_posterior& posterior, random_bits& bits,
          const hmc_plan& planned, const diagonal_metric& metric,
          const adaptation_options& adaptation, const Eigen::VectorXd& theta) {
        return std::make_unique<penalty_chain>(
            posterior, bits,
            dp_penalty_options{settings.proposal, planned.ratio_query},
            settings.scale, metric, adaptation, theta);
      });
}

}  // namespace services
}  // namespace stan_dp
#endif
