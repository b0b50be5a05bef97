#include <stan_dp/privacy/poisson_subsample.hpp>
#include <stan_dp/privacy/seeded_random.hpp>
#include <tests/privacy/chi_square.hpp>
#include <tests/privacy/fake_units.hpp>
#include <gtest/gtest.h>
#include <boost/math/distributions/binomial.hpp>
#include <algorithm>
#include <cmath>
#include <limits>

using namespace stan_dp;

namespace {

/**
 * Words that give unit 0 the number `x` as its 64 bits, if n = 1: in each
 * round the lowest bit of three words holds the next three bits of x.
 */
std::vector<std::uint64_t> script_for(std::uint64_t x) {
  std::vector<std::uint64_t> script;
  for (int bit = 63; bit >= 0; --bit) {
    script.push_back((x >> bit) & 1);
  }
  return script;
}

bool included(std::uint64_t x, double rate) {
  scripted_bits bits(script_for(x));
  return !poisson_subsample(bits, 1, rate).empty();
}

}  // namespace

// ceil(q 2^64) is the first number that is out, whatever q.
TEST(PoissonSubsample, includes_a_unit_when_its_bits_are_below_the_threshold) {
  seeded_random bits(1);
  for (int i = 0; i < 2000; ++i) {
    const double rate = std::ldexp(uniform(bits), -(i % 60));
    const auto t = static_cast<std::uint64_t>(std::ceil(std::ldexp(rate, 64)));
    EXPECT_TRUE(included(t - 1, rate)) << rate;
    EXPECT_FALSE(included(t, rate)) << rate;
    EXPECT_FALSE(included(t + 1, rate)) << rate;
    const std::uint64_t any = bits.bits64();
    EXPECT_EQ(included(any, rate), any < t) << rate;
  }
}

TEST(PoissonSubsample, a_tiny_rate_still_includes_the_smallest_number) {
  EXPECT_TRUE(included(0, std::numeric_limits<double>::denorm_min()));
  EXPECT_FALSE(included(1, std::numeric_limits<double>::denorm_min()));
}

TEST(PoissonSubsample, takes_all_units_at_rate_one) {
  seeded_random bits(2);
  EXPECT_EQ(poisson_subsample(bits, 3, 1), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_TRUE(poisson_subsample(bits, 0, 0.5).empty());
}

TEST(PoissonSubsample, refuses_rates_outside_of_zero_to_one) {
  seeded_random bits(3);
  for (const double rate : {0.0, -0.1, 1.5, std::nan("")}) {
    EXPECT_THROW(poisson_subsample(bits, 3, rate), std::invalid_argument);
  }
}

TEST(PoissonSubsample, has_binomial_sizes_and_treats_units_alike) {
  seeded_random bits(4);
  const std::size_t n = 200;
  const int runs = 40000;
  const double rate = 0.03;
  std::vector<double> units(n, 0), sizes(16, 0);
  double pairs = 0;
  for (int run = 0; run < runs; ++run) {
    const auto batch = poisson_subsample(bits, n, rate);
    EXPECT_TRUE(std::is_sorted(batch.begin(), batch.end()));
    sizes[std::min<std::size_t>(batch.size(), 15)] += 1;
    for (const std::size_t i : batch) {
      units[i] += 1;
    }
    pairs += std::binary_search(batch.begin(), batch.end(), 3u)
             && std::binary_search(batch.begin(), batch.end(), 67u);
  }
  EXPECT_GT(chi_square_p(units, std::vector<double>(n, runs * rate)), 1e-4);
  const boost::math::binomial law(n, rate);
  std::vector<double> expected(16);
  for (int k = 0; k < 15; ++k) {
    expected[k] = runs * boost::math::pdf(law, k);
  }
  expected[15] = runs * boost::math::cdf(boost::math::complement(law, 14));
  EXPECT_GT(chi_square_p(sizes, expected), 1e-4);
  // 36 pairs are expected; four standard deviations are 24
  EXPECT_NEAR(pairs, runs * rate * rate, 24);
}
