#include <stan_dp/privacy/block_count.hpp>
#include <stan_dp/privacy/seeded_random.hpp>
#include <tests/privacy/chi_square.hpp>
#include <tests/privacy/fake_units.hpp>
#include <gtest/gtest.h>
#include <boost/math/distributions/binomial.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <algorithm>
#include <cmath>
#include <limits>

using namespace stan_dp;

namespace {

/** Distribution function of the count, to 100 digits, by another route. */
boost::multiprecision::cpp_bin_float_100 reference_cdf(std::uint64_t t, int k) {
  using real = boost::multiprecision::cpp_bin_float_100;
  const real p = ldexp(real(t), -64);
  real sum = 0, choose = 1;
  for (int j = 0; j <= k; ++j) {
    sum += choose * pow(p, j) * pow(1 - p, 512 - j);
    choose = choose * (512 - j) / (j + 1);
  }
  return sum;
}

TEST(BlockCountTest, thresholds_are_the_binomial_distribution_function) {
  for (const double rate : {1e-9, 0.005, 0.125}) {
    const auto t = static_cast<std::uint64_t>(std::ceil(std::ldexp(rate, 64)));
    const block_count count(t);
    const auto& words = count.first_words();
    for (std::size_t k = 0; k < words.size(); k += 1 + k / 3) {
      const auto expected = static_cast<std::uint64_t>(
          boost::multiprecision::cpp_int(ldexp(reference_cdf(t, k), 64)));
      EXPECT_EQ(words[k], expected) << rate << ", k = " << k;
    }
    EXPECT_EQ(words.back(), std::numeric_limits<std::uint64_t>::max());
  }
}

TEST(BlockCountTest, counts_from_the_first_word_beside_a_threshold) {
  const block_count count(std::uint64_t{1} << 57);
  const auto& words = count.first_words();
  for (std::size_t k = 0; k + 1 < words.size(); ++k) {
    scripted_bits below({words[k] - 1});
    EXPECT_EQ(count(below), static_cast<int>(k));
    scripted_bits above({words[k] + 1});
    EXPECT_EQ(count(above), static_cast<int>(k) + 1);
  }
}

TEST(BlockCountTest, a_tie_is_settled_by_further_words) {
  const block_count half(std::uint64_t{1} << 63);
  ASSERT_EQ(half.first_words()[0], 0u);
  // F(0) = 2^-512 is bit 512 after the point, the last of the eighth word
  scripted_bits zero({0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(half(zero), 0);
  scripted_bits equal({0, 0, 0, 0, 0, 0, 0, 1, 0, 0});
  EXPECT_GT(half(equal), 0);
  // F(1) = 513 * 2^-512: 512 is below it, 513 is not
  scripted_bits one({0, 0, 0, 0, 0, 0, 0, 512, 0, 0});
  EXPECT_EQ(half(one), 1);
}

TEST(BlockCountTest, has_binomial_frequencies) {
  seeded_random bits(1);
  const double rate = 0.005;
  const block_count count(
      static_cast<std::uint64_t>(std::ceil(std::ldexp(rate, 64))));
  const int runs = 200000;
  std::vector<double> seen(10, 0), expected(10);
  for (int i = 0; i < runs; ++i) {
    seen[std::min(count(bits), 9)] += 1;
  }
  const boost::math::binomial law(512, rate);
  for (int k = 0; k < 9; ++k) {
    expected[k] = runs * boost::math::pdf(law, k);
  }
  expected[9] = runs * boost::math::cdf(boost::math::complement(law, 8));
  EXPECT_GT(chi_square_p(seen, expected), 1e-4);
}

}  // namespace
