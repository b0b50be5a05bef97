#ifndef STAN_DP_ROWS_SYNTHETIC_VALUES_HPP
#define STAN_DP_ROWS_SYNTHETIC_VALUES_HPP

#include <stan_dp/rows/shape.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <random>
#include <vector>

/** @file
 * A palette of invented values for one row of a data variable. A pattern fills
 * the last axis (two, for matrices) at a time, since that is where Stan's
 * constraints live: simplex, ordered, unit vector, covariance.
 */
namespace stan_dp {

using synthetic_rng = std::mt19937;

template <typename T>
struct synthetic_pattern {
  /** fills `size` values */
  std::function<void(synthetic_rng&, std::size_t size, T* out)> fill;
  /** whether it fills the last two axes at a time, rather than the last */
  bool matrix = false;
};

namespace internal {

template <typename T, typename Draw>
synthetic_pattern<T> elementwise(Draw draw) {
  return {[draw](synthetic_rng& rng, std::size_t size, T* out) {
    for (std::size_t i = 0; i < size; ++i) {
      out[i] = draw(rng);
    }
  }};
}

inline synthetic_pattern<double> constant(double value) {
  return elementwise<double>([value](synthetic_rng&) { return value; });
}

inline synthetic_pattern<double> uniform_reals(double low, double high) {
  return elementwise<double>([=](synthetic_rng& rng) {
    return std::uniform_real_distribution<double>(low, high)(rng);
  });
}

inline synthetic_pattern<int> uniform_ints(int low, int high) {
  return elementwise<int>([=](synthetic_rng& rng) {
    return std::uniform_int_distribution<int>(low, high)(rng);
  });
}

inline synthetic_pattern<double> normal_reals(double scale) {
  return elementwise<double>([scale](synthetic_rng& rng) {
    return std::normal_distribution<double>(0, scale)(rng);
  });
}

/** Positive values divided by their sum. */
inline void draw_simplex(synthetic_rng& rng, std::size_t size, double* out) {
  uniform_reals(0.5, 1.5).fill(rng, size, out);
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    sum += out[i];
  }
  std::for_each(out, out + size, [sum](double& x) { x /= sum; });
}

inline void draw_ordered(synthetic_rng& rng, std::size_t size, double* out) {
  uniform_reals(0.2, 1).fill(rng, size, out);
  for (std::size_t i = 1; i < size; ++i) {
    out[i] += out[i - 1];
  }
}

inline void draw_unit_vector(synthetic_rng& rng, std::size_t size,
                             double* out) {
  normal_reals(1).fill(rng, size, out);
  double square = 0;
  for (std::size_t i = 0; i < size; ++i) {
    square += out[i] * out[i];
  }
  std::for_each(out, out + size,
                [square](double& x) { x /= std::sqrt(square); });
}

/** Scaled identity matrices, if the size is a square. */
inline synthetic_pattern<double> identity(double low, double high) {
  const auto fill = [=](synthetic_rng& rng, std::size_t size, double* out) {
    const auto n = static_cast<std::size_t>(
        std::lround(std::sqrt(static_cast<double>(size))));
    const double value = std::uniform_real_distribution<double>(low, high)(rng);
    for (std::size_t i = 0; i < size; ++i) {
      out[i] = i % (n + 1) == 0 ? value : 0;
    }
  };
  return {fill, true};
}

}  // namespace internal

/** Palette for reals: common ranges first, then structured values. */
inline const std::vector<synthetic_pattern<double>>& real_palette() {
  using namespace internal;  // NOLINT
  static const std::vector<synthetic_pattern<double>> palette{
      uniform_reals(0, 1), normal_reals(1),       uniform_reals(1, 3),
      {draw_ordered},      {draw_simplex},        {draw_unit_vector},
      identity(0.5, 2),    identity(1, 1),        uniform_reals(-1, 0),
      constant(0.5),       constant(1),           constant(0),
      constant(2),         constant(-1),          uniform_reals(5, 50),
      constant(10),        uniform_reals(-10, -2)};
  return palette;
}

/** Palette for integers. */
inline const std::vector<synthetic_pattern<int>>& integer_palette() {
  using namespace internal;  // NOLINT
  static const std::vector<synthetic_pattern<int>> palette{
      uniform_ints(0, 1),   uniform_ints(1, 2),  uniform_ints(1, 3),
      uniform_ints(0, 5),   uniform_ints(1, 8),  uniform_ints(1, 1),
      uniform_ints(0, 0),   uniform_ints(2, 2),  uniform_ints(3, 20),
      uniform_ints(-1, -1), uniform_ints(-3, 3), uniform_ints(10, 100)};
  return palette;
}

/**
 * A pattern's values for one row.
 *
 * @param dims dimensions without the row axis; column-major, so that pieces of
 * the last axes lie a stride apart
 */
template <typename T>
std::vector<T> draw_row(const synthetic_pattern<T>& pattern, synthetic_rng& rng,
                        const dimensions& dims) {
  const std::size_t size = num_elements(dims);
  std::size_t run = dims.empty() ? 1 : dims.back();
  if (pattern.matrix && dims.size() > 1) {
    run *= dims[dims.size() - 2];
  }
  const std::size_t stride = run == 0 ? 0 : size / run;
  std::vector<T> values(size);
  std::vector<T> piece(run);
  for (std::size_t start = 0; start < stride; ++start) {
    pattern.fill(rng, run, piece.data());
    for (std::size_t i = 0; i < run; ++i) {
      values[start + i * stride] = piece[i];
    }
  }
  return values;
}

}  // namespace stan_dp
#endif
