#ifndef STAN_DP_PRIVACY_DISCRETE_GAUSSIAN_HPP
#define STAN_DP_PRIVACY_DISCRETE_GAUSSIAN_HPP

#include <stan_dp/privacy/integers.hpp>
#include <stan_dp/privacy/random_bits.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace stan_dp {
namespace internal {

/**
 * True with probability `numerator / denominator`, exactly: the binary digits
 * of the fraction are compared with random bits until they differ.
 *
 * @tparam Natural holds twice the denominator
 * @param numerator below the denominator
 */
template <class Natural>
bool bernoulli(Natural numerator, const Natural& denominator,
               bit_stream& bits) {
  while (true) {
    numerator <<= 1;
    const bool digit = numerator >= denominator;
    if (digit) {
      numerator -= denominator;
    }
    if (bits.bit() != digit) {
      return digit;
    }
  }
}

/**
 * True with probability `exp(-numerator / denominator)`, for a fraction of at
 * most one: von Neumann's alternating series (Canonne, Kamath, Steinke 2020,
 * algorithm 1). `Bernoulli(gamma / k)` is drawn as both of `Bernoulli(1 / k)`
 * and `Bernoulli(gamma)`.
 */
template <class Natural>
bool bernoulli_exp_below_one(const Natural& numerator,
                             const Natural& denominator, bit_stream& bits) {
  std::uint64_t k = 1;
  const auto goes_on = [&] {
    return (k == 1 || bernoulli<std::uint64_t>(1, k, bits))
           && (numerator == denominator
               || bernoulli(numerator, denominator, bits));
  };
  while (goes_on()) {
    ++k;
  }
  return k % 2 == 1;
}

/** True with probability `exp(-numerator / denominator)`. */
template <class Natural>
bool bernoulli_exp(Natural numerator, const Natural& denominator,
                   bit_stream& bits) {
  while (numerator > denominator) {
    if (!bernoulli_exp_below_one<std::uint64_t>(1, 1, bits)) {
      return false;
    }
    numerator -= denominator;
  }
  return bernoulli_exp_below_one(numerator, denominator, bits);
}

/** Uniform on 0, ..., n - 1; draws again what is too large. */
inline std::uint64_t lazy_uniform_below(bit_stream& bits, std::uint64_t n) {
  if (n == 1) {
    return 0;
  }
  const unsigned int width = 64 - __builtin_clzll(n - 1);
  std::uint64_t result;
  do {
    result = bits.take(width);
  } while (result >= n);
  return result;
}

/**
 * A magnitude `rest + scale * whole`, `rest < scale`, with probability
 * proportional to `exp(-magnitude / scale)`.
 */
struct laplace_magnitude {
  std::uint64_t rest;
  std::uint64_t whole;
};

inline laplace_magnitude draw_laplace(std::uint64_t scale, bit_stream& bits) {
  laplace_magnitude result;
  do {
    result.rest = lazy_uniform_below(bits, scale);
  } while (!bernoulli_exp_below_one(result.rest, scale, bits));
  result.whole = 0;
  while (bernoulli_exp_below_one<std::uint64_t>(1, 1, bits)) {
    ++result.whole;
  }
  return result;
}

/**
 * Accepts a Laplace magnitude y of scale sigma with probability
 * `exp(-(y - sigma)^2 / (2 sigma^2))`.
 */
template <class Natural>
bool accept_laplace(const laplace_magnitude& y, std::uint64_t sigma,
                    bit_stream& bits) {
  const Natural scale = sigma;
  const Natural value = Natural(y.rest) + scale * Natural(y.whole);
  const Natural distance
      = value > scale ? Natural(value - scale) : Natural(scale - value);
  return bernoulli_exp<Natural>(distance * distance, Natural(2) * scale * scale,
                                bits);
}

/**
 * Whether native integers hold everything: with `sigma <= 2^50` and
 * `whole < 2^12` a value is below 2^62 and its square below 2^124, and twice
 * `2 sigma^2` is at most 2^102. The rest (`whole >= 2^12` has probability
 * e^-4096) goes through integers of any size.
 */
inline bool fits_native(const laplace_magnitude& y, std::uint64_t sigma) {
  return sigma <= std::uint64_t{1} << 50 && y.whole < std::uint64_t{1} << 12;
}

}  // namespace internal

/**
 * The discrete Gaussian on the integers, `P(x) ~ exp(-x^2 / (2 sigma^2))`,
 * sampled exactly: every decision compares integers with random bits (Canonne,
 * Kamath, Steinke 2020, algorithms 1 to 3, with the proposal's scale `t =
 * sigma` for an integer sigma).
 */
class discrete_gaussian {
 public:
  static constexpr std::uint64_t max_sigma = std::uint64_t{1} << 62;

  explicit discrete_gaussian(std::uint64_t sigma) : sigma_(sigma) {
    if (sigma < 1 || sigma > max_sigma) {
      throw std::invalid_argument(
          "The discrete Gaussian's sigma must be from 1 to 2^62.");
    }
  }

  std::uint64_t sigma() const { return sigma_; }

  int128 operator()(bit_stream& bits) const {
    while (true) {
      const auto y = internal::draw_laplace(sigma_, bits);
      const bool negative = bits.bit();
      // zero has one sign only, or it would come up twice as often
      if (negative && y.rest == 0 && y.whole == 0) {
        continue;
      }
      if (accept(y, bits)) {
        const int128 value
            = static_cast<int128>(y.whole) * static_cast<int128>(sigma_)
              + static_cast<int128>(y.rest);
        return negative ? -value : value;
      }
    }
  }

 private:
  bool accept(const internal::laplace_magnitude& y, bit_stream& bits) const {
    using boost::multiprecision::cpp_int;
    return internal::fits_native(y, sigma_)
               ? internal::accept_laplace<uint128>(y, sigma_, bits)
               : internal::accept_laplace<cpp_int>(y, sigma_, bits);
  }

  std::uint64_t sigma_;
};

/**
 * `ceil(z * sensitivity)` without rounding error: the smallest integer standard
 * deviation that gives at least the noise multiplier z. Rounding up can only
 * add noise.
 *
 * @param z finite, not negative
 * @param sensitivity in lattice steps, below 2^40
 */
inline std::uint64_t noise_sigma(double z, std::uint64_t sensitivity) {
  if (!(z >= 0 && std::isfinite(z)) || sensitivity >> 40 != 0) {
    throw std::invalid_argument("noise_sigma: arguments out of range.");
  }
  int exponent;
  const auto mantissa
      = static_cast<std::uint64_t>(std::ldexp(std::frexp(z, &exponent), 53));
  const uint128 product = static_cast<uint128>(mantissa) * sensitivity;
  // z * sensitivity = product * 2^(exponent - 53), product < 2^93
  const int shift = 53 - exponent;
  if (product == 0) {
    return 0;
  }
  if (shift <= 0
      || (shift < 128 && product >> shift >= discrete_gaussian::max_sigma)) {
    throw std::invalid_argument("The noise multiplier is too large.");
  }
  if (shift >= 128) {
    return 1;
  }
  const uint128 whole = product >> shift;
  return static_cast<std::uint64_t>(whole) + (whole << shift != product);
}

}  // namespace stan_dp
#endif
