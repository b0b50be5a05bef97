#include <stan_dp/privacy/log_ratio.hpp>
#include <stan_dp/privacy/seeded_random.hpp>
#include <gtest/gtest.h>
#include <cmath>
#include <cstring>
#include <limits>

using namespace stan_dp;

namespace {
constexpr double inf = std::numeric_limits<double>::infinity();
const double nan_value = std::nan("");
}  // namespace

TEST(LogRatio, is_the_difference_clipped_to_the_bound) {
  EXPECT_EQ(lattice_log_ratio(-1, -0.5, 2), lattice_unit / 4);
  EXPECT_EQ(lattice_log_ratio(-0.5, -1, 2), -lattice_unit / 4);
  EXPECT_EQ(lattice_log_ratio(0, 3, 2), lattice_unit);
  EXPECT_EQ(lattice_log_ratio(0, -3, 2), -lattice_unit);
  EXPECT_EQ(lattice_log_ratio(0, 2, 2), lattice_unit);
  EXPECT_EQ(lattice_log_ratio(-1e308, 1e308, 2), lattice_unit);
  EXPECT_EQ(lattice_log_ratio(1, 1, 1e-300), 0);
}

TEST(LogRatio, a_value_that_is_not_finite_counts_as_minus_infinity) {
  for (const double bad : {inf, -inf, nan_value}) {
    EXPECT_EQ(lattice_log_ratio(-1, bad, 2), -lattice_unit);
    EXPECT_EQ(lattice_log_ratio(bad, -1, 2), lattice_unit);
    for (const double other : {inf, -inf, nan_value}) {
      EXPECT_EQ(lattice_log_ratio(bad, other, 2), 0);
    }
  }
}

TEST(LogRatio, no_unit_moves_the_sum_by_more_than_the_sensitivity) {
  seeded_random bits(1);
  const auto any = [&bits] {
    const std::uint64_t word = bits.bits64();
    double x;
    std::memcpy(&x, &word, sizeof(x));
    return x;
  };
  for (int i = 0; i < 100000; ++i) {
    const double bound = std::abs(any());
    if (!std::isfinite(bound) || bound == 0) {
      continue;
    }
    const lattice_sum sum = log_ratio_sum({any()}, {any()}, bound);
    EXPECT_TRUE(sum[0] <= lattice_sensitivity(1)
                && sum[0] >= -lattice_sensitivity(1));
  }
}

TEST(LogRatio, sums_over_units) {
  const lattice_sum sum
      = log_ratio_sum({0, 0, nan_value, -1}, {1, -5, nan_value, inf}, 2);
  EXPECT_TRUE(sum[0] == lattice_unit / 2 - 2 * lattice_unit);
  EXPECT_THROW(log_ratio_sum({0}, {}, 2), std::logic_error);
}
