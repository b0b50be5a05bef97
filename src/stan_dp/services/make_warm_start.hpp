#ifndef STAN_DP_SERVICES_MAKE_WARM_START_HPP
#define STAN_DP_SERVICES_MAKE_WARM_START_HPP

#include <stan_dp/samplers/budget.hpp>
#include <stan_dp/samplers/dpvi_warm_start.hpp>
#include <stan_dp/services/settings.hpp>
#include <optional>

namespace stan_dp {

/**
 * The run that `warm_start=` asks for, or nothing.
 *
 * Alone it would cost `(warm_share epsilon, delta)`. The chains then plan the
 * rest of (epsilon, delta) with these queries as a fixed part: one plan, whose
 * cost is composed tightly and not added up.
 */
inline std::optional<warm_start_source> make_warm_start(
    const privacy_settings& privacy, const warm_start_settings& settings,
    double tempering) {
  if (settings.kind == warm_start_kind::none) {
    return std::nullopt;
  }
  const budget share{privacy.engaged,
                     settings.share * privacy.epsilon,
                     privacy.delta,
                     privacy.relation,
                     {}};
  const plan solved = plan_within(share, {warm_start_mechanism(1)});
  return dpvi_warm_start(solved.mechanisms.front(), tempering,
                         settings.kind == warm_start_kind::dp_fullrank
                             ? variational_kind::full_rank
                             : variational_kind::mean_field);
}

}  // namespace stan_dp
#endif
