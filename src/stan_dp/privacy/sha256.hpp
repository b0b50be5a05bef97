#ifndef STAN_DP_PRIVACY_SHA256_HPP
#define STAN_DP_PRIVACY_SHA256_HPP

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

namespace stan_dp {
namespace internal {

using sha256_state = std::array<std::uint32_t, 8>;

/** First 32 fractional bits of the root of a prime (FIPS 180-4). */
inline std::uint32_t fraction_bits(long double root) {
  return static_cast<std::uint32_t>(
      std::floor((root - std::floor(root)) * 4294967296.0L));
}

/** Cube roots of the first 64 primes, square roots of the first eight. */
struct sha256_constants {
  std::array<std::uint32_t, 64> round;
  sha256_state start;

  sha256_constants() {
    std::size_t found = 0;
    for (int n = 2; found < 64; ++n) {
      bool prime = true;
      for (int k = 2; k * k <= n; ++k) {
        prime = prime && n % k != 0;
      }
      if (prime) {
        if (found < 8) {
          start[found] = fraction_bits(std::sqrt(static_cast<long double>(n)));
        }
        round[found++] = fraction_bits(std::cbrt(static_cast<long double>(n)));
      }
    }
  }
};

inline std::uint32_t turn_right(std::uint32_t x, int by) {
  return x >> by | x << (32 - by);
}

inline void sha256_block(const unsigned char* block,
                         const sha256_constants& constants,
                         sha256_state& state) {
  std::array<std::uint32_t, 64> w;
  for (int i = 0; i < 16; ++i) {
    w[i] = std::uint32_t{block[4 * i]} << 24
           | std::uint32_t{block[4 * i + 1]} << 16
           | std::uint32_t{block[4 * i + 2]} << 8 | block[4 * i + 3];
  }
  for (int i = 16; i < 64; ++i) {
    const std::uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7]
           + (turn_right(a, 7) ^ turn_right(a, 18) ^ a >> 3)
           + (turn_right(b, 17) ^ turn_right(b, 19) ^ b >> 10);
  }
  sha256_state s = state;
  for (int i = 0; i < 64; ++i) {
    const std::uint32_t e = s[4], a = s[0];
    const std::uint32_t first
        = s[7] + (turn_right(e, 6) ^ turn_right(e, 11) ^ turn_right(e, 25))
          + ((e & s[5]) ^ (~e & s[6])) + constants.round[i] + w[i];
    const std::uint32_t second
        = (turn_right(a, 2) ^ turn_right(a, 13) ^ turn_right(a, 22))
          + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
    s = {first + second, s[0], s[1], s[2], s[3] + first, s[4], s[5], s[6]};
  }
  for (int i = 0; i < 8; ++i) {
    state[i] += s[i];
  }
}

}  // namespace internal

/** SHA-256 (FIPS 180-4) of some bytes, as 64 hexadecimal digits. */
inline std::string sha256(std::string bytes) {
  static const internal::sha256_constants constants;
  const std::uint64_t length = 8 * std::uint64_t{bytes.size()};
  bytes.push_back('\x80');
  bytes.resize((bytes.size() + 8 + 63) / 64 * 64 - 8, '\0');
  for (int shift = 56; shift >= 0; shift -= 8) {
    bytes.push_back(static_cast<char>(length >> shift));
  }
  internal::sha256_state state = constants.start;
  for (std::size_t i = 0; i < bytes.size(); i += 64) {
    internal::sha256_block(
        reinterpret_cast<const unsigned char*>(bytes.data()) + i, constants,
        state);
  }
  std::string digits;
  for (const std::uint32_t word : state) {
    for (int shift = 28; shift >= 0; shift -= 4) {
      digits.push_back("0123456789abcdef"[word >> shift & 15]);
    }
  }
  return digits;
}

}  // namespace stan_dp
#endif
