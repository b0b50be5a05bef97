#ifndef STAN_DP_SAMPLERS_RUN_LENGTH_HPP
#define STAN_DP_SAMPLERS_RUN_LENGTH_HPP

#include <cstdint>

namespace stan_dp {

/** How long a run is, fixed before its first query. */
struct run_length {
  int num_warmup;
  int num_samples;
  int num_chains;

  /** Iterations of one chain. */
  std::int64_t iterations() const {
    return std::int64_t{num_warmup} + num_samples;
  }
};

}  // namespace stan_dp
#endif
