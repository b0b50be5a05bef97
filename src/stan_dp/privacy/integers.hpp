#ifndef STAN_DP_PRIVACY_INTEGERS_HPP
#define STAN_DP_PRIVACY_INTEGERS_HPP

namespace stan_dp {

/** Integers of 128 bits, for sums on the lattice and their noise. */
__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

}  // namespace stan_dp
#endif
