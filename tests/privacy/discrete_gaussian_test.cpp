#include <stan_dp/privacy/discrete_gaussian.hpp>
#include <stan_dp/privacy/seeded_random.hpp>
#include <tests/privacy/chi_square.hpp>
#include <tests/privacy/fake_units.hpp>
#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include <map>

using namespace stan_dp;
using boost::multiprecision::cpp_int;

// All p-values are of runs with fixed seeds; a right sampler passes a new seed
// with probability 1 - 1e-4.
TEST(DiscreteGaussian, matches_the_exact_pmf_for_small_sigma) {
  for (const int sigma : {1, 2, 5, 23}) {
    seeded_random source(sigma);
    bit_stream bits(source);
    const discrete_gaussian law(sigma);
    const int n = 400000;
    std::map<long, double> counts;
    for (int i = 0; i < n; ++i) {
      counts[static_cast<long>(law(bits))] += 1;
    }
    double total = 0;
    const auto weight
        = [sigma](long x) { return std::exp(-0.5 * x * x / (sigma * sigma)); };
    for (long x = -40 * sigma; x <= 40 * sigma; ++x) {
      total += weight(x);
    }
    std::vector<double> observed{0}, expected{0};
    for (long x = -40 * sigma; x <= 40 * sigma; ++x) {
      const double mass = n * weight(x) / total;
      if (mass > 10) {
        observed.push_back(counts[x]);
        expected.push_back(mass);
      } else {
        observed[0] += counts[x];
        expected[0] += mass;
      }
    }
    EXPECT_GT(chi_square_p(observed, expected), 1e-4) << sigma;
  }
}

// At these sigmas the law is the normal's to far more digits than the standard
// errors: those of mean, variance and fourth moment at n = 10^6 are 1, sqrt(2)
// and sqrt(96) thousandths; tail counts have sd sqrt(n p). Five are allowed.
TEST(DiscreteGaussian, has_normal_moments_and_tails_for_large_sigma) {
  for (const int power : {20, 31, 40, 50, 62}) {
    seeded_random source(power);
    bit_stream bits(source);
    const discrete_gaussian law(std::uint64_t{1} << power);
    const int n = power == 62 ? 100000 : 1000000;
    const double error = 1 / std::sqrt(n);
    double sum1 = 0, sum2 = 0, sum4 = 0;
    double above[5] = {}, below[5] = {};
    for (int i = 0; i < n; ++i) {
      const double x = std::ldexp(static_cast<double>(law(bits)), -power);
      sum1 += x;
      sum2 += x * x;
      sum4 += x * x * x * x;
      for (int t = 0; t < 5; ++t) {
        above[t] += x > t;
        below[t] += x < -t;
      }
    }
    EXPECT_NEAR(sum1 / n, 0, 5 * error) << power;
    EXPECT_NEAR(sum2 / n, 1, 5 * error * std::sqrt(2)) << power;
    EXPECT_NEAR(sum4 / n, 3, 5 * error * std::sqrt(96)) << power;
    for (int t = 0; t < 5; ++t) {
      const double mass = n * std::erfc(t / std::sqrt(2)) / 2;
      EXPECT_NEAR(above[t], mass, 5 * std::sqrt(mass)) << power << " " << t;
      EXPECT_NEAR(below[t], mass, 5 * std::sqrt(mass)) << power << " " << t;
    }
  }
}

// A sampler that went through doubles would leave traces in the lowest bits.
TEST(DiscreteGaussian, has_uniform_lowest_bits_for_large_sigma) {
  for (const int power : {31, 50, 60}) {
    seeded_random source(power);
    bit_stream bits(source);
    const discrete_gaussian law((std::uint64_t{1} << power) + 1);
    std::vector<double> counts(64, 0);
    for (int i = 0; i < 128000; ++i) {
      counts[static_cast<std::uint64_t>(law(bits)) & 63] += 1;
    }
    EXPECT_GT(chi_square_p(counts, std::vector<double>(64, 2000)), 1e-4);
  }
}

TEST(DiscreteGaussian, native_and_general_integers_decide_alike) {
  seeded_random choice(1);
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t sigma = 1 + (choice.bits64() >> (14 + i % 50));
    const internal::laplace_magnitude y{uniform_below(choice, sigma),
                                        choice.bits64() >> (52 + i % 12)};
    ASSERT_TRUE(internal::fits_native(y, sigma));
    seeded_random first(i), second(i);
    bit_stream bits(first), same_bits(second);
    const bool answer = internal::accept_laplace<uint128>(y, sigma, bits);
    EXPECT_EQ(answer, internal::accept_laplace<cpp_int>(y, sigma, same_bits));
    EXPECT_EQ(bits.take(60), same_bits.take(60));
    accepted += answer;
  }
  EXPECT_GT(accepted, 1000);
}

