#include <stan_dp/samplers/warm_start.hpp>
#include <gtest/gtest.h>
#include <tests/samplers/support.hpp>
#include <cmath>

using namespace stan_dp;
using namespace stan_dp_test;

namespace {

/**
 * 400 units around (2, -2), the second coordinate with a quarter of the first
 * one's information: posterior standard deviations of 1 / 20 and 1 / 10.
 */
std::vector<density> two_scales() {
  std::vector<density> units;
  for (const VectorXd& x : spread_points(400, 2, 2, 0.5)) {
    units.push_back([x](const VectorXd& theta, VectorXd& gradient) {
      const VectorXd w = (VectorXd(2) << 1, 0.25).finished();
      gradient = w.cwiseProduct(x - theta);
      return -0.5 * gradient.dot(x - theta);
    });
  }
  return units;
}

TEST(WarmStartTest, finds_the_posterior_and_its_scales) {
  const function_units units(2, two_scales());
  const auto prior = gaussian_prior(2, 1e-3);
  chain_bench bench(prior, units, make_plan({warm_start::planned()}, false),
                    {100, 100}, 3);
  const warm_start_result found = warm_start::run(bench.posterior, bench.bits,
                                                  VectorXd::Constant(2, -1), 0);
  // A subsample of 20 units in 400 says (x - theta) / rate: 500 of them place
  // the mean to within 0.5 sqrt(20 / 500) / 20 = a fifth of the first sd.
  EXPECT_NEAR(found.mean[0], 2, 0.05);
  EXPECT_NEAR(found.mean[1], -2, 0.1);
  // the ratio of the scales is 2, of the inverse metric's elements 4
  const VectorXd inverse = found.metric().inverse();
  EXPECT_NEAR(std::log(inverse[1] / inverse[0]), std::log(4), 0.5);
  EXPECT_NEAR(inverse[0] * inverse[1], 1, 1e-12);
}

TEST(WarmStartTest, spends_what_it_planned) {
  const function_units units(2, two_scales());
  const auto prior = gaussian_prior(2, 1e-3);
  mechanism planned = warm_start::planned();
  planned.noise = 3;
  chain_bench bench(prior, units, make_plan({planned}), {1, 1}, 3);
  warm_start::run(bench.posterior, bench.bits, VectorXd::Zero(2), 0);
  EXPECT_EQ(bench.meter.left(0), 0);
}

}  // namespace
