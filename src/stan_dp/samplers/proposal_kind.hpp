#ifndef STAN_DP_SAMPLERS_PROPOSAL_KIND_HPP
#define STAN_DP_SAMPLERS_PROPOSAL_KIND_HPP

namespace stan_dp {

/**
 * How a walk moves: all coordinates, one of them, one of them in a kept
 * direction, or all of them around the Gaussian that a warm start fitted.
 */
enum class proposal_kind { full, component, guided, fitted };

}  // namespace stan_dp
#endif
