#ifndef STAN_DP_SAMPLERS_PROPOSAL_KIND_HPP
#define STAN_DP_SAMPLERS_PROPOSAL_KIND_HPP

namespace stan_dp {

/**
 * How a random walk moves: all coordinates, one of them, or one of them in a
 * kept direction.
 */
enum class proposal_kind { full, component, guided };

}  // namespace stan_dp
#endif
