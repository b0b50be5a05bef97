#ifndef STAN_DP_PRIVACY_SEEDED_RANDOM_HPP
#define STAN_DP_PRIVACY_SEEDED_RANDOM_HPP

#include <stan_dp/privacy/random_bits.hpp>
#include <array>
#include <cstddef>
#include <cstdint>

namespace stan_dp {

/**
 * Bits that can be drawn again: ChaCha20 (RFC 8439, with a 64-bit counter)
 * under the key (seed, stream, 0, 0).
 *
 * For tests and for `noise_seed=`. Who knows the seed can subtract the noise,
 * so a run with it is NOT PRIVATE and has to say so.
 */
class seeded_random final : public random_bits {
 public:
  explicit seeded_random(std::uint64_t seed, std::uint64_t stream = 0)
      : random_bits(&block_), seed_(seed), stream_(stream) {}

 private:
  using state = std::array<std::uint32_t, 16>;

  static void quarter_round(state& x, int a, int b, int c, int d) {
    const auto mix = [&x](int to, int from, int turned, int by) {
      x[to] += x[from];
      const std::uint32_t word = x[turned] ^ x[to];
      x[turned] = (word << by) | (word >> (32 - by));
    };
    mix(a, b, d, 16);
    mix(c, d, b, 12);
    mix(a, b, d, 8);
    mix(c, d, b, 7);
  }

  static state permuted(const state& start) {
    state x = start;
    for (int i = 0; i < 10; ++i) {
      for (int column = 0; column < 4; ++column) {
        quarter_round(x, column, 4 + column, 8 + column, 12 + column);
      }
      for (int column = 0; column < 4; ++column) {
        quarter_round(x, column, 4 + (column + 1) % 4, 8 + (column + 2) % 4,
                      12 + (column + 3) % 4);
      }
    }
    for (int i = 0; i < 16; ++i) {
      x[i] += start[i];
    }
    return x;
  }

  state next_block() {
    const auto low = [](std::uint64_t x) { return std::uint32_t(x); };
    const auto high = [](std::uint64_t x) { return std::uint32_t(x >> 32); };
    const state start{0x61707865,
                      0x3320646e,
                      0x79622d32,
                      0x6b206574,
                      low(seed_),
                      high(seed_),
                      low(stream_),
                      high(stream_),
                      0,
                      0,
                      0,
                      0,
                      low(counter_),
                      high(counter_),
                      0,
                      0};
    ++counter_;
    return permuted(start);
  }

  void refill(std::uint64_t* words) override {
    // Words are taken from the end of a block, so they are written from there.
    for (std::size_t i = random_block::size; i > 0;) {
      const state x = next_block();
      for (std::size_t j = 0; j < 8 && i > 0; ++j) {
        words[--i] = x[2 * j] | static_cast<std::uint64_t>(x[2 * j + 1]) << 32;
      }
    }
  }

  random_block block_{};
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t counter_ = 0;
};

}  // namespace stan_dp
#endif
