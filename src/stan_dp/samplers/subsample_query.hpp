#ifndef STAN_DP_SAMPLERS_SUBSAMPLE_QUERY_HPP
#define STAN_DP_SAMPLERS_SUBSAMPLE_QUERY_HPP

#include <cstddef>

namespace stan_dp {

/** A planned gradient on a Poisson subsample. */
struct subsample_query {
  /** index of the planned mechanism */
  std::size_t index;
  /** its sampling rate */
  double rate;
};

}  // namespace stan_dp
#endif
