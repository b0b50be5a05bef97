#ifndef STAN_DP_SERVICES_SG_RUN_HPP
#define STAN_DP_SERVICES_SG_RUN_HPP

#include <stan/model/model_base.hpp>
#include <stan_dp/samplers/sg_noise.hpp>
#include <stan_dp/samplers/sg_plan.hpp>
#include <stan_dp/services/check_settings.hpp>
#include <stan_dp/services/private_run.hpp>
#include <stan_dp/services/run_chains.hpp>
#include <stan_dp/services/settings.hpp>
#include <memory>
#include <utility>

namespace stan_dp {

/**
 * What a stochastic gradient method may know of its noise. The number of units
 * is in it only where it is public.
 */
inline sg_noise make_sg_noise(const private_run& run,
                              const batch_settings& batch, double tempering) {
  sg_noise noise{sampling_rate(batch, run.privacy, run.units.num_units()),
                 tempering,
                 run.privacy.clip,
                 run.units.dimension(),
                 {}};
  if (units_are_public(run.privacy)) {
    noise.units = static_cast<double>(run.units.num_units());
  }
  return noise;
}

/**
 * What the services of stochastic gradient methods have in common.
 *
 * @tparam Chain sgld_chain, sghmc_chain or sgnht_chain
 * @param make_plan gives an `sg_plan` for a budget, a length and the noise
 * @return `stan::services::error_codes`
 */
template <class Chain, class Settings, class MakePlan>
int run_sg(const private_run& run, const sample_settings& sample,
           const Settings& settings, const chain_contexts& init,
           const run_callbacks& callbacks, const MakePlan& make_plan) {
  return return_code(callbacks.logger, [&] {
    check_settings(run.privacy);
    check_settings(sample);
    check_settings(settings);
    check_callbacks(sample, init, callbacks);
    const sg_noise noise
        = make_sg_noise(run, settings.batch, settings.tempering);
    const sg_plan planned = make_plan(make_budget(run.privacy, nullptr),
                                      make_length(sample), noise);
    auto points = initial_points(run, sample, init, callbacks);
    const chain_maker<Chain> make
        = [&](noisy_posterior& posterior, random_bits& bits,
              const Eigen::VectorXd& theta, int) {
            return std::make_unique<Chain>(posterior, bits, planned, noise.rate,
                                           theta);
          };
    run_chains<Chain>(run, planned.plan, planned.warnings, sample,
                      settings.tempering, std::move(points), callbacks, make);
  });
}

}  // namespace stan_dp
#endif
