#ifndef STAN_DP_PRIVACY_RANDOM_BITS_HPP
#define STAN_DP_PRIVACY_RANDOM_BITS_HPP

#include <stan_dp/privacy/integers.hpp>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/random.h>
#endif
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace stan_dp {

/** A page of random words, of which the first `left` are not yet used. */
struct random_block {
  static constexpr std::size_t size = 511;
  std::uint64_t left;
  std::uint64_t words[size];
};

/**
 * A source of independent uniform bits, read in blocks.
 *
 * An object belongs to one thread. It cannot be copied: a copy would give the
 * same bits twice.
 */
class random_bits {
 public:
  random_bits(const random_bits&) = delete;
  random_bits& operator=(const random_bits&) = delete;
  virtual ~random_bits() = default;

  /** 64 bits that were never given out before; none is kept behind. */
  std::uint64_t bits64() {
    if (owner_ != 0 && owner_ != getpid()) {
      forget();
    }
    if (block_->left == 0) {
      refill(block_->words);
      block_->left = random_block::size;
    }
    std::uint64_t& word = block_->words[--block_->left];
    const std::uint64_t result = word;
    word = 0;
    return result;
  }

 protected:
  /**
   * @param block where words are kept until they are used
   * @param owner if not zero, the process outside of which they must not be
   * used
   */
  explicit random_bits(random_block* block, pid_t owner = 0)
      : block_(block), owner_(owner) {}

  /** Writes `random_block::size` fresh words. */
  virtual void refill(std::uint64_t* words) = 0;

 private:
  void forget() {
    block_->left = 0;
    owner_ = getpid();
  }

  random_block* block_;
  pid_t owner_;
};

/**
 * The operating system's cryptographic generator.
 *
 * Its buffer is a page that the kernel wipes in the child of a fork: the child
 * finds it empty and reads fresh bits. Where the kernel cannot do that, every
 * draw compares the process id. Used words are overwritten.
 */
class system_random final : public random_bits {
 public:
  system_random() : system_random(map_page()) {}
  ~system_random() override { munmap(page_.address, sizeof(random_block)); }

 private:
  struct page {
    random_block* address;
    bool wiped_at_fork;
  };

  explicit system_random(page p)
      : random_bits(p.address, p.wiped_at_fork ? 0 : getpid()), page_(p) {}

  static page map_page() {
    void* address = mmap(nullptr, sizeof(random_block), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (address == MAP_FAILED) {
      throw std::bad_alloc();
    }
    bool wiped = false;
#if defined(MADV_WIPEONFORK)
    wiped = madvise(address, sizeof(random_block), MADV_WIPEONFORK) == 0;
#endif
    return {static_cast<random_block*>(address), wiped};
  }

  void refill(std::uint64_t* words) override {
    constexpr std::size_t bytes = random_block::size * sizeof(std::uint64_t);
#if defined(__linux__)
    auto* out = reinterpret_cast<unsigned char*>(words);
    for (std::size_t done = 0; done < bytes;) {
      const ssize_t got = getrandom(out + done, bytes - done, 0);
      if (got > 0) {
        done += static_cast<std::size_t>(got);
      } else if (errno != EINTR) {
        throw std::system_error(errno, std::generic_category(),
                                "the system's random generator failed");
      }
    }
#else
    arc4random_buf(words, bytes);
#endif
  }

  page page_;
};

/** Single bits of a source; what is left of the last word is thrown away. */
class bit_stream {
 public:
  explicit bit_stream(random_bits& source) : source_(source) {}
  bit_stream(const bit_stream&) = delete;
  bit_stream& operator=(const bit_stream&) = delete;

  bool bit() { return take(1) != 0; }

  /** @param count from 1 to 64 */
  std::uint64_t take(unsigned int count) {
    if (count > left_) {
      word_ = source_.bits64();
      left_ = 64;
    }
    const std::uint64_t result = word_ >> (64 - count);
    word_ = count == 64 ? 0 : word_ << count;
    left_ -= count;
    return result;
  }

 private:
  random_bits& source_;
  std::uint64_t word_ = 0;
  unsigned int left_ = 0;
};

/** Uniform on the odd multiples of 2^-53 in (0, 1); never 0 or 1. */
inline double uniform(random_bits& bits) {
  return (static_cast<double>(bits.bits64() >> 12) + 0.5) * 0x1p-52;
}

/**
 * Standard normal in floating point (Box and Muller), for momenta and
 * proposals. Not for privacy noise: that is `discrete_gaussian`.
 */
inline double normal(random_bits& bits) {
  constexpr double two_pi = 6.283185307179586476925;
  const double radius = std::sqrt(-2 * std::log(uniform(bits)));
  return radius * std::cos(two_pi * uniform(bits));
}

/**
 * Uniform on 0, ..., n - 1, exactly: words whose multiples of 2^64 / n would
 * not be equally many are drawn again (Lemire 2019).
 *
 * @param n above zero
 */
inline std::uint64_t uniform_below(random_bits& bits, std::uint64_t n) {
  if (n == 0) {
    throw std::invalid_argument("uniform_below: n must be above zero.");
  }
  const std::uint64_t rejected = (0 - n) % n;  // 2^64 mod n
  uint128 product;
  do {
    product = static_cast<uint128>(bits.bits64()) * n;
  } while (static_cast<std::uint64_t>(product) < rejected);
  return static_cast<std::uint64_t>(product >> 64);
}

}  // namespace stan_dp
#endif
