#ifndef STAN_DP_PRIVACY_BLOCK_COUNT_HPP
#define STAN_DP_PRIVACY_BLOCK_COUNT_HPP

#include <stan_dp/privacy/random_bits.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace stan_dp {

/**
 * How many of 512 units a Poisson subsample includes, each with probability
 * `t / 2^64`: binomial, exactly.
 *
 * The distribution function F is a fraction with denominator 2^(64 * 512),
 * computed in integers. A number U, uniform on (0, 1), is drawn 64 bits at a
 * time, and the count is the first k with `U < F(k)`. One word settles it
 * unless it equals the first word of an F(k), which happens once in 2^58 draws;
 * then more words are drawn and compared with all of F(k).
 */
class block_count {
 public:
  static constexpr int size = 512;

  /** @param t above zero */
  explicit block_count(std::uint64_t t) : t_(t) {
    exact_cdf cdf(t);
    do {
      first_words_.push_back(cdf.word(0));
    } while (first_words_.back() != std::numeric_limits<std::uint64_t>::max()
             && cdf.advance());
  }

  int operator()(random_bits& bits) const {
    const std::uint64_t u = bits.bits64();
    for (std::size_t k = 0; k < first_words_.size(); ++k) {
      if (u < first_words_[k]) {
        return static_cast<int>(k);
      }
      if (u == first_words_[k]) {
        return settle(u, bits);
      }
    }
    return size;
  }

  /** The first 64 bits of F(0), F(1), ..., until they are all ones. */
  const std::vector<std::uint64_t>& first_words() const { return first_words_; }

 private:
  using integer = boost::multiprecision::cpp_int;

  /** F(k) times 2^(64 * 512), for k = 0, 1, ... */
  class exact_cdf {
   public:
    explicit exact_cdf(std::uint64_t t)
        : t_(t),
          out_((integer(1) << 64) - t),
          term_(pow(out_, size)),
          sum_(term_) {}

    int k() const { return k_; }

    /** Goes on to the next k; false at the last one, where F is 1. */
    bool advance() {
      if (k_ == size) {
        return false;
      }
      // C(n, k) t^k out^(n - k): each division is exact
      term_ = term_ * (size - k_) / (k_ + 1) / out_ * t_;
      sum_ += term_;
      return ++k_ < size;
    }

    /** Bits 64 i to 64 i + 63 after the point, F below 1. */
    std::uint64_t word(int i) const {
      return static_cast<std::uint64_t>((sum_ >> (64 * (size - 1 - i)))
                                        & ~std::uint64_t{0});
    }

   private:
    integer t_, out_, term_, sum_;
    int k_ = 0;
  };

  /** The count for a U that begins with the word `u`, by full comparison. */
  int settle(std::uint64_t u, random_bits& bits) const {
    std::vector<std::uint64_t> words{u};
    const auto below = [&](const exact_cdf& cdf) {
      for (int i = 0; i < size; ++i) {
        if (i == static_cast<int>(words.size())) {
          words.push_back(bits.bits64());
        }
        if (words[i] != cdf.word(i)) {
          return words[i] < cdf.word(i);
        }
      }
      return false;
    };
    exact_cdf cdf(t_);
    do {
      if (below(cdf)) {
        return cdf.k();
      }
    } while (cdf.advance());
    return size;
  }

  std::uint64_t t_;
  std::vector<std::uint64_t> first_words_;
};

}  // namespace stan_dp
#endif
