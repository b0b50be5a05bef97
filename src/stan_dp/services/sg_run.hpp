#ifndef STAN_DP_SERVICES_SG_RUN_HPP
#define STAN_DP_SERVICES_SG_RUN_HPP

#include <stan/model/model_base.hpp>
#include <stan_dp/samplers/sg_noise.hpp>
#include <stan_dp/services/check_settings.hpp>
#include <stan_dp/services/private_run.hpp>
#include <stan_dp/services/settings.hpp>

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

}  // namespace stan_dp
#endif
