#ifndef STAN_DP_PRIVACY_PLAN_HPP
#define STAN_DP_PRIVACY_PLAN_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace stan_dp {

/** Which data sets count as neighbours. */
enum class neighbors { substitute, add_remove };

/** What a query releases. */
enum class query_kind { gradient, log_ratio };

/**
 * A Gaussian mechanism that will run `count` times, over all chains together.
 *
 * `noise` is the multiplier `z = sd / clip`, for both neighbour relations;
 * zero means no noise, which only a plan that is not engaged may hold.
 */
struct mechanism {
  query_kind kind;
  /** Poisson sampling rate, in (0, 1]; 1 means all units, without sampling */
  double rate;
  double noise;
  std::int64_t count;
};

/**
 * All queries that a run may make, fixed before the first of them.
 *
 * A sampler names a query by its index in `mechanisms`.
 */
struct plan {
  neighbors relation = neighbors::substitute;
  /** false: the run is not private, and says so */
  bool engaged = true;
  double delta = 0;
  std::vector<mechanism> mechanisms;
};

}  // namespace stan_dp
#endif
