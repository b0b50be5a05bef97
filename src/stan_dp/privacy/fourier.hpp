#ifndef STAN_DP_PRIVACY_FOURIER_HPP
#define STAN_DP_PRIVACY_FOURIER_HPP

#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace stan_dp {
namespace internal {

/** A complex product without the library's care for infinities. */
inline std::complex<double> times(std::complex<double> a,
                                  std::complex<double> b) {
  return {a.real() * b.real() - a.imag() * b.imag(),
          a.real() * b.imag() + a.imag() * b.real()};
}

/**
 * Discrete Fourier transform of real sequences whose length is a power of two
 * (Stockham's form, radix 2; a real sequence of length n as a complex one of
 * length n/2). `error()` bounds the error of every output, in units of the sum
 * of the inputs' absolute values: each of the log2(n) + 1 stages multiplies by
 * a root that has an error of one unit and adds, which costs less than five.
 */
class fourier_transform {
 public:
  using complex = std::complex<double>;

  explicit fourier_transform(std::size_t size)
      : size_(size), roots_(size), work_(size / 2), other_(size / 2) {
    constexpr double two_pi = 6.283185307179586477;
    for (std::size_t k = 0; k < size; ++k) {
      double angle
          = -two_pi * (static_cast<double>(k) / static_cast<double>(size));
      roots_[k] = {std::cos(angle), std::sin(angle)};
    }
  }

  std::size_t size() const { return size_; }

  double error() const {
    return 5 * std::numeric_limits<double>::epsilon()
           * (4 + std::log2(static_cast<double>(size_)));
  }

  /** Root of unity exp(-2 pi i k / n), k below n */
  complex root(std::size_t k) const { return roots_[k]; }

  /** Frequencies 0 to n/2 of `values`. */
  void forward(const std::vector<double>& values, std::vector<complex>& out) {
    std::size_t half = size_ / 2;
    for (std::size_t i = 0; i < half; ++i) {
      work_[i] = {values[2 * i], values[2 * i + 1]};
    }
    run();
    out.resize(half + 1);
    for (std::size_t k = 0; k <= half; ++k) {
      complex a = work_[k % half];
      complex b = std::conj(work_[(half - k) % half]);
      complex odd
          = times(roots_[k], {0.5 * (a - b).imag(), -0.5 * (a - b).real()});
      out[k] = 0.5 * (a + b) + odd;
    }
  }

  /** The real sequence with these frequencies 0 to n/2. */
  void inverse(const std::vector<complex>& in, std::vector<double>& values) {
    std::size_t half = size_ / 2;
    double scale = 1 / static_cast<double>(half);
    for (std::size_t k = 0; k < half; ++k) {
      complex a = in[k];
      complex b = std::conj(in[half - k]);
      complex odd = times(std::conj(roots_[k]), 0.5 * (a - b));
      complex even = 0.5 * (a + b);
      // The conjugate, so that the forward transform inverts.
      work_[k] = {even.real() - odd.imag(), -(even.imag() + odd.real())};
    }
    run();
    values.resize(size_);
    for (std::size_t i = 0; i < half; ++i) {
      values[2 * i] = scale * work_[i].real();
      values[2 * i + 1] = -scale * work_[i].imag();
    }
  }

 private:
  /** Complex transform of `work_`, of length n/2. */
  void run() {
    std::size_t half = size_ / 2;
    std::size_t stride = 1;
    for (std::size_t length = half; length > 1; length /= 2, stride *= 2) {
      std::size_t middle = length / 2;
      for (std::size_t p = 0; p < middle; ++p) {
        complex root = roots_[2 * stride * p];
        const complex* a = &work_[stride * p];
        const complex* b = &work_[stride * (p + middle)];
        complex* low = &other_[2 * stride * p];
        complex* high = low + stride;
        for (std::size_t q = 0; q < stride; ++q) {
          complex x = a[q];
          complex y = b[q];
          low[q] = x + y;
          high[q] = times(x - y, root);
        }
      }
      std::swap(work_, other_);
    }
  }

  std::size_t size_;
  std::vector<complex> roots_;
  std::vector<complex> work_;
  std::vector<complex> other_;
};

}  // namespace internal
}  // namespace stan_dp
#endif
