#ifndef STAN_DP_SERVICES_DP_PENALTY_HPP
#define STAN_DP_SERVICES_DP_PENALTY_HPP

#include <stan/model/model_base.hpp>
#include <stan_dp/samplers/penalty_chain.hpp>
#include <stan_dp/services/metropolis_run.hpp>
#include <memory>

namespace stan_dp {

/** The scale that the user gave, or one that fits the proposal. */
inline double first_scale(const dp_penalty_settings& settings,
                          const privacy_settings& privacy,
                          const metropolis_parts& parts) {
  constexpr double walk_scale = 0.1;
  if (settings.scale > 0) {
    return settings.scale;
  }
  if (settings.proposal != proposal_kind::fitted) {
    return walk_scale;
  }
  const double noise
      = parts.planned.plan.mechanisms[parts.planned.ratio_query].noise;
  return fitted_scale(
      *parts.fit, parts.metric,
      settings.tempering * noise * internal::ratio_clip(privacy));
}

namespace services {

/**
 * Runs a walk with the penalty test. Arguments as for `dp_hmc`.
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
          const metropolis_parts& parts, const Eigen::VectorXd& theta) {
        return std::make_unique<penalty_chain>(
            posterior, bits,
            dp_penalty_options{settings.proposal, parts.planned.ratio_query,
                               parts.fit},
            first_scale(settings, run.privacy, parts), parts.metric,
            parts.adaptation, theta);
      });
}

}  // namespace services
}  // namespace stan_dp
#endif
