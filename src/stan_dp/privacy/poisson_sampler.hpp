#ifndef STAN_DP_PRIVACY_POISSON_SAMPLER_HPP
#define STAN_DP_PRIVACY_POISSON_SAMPLER_HPP

#include <stan_dp/privacy/block_count.hpp>
#include <stan_dp/privacy/poisson_subsample.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace stan_dp {

/**
 * Poisson subsamples of one rate, again and again: the same distribution as
 * `poisson_subsample`, exactly, with fewer random bits where the rate is small.
 *
 * The number of units included in a block of 512 is binomial; given their
 * number, all sets of so many units are equally likely. So a block takes one
 * word for the number and nine bits for each unit that is included, where
 * comparing the bits of all units would take 27 words.
 */
class poisson_sampler {
 public:
  /** @param rate in (0, 1] */
  explicit poisson_sampler(double rate) : rate_(rate) {
    if (rate > 0 && rate <= largest_rate) {
      count_.emplace(
          static_cast<std::uint64_t>(std::ldexp(effective_rate(rate), 64)));
    }
  }

  /** Indices of the units, among `n`, that are included; ascending. */
  std::vector<std::size_t> operator()(random_bits& bits, std::size_t n) const {
    std::vector<std::size_t> in;
    std::size_t first = 0;
    if (count_) {
      bit_stream positions(bits);
      for (; first + block_count::size <= n; first += block_count::size) {
        add_block(first, (*count_)(bits), positions, in);
      }
    }
    for (const std::size_t i : poisson_subsample(bits, n - first, rate_)) {
      in.push_back(first + i);
    }
    return in;
  }

 private:
  /** Above this the comparison of bits is as fast. */
  static constexpr double largest_rate = 0.125;

  /** Adds `count` different units of the block that begins with `first`. */
  static void add_block(std::size_t first, int count, bit_stream& positions,
                        std::vector<std::size_t>& in) {
    std::array<std::uint64_t, block_count::size / 64> chosen{};
    while (count > 0) {
      const std::uint64_t position = positions.take(9);
      std::uint64_t& word = chosen[position / 64];
      const std::uint64_t bit = std::uint64_t{1} << (position % 64);
      count -= (word & bit) == 0;
      word |= bit;
    }
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      for (std::uint64_t x = chosen[i]; x != 0; x &= x - 1) {
        in.push_back(first + 64 * i + __builtin_ctzll(x));
      }
    }
  }

  double rate_;
  std::optional<block_count> count_;
};

}  // namespace stan_dp
#endif