TEST(DiscreteGaussian, native_integers_hold_the_extreme_case) {
  const std::uint64_t sigma = std::uint64_t{1} << 50;
  EXPECT_TRUE(internal::fits_native({0, 4095}, sigma));
  EXPECT_FALSE(internal::fits_native({0, 4096}, sigma));
  EXPECT_FALSE(internal::fits_native({0, 0}, sigma + 1));
  const cpp_int value = cpp_int(sigma - 1) + cpp_int(sigma) * 4095;
  const cpp_int distance = value - sigma;
  EXPECT_LT(distance * distance, cpp_int(1) << 128);
  EXPECT_LT(cpp_int(sigma) * sigma * 4, cpp_int(1) << 128);
}

// A fraction's digits decide, to the last: random numbers that agree with it
// in 100 bits and lie on either side get the right answers. A comparison in
// floating point cannot tell them apart.
TEST(Bernoulli, is_decided_by_a_digit_far_beyond_double_precision) {
  seeded_random choice(2);
  for (int i = 0; i < 200; ++i) {
    const uint128 denominator
        = (static_cast<uint128>(choice.bits64() >> 27) << 64) | choice.bits64()
          | 1;
    const uint128 numerator
        = ((static_cast<uint128>(choice.bits64()) << 64) | choice.bits64())
          % denominator;
    const cpp_int digits = (cpp_int(numerator) << 120) / cpp_int(denominator);
    const auto answer = [&](const cpp_int& first_digits) {
      const cpp_int all = first_digits << 8;
      scripted_bits script(
          {static_cast<std::uint64_t>(all >> 64),
           static_cast<std::uint64_t>(all & ~std::uint64_t{0})});
      bit_stream bits(script);
      return internal::bernoulli<uint128>(numerator, denominator, bits);
    };
    // the number is digits / 2^120 (then below the fraction) or one step more
    EXPECT_TRUE(answer(digits));
    EXPECT_FALSE(answer(digits + 1));
  }
}

// Standard error sqrt(p (1 - p) / 200000) < 0.00112; five are allowed.
TEST(Bernoulli, of_an_exponential_has_its_probability) {
  seeded_random source(3);
  bit_stream bits(source);
  for (const auto& fraction : std::vector<std::pair<int, int>>{
           {0, 7}, {1, 7}, {1, 2}, {1, 1}, {7, 5}, {3, 1}, {27, 10}}) {
    int yes = 0;
    for (int i = 0; i < 200000; ++i) {
      yes += internal::bernoulli_exp<std::uint64_t>(fraction.first,
                                                    fraction.second, bits);
    }
    EXPECT_NEAR(yes / 200000.0,
                std::exp(-fraction.first / double(fraction.second)), 0.0056);
  }
}

TEST(DiscreteGaussian, refuses_a_sigma_that_it_cannot_sample) {
  EXPECT_THROW(discrete_gaussian(0), std::invalid_argument);
  EXPECT_THROW(discrete_gaussian((std::uint64_t{1} << 62) + 1),
               std::invalid_argument);
}

TEST(NoiseSigma, is_the_exact_product_rounded_up) {
  seeded_random bits(4);
  for (int i = 0; i < 20000; ++i) {
    const double z = std::ldexp(uniform(bits), i % 90 - 70);
    const std::uint64_t sensitivity = (std::uint64_t{1} << 30) + i % 51;
    // z = mantissa / 2^200 exactly
    const cpp_int mantissa
        = cpp_int(static_cast<std::uint64_t>(std::ldexp(z, 52 - std::ilogb(z))))
          << (200 - 52 + std::ilogb(z));
    const cpp_int product = mantissa * sensitivity;
    const cpp_int up = (product + (cpp_int(1) << 200) - 1) >> 200;
    EXPECT_EQ(cpp_int(noise_sigma(z, sensitivity)), up) << z;
  }
}

TEST(NoiseSigma, knows_its_limits) {
  EXPECT_EQ(noise_sigma(0, 1 << 30), 0u);
  EXPECT_EQ(noise_sigma(1, 1 << 30), std::uint64_t{1} << 30);
  EXPECT_EQ(noise_sigma(std::nextafter(1.0, 2.0), 1 << 30),
            (std::uint64_t{1} << 30) + 1);
  EXPECT_EQ(noise_sigma(std::numeric_limits<double>::denorm_min(), 1 << 30),
            1u);
  EXPECT_EQ(noise_sigma(std::ldexp(1.0, 31), 1 << 30), std::uint64_t{1} << 61);
  for (const double z : {-1.0, std::nan(""), 1e300, std::ldexp(1.0, 33),
                         std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(noise_sigma(z, 1 << 30), std::invalid_argument) << z;
  }
}
