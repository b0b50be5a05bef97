#ifndef STAN_DP_SAMPLERS_RANDOM_VECTOR_HPP
#define STAN_DP_SAMPLERS_RANDOM_VECTOR_HPP

#include <stan_dp/privacy/random_bits.hpp>
#include <Eigen/Core>
#include <cstddef>

namespace stan_dp {

/** Independent standard normal draws. */
inline Eigen::VectorXd normal_vector(random_bits& bits, std::size_t size) {
  Eigen::VectorXd x(size);
  for (auto& element : x) {
    element = normal(bits);
  }
  return x;
}

/** -1 or 1. */
inline double random_sign(random_bits& bits) {
  return (bits.bits64() >> 63) ? 1.0 : -1.0;
}

}  // namespace stan_dp
#endif
