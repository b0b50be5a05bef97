#include <stan_dp/privacy/poisson_sampler.hpp>
#include <stan_dp/privacy/seeded_random.hpp>
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

using namespace stan_dp;

namespace {

/** Two whole blocks and a part of one. */
constexpr std::size_t units = 1100;

class PoissonSamplerTest : public testing::TestWithParam<double> {};

TEST_P(PoissonSamplerTest, has_binomial_sizes_and_treats_units_alike) {
  const double rate = GetParam();
  const poisson_sampler sampler(rate);
  seeded_random bits(7);
  const int runs = 20000;
  std::vector<double> each(units, 0);
  double sum = 0, squares = 0, pairs = 0;
  for (int run = 0; run < runs; ++run) {
    const auto batch = sampler(bits, units);
    ASSERT_TRUE(std::is_sorted(batch.begin(), batch.end()));
    ASSERT_EQ(std::adjacent_find(batch.begin(), batch.end()), batch.end());
    for (const std::size_t i : batch) {
      each.at(i) += 1;
    }
    const auto has = [&batch](std::size_t i) {
      return std::binary_search(batch.begin(), batch.end(), i);
    };
    pairs += has(3) && has(400);
    sum += batch.size();
    squares += static_cast<double>(batch.size()) * batch.size();
  }
  double statistic = 0;
  for (const double count : each) {
    statistic += (count - runs * rate) * (count - runs * rate)
                 / (runs * rate * (1 - rate));
  }
  // chi square with 1100 degrees, normal to a good approximation
  EXPECT_NEAR(statistic, units, 4 * std::sqrt(2.0 * units));
  const double variance = units * rate * (1 - rate);
  EXPECT_NEAR(sum / runs, units * rate, 4 * std::sqrt(variance / runs));
  // the relative error of a variance is sqrt(2 / runs) = 1 %
  EXPECT_NEAR((squares - sum * sum / runs) / runs / variance, 1, 0.05);
  const double both = rate * rate;
  EXPECT_NEAR(pairs / runs, both, 4 * std::sqrt(both / runs));
}

INSTANTIATE_TEST_SUITE_P(Rates, PoissonSamplerTest,
                         testing::Values(0.005, 0.03, 0.125, 0.4));

TEST(PoissonSamplerTest, takes_all_units_at_rate_one) {
  seeded_random bits(2);
  const auto all = poisson_sampler(1)(bits, 600);
  ASSERT_EQ(all.size(), 600u);
  EXPECT_EQ(all.back(), 599u);
}

TEST(PoissonSamplerTest, refuses_rates_outside_of_zero_to_one) {
  seeded_random bits(3);
  for (const double rate : {0.0, -0.1, 1.5, std::nan("")}) {
    const poisson_sampler sampler(rate);
    EXPECT_THROW(sampler(bits, 600), std::invalid_argument);
  }
}

TEST(PoissonSamplerTest, of_no_units_is_empty) {
  seeded_random bits(3);
  EXPECT_TRUE(poisson_sampler(0.01)(bits, 0).empty());
}

}  // namespace
