#ifndef STAN_DP_PRIVACY_POISSON_SUBSAMPLE_HPP
#define STAN_DP_PRIVACY_POISSON_SUBSAMPLE_HPP

#include <stan_dp/privacy/random_bits.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

/** @file
 * A unit is in a Poisson subsample when 64 random bits of its own are below
 * `t = ceil(rate * 2^64)`.
 *
 * The bits are compared with those of t from the highest on, and are not drawn
 * beyond the first that differs: the answer is settled there, whatever the
 * others would have been. So the distribution is that of the full comparison,
 * and a unit takes two bits on average instead of 64.
 */
namespace stan_dp {
namespace internal {

/** Which of 64 units are in, and which have only bits equal to t's so far. */
struct subsample_word {
  std::uint64_t in;
  std::uint64_t open;
};

/** Bits of t that are compared in one round. */
constexpr int subsample_planes = 3;

/** Compares `subsample_planes` bits, from the highest of t on, of 64 units. */
inline subsample_word compare_planes(random_bits& bits, std::uint64_t t) {
  subsample_word result{0, ~std::uint64_t{0}};
  for (int plane = 0; plane < subsample_planes; ++plane) {
    const std::uint64_t threshold = 0 - ((t >> (63 - plane)) & 1);
    const std::uint64_t drawn = bits.bits64();
    result.in |= result.open & ~drawn & threshold;
    result.open &= ~(drawn ^ threshold);
  }
  return result;
}

/**
 * One round for `n` units: those that it settles as included go to `in`, those
 * that it does not settle to `open`.
 *
 * @param name the index of the i-th unit, `name(i)`
 */
template <class Name>
void compare_round(random_bits& bits, std::uint64_t t, std::size_t n,
                   const Name& name, std::vector<std::size_t>& in,
                   std::vector<std::size_t>& open) {
  for (std::size_t first = 0; first < n; first += 64) {
    const auto word = compare_planes(bits, t);
    const std::uint64_t units = n - first < 64
                                    ? (std::uint64_t{1} << (n - first)) - 1
                                    : ~std::uint64_t{0};
    for (std::uint64_t x = word.in & units; x != 0; x &= x - 1) {
      in.push_back(name(first + __builtin_ctzll(x)));
    }
    for (std::uint64_t x = word.open & units; x != 0; x &= x - 1) {
      open.push_back(name(first + __builtin_ctzll(x)));
    }
  }
}

}  // namespace internal

/**
 * The rate at which units are in fact included, `ceil(rate * 2^64) / 2^64`: the
 * rate itself from 2^-12 on. No step rounds: a double below 1 times 2^64 is a
 * double, and so is its ceiling.
 */
inline double effective_rate(double rate) {
  return std::ldexp(std::ceil(std::ldexp(rate, 64)), -64);
}

/**
 * Indices of the units, among `n`, that a Poisson subsample includes;
 * ascending.
 *
 * @param rate in (0, 1]; all units at 1
 */
inline std::vector<std::size_t> poisson_subsample(random_bits& bits,
                                                  std::size_t n, double rate) {
  if (!(rate > 0 && rate <= 1)) {
    throw std::invalid_argument("The sampling rate must be in (0, 1].");
  }
  std::vector<std::size_t> in;
  if (rate == 1) {
    in.resize(n);
    std::iota(in.begin(), in.end(), std::size_t{0});
    return in;
  }
  auto t = static_cast<std::uint64_t>(std::ldexp(effective_rate(rate), 64));
  std::vector<std::size_t> open;
  internal::compare_round(
      bits, t, n, [](std::size_t i) { return i; }, in, open);
  // A unit all of whose bits equal those of t is not below t.
  while (!open.empty() && (t <<= internal::subsample_planes) != 0) {
    const std::vector<std::size_t> units = std::move(open);
    open.clear();
    internal::compare_round(
        bits, t, units.size(), [&units](std::size_t i) { return units[i]; }, in,
        open);
  }
  std::sort(in.begin(), in.end());
  return in;
}

}  // namespace stan_dp
#endif
