#include <stan_dp/samplers/penalty_test.hpp>
#include <stan_dp/privacy/seeded_random.hpp>
#include <gtest/gtest.h>
#include <cmath>
#include <limits>

using stan_dp::metropolis;
using stan_dp::penalty_test;

namespace {

/** Mean acceptance probability over xi ~ N(0, sd^2), by the midpoint rule. */
double mean_acceptance(const penalty_test& test, double kinetic_drop,
                       double log_prior_gain, double ratio, double sd) {
  const double width = 1e-3;
  double sum = 0;
  for (double x = -10 + width / 2; x < 10; x += width) {
    const double a = test.log_probability(kinetic_drop, log_prior_gain,
                                          ratio + sd * x, sd);
    sum += std::exp(std::min(0.0, a) - x * x / 2) * width;
  }
  return sum / std::sqrt(2 * M_PI);
}

}  // namespace

// Detailed balance in mean over the noise: a move and the move back are
// accepted with probabilities whose ratio is that of the tempered posteriors.
TEST(PenaltyTest, balances_moves_under_noise) {
  for (const double tempering : {1.0, 0.5, 0.1}) {
    for (const double sd : {0.3, 1.0, 3.0}) {
      for (const double ratio : {-2.0, 0.4, 3.0}) {
        const penalty_test test{tempering};
        const double there = mean_acceptance(test, 0.2, -0.7, ratio, sd);
        const double back = mean_acceptance(test, -0.2, 0.7, -ratio, sd);
        EXPECT_NEAR(std::log(there / back), 0.2 - 0.7 + tempering * ratio, 1e-5)
            << tempering << " " << sd << " " << ratio;
      }
    }
  }
}

TEST(PenaltyTest, is_plain_metropolis_without_noise) {
  EXPECT_EQ(penalty_test{1}.log_probability(1, 2, 3, 0), 6);
}

TEST(Metropolis, accepts_with_its_probability) {
  stan_dp::seeded_random bits(1);
  const int tries = 100000;
  int accepted = 0;
  for (int i = 0; i < tries; ++i) {
    accepted += metropolis(bits, std::log(0.3)).accepted;
  }
  // binomial sd 0.00145; five of them
  EXPECT_NEAR(static_cast<double>(accepted) / tries, 0.3, 0.0073);
}

TEST(Metropolis, rejects_what_is_not_a_number) {
  stan_dp::seeded_random bits(1);
  const auto result
      = metropolis(bits, std::numeric_limits<double>::quiet_NaN());
  EXPECT_FALSE(result.accepted);
  EXPECT_EQ(result.probability, 0);
}

TEST(Metropolis, rejects_minus_infinity) {
  stan_dp::seeded_random bits(1);
  const auto result
      = metropolis(bits, -std::numeric_limits<double>::infinity());
  EXPECT_FALSE(result.accepted);
  EXPECT_EQ(result.probability, 0);
}

TEST(Metropolis, gives_no_subnormal_number) {
  stan_dp::seeded_random bits(1);
  EXPECT_EQ(metropolis(bits, -720).probability, 0);
  EXPECT_GT(metropolis(bits, -700).probability, 0);
}
