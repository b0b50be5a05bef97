#ifndef STAN_DP_VERSION_HPP
#define STAN_DP_VERSION_HPP

namespace stan_dp {

/** Of this library; the header of every private run names it. */
constexpr const char* version = "0.1.0";

}  // namespace stan_dp
#endif
