#ifndef STAN_DP_SAMPLERS_OPTIMIZER_KIND_HPP
#define STAN_DP_SAMPLERS_OPTIMIZER_KIND_HPP

namespace stan_dp {

/** How a stochastic gradient becomes a step. */
enum class optimizer_kind { adam, adagrad };

}  // namespace stan_dp
#endif
