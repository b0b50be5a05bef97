#ifndef STAN_DP_PRIVACY_LOG_RATIO_HPP
#define STAN_DP_PRIVACY_LOG_RATIO_HPP

#include <stan_dp/privacy/lattice.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace stan_dp {

/**
 * A unit's clipped log likelihood ratio in lattice steps, from `-2^30` to
 * `2^30`, where `2^30` stands for `bound`.
 *
 * A value that is not finite (a unit that throws has NaN) counts as minus
 * infinity: at `to` alone the unit is all against the move, at `from` alone
 * all for it, at both it has no opinion.
 *
 * @param bound finite and positive
 */
inline std::int64_t lattice_log_ratio(double from, double to, double bound) {
  const bool from_finite = std::isfinite(from);
  const bool to_finite = std::isfinite(to);
  if (!from_finite || !to_finite) {
    return (std::int64_t{to_finite} - std::int64_t{from_finite}) * lattice_unit;
  }
  const double difference = to - from;
  if (difference >= bound) {
    return lattice_unit;
  }
  if (difference <= -bound) {
    return -lattice_unit;
  }
  return std::llrint(difference / bound * lattice_unit);
}

/**
 * Sum of the clipped log likelihood ratios. Its sensitivity is at most
 * `lattice_sensitivity(1)`: a term beyond that, which no argument gives,
 * contributes zero.
 */
inline lattice_sum log_ratio_sum(const std::vector<double>& from,
                                 const std::vector<double>& to, double bound) {
  if (from.size() != to.size()) {
    throw std::logic_error("log_ratio_sum: the units must be the same.");
  }
  const std::int64_t limit = lattice_sensitivity(1);
  lattice_sum sum(1);
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::int64_t v = lattice_log_ratio(from[i], to[i], bound);
    if (v >= -limit && v <= limit) {
      sum.add(&v);
    }
  }
  return sum;
}

}  // namespace stan_dp
#endif
