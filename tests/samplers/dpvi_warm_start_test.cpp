#include <stan_dp/samplers/dpvi_warm_start.hpp>
#include <gtest/gtest.h>
#include <tests/samplers/support.hpp>
#include <cmath>
#include <vector>

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

/** A warm start on these units; checks that it spends what it planned. */
gaussian_fit run_warm_start(const mechanism& planned, bool engaged, double clip,
                            double tempering,
                            variational_kind kind
                            = variational_kind::mean_field,
                            const std::vector<density>& rows = two_scales()) {
  const function_units units(2, rows);
  const auto prior = gaussian_prior(2, 1e-3);
  const mechanism other{query_kind::log_ratio, 1, 1, 7};
  chain_bench bench(prior, units, make_plan({other, planned}, engaged),
                    {clip, clip}, 3);
  const warm_start_source source = dpvi_warm_start(planned, tempering, kind);
  const gaussian_fit found = source.run(prior, bench.likelihood, bench.bits, 1,
                                        VectorXd::Constant(2, -1));
  EXPECT_EQ(bench.meter.spent(0), 0);
  EXPECT_EQ(bench.meter.left(1), 0);
  return found;
}

/**
 * A subsample of 20 units in 400 says the mean of x - theta to within
 * 0.5 / sqrt(3 * 20) (x is uniform within 0.5 of its centre); the 500 that are
 * averaged place the mean to within 0.003. A quarter of the posterior's sd,
 * 0.05 / 4, is four times as much. omega is seen to within 0.7 by a step
 * without minibatch noise, to within 0.03 by 500; that noise adds as much
 * again.
 */
TEST(DpviWarmStartTest, finds_the_posterior_and_its_scales) {
  const gaussian_fit found
      = run_warm_start(warm_start_mechanism(0), false, 100, 1);
  EXPECT_NEAR(found.mean[0], 2, 0.0125);
  EXPECT_NEAR(found.mean[1], -2, 0.025);
  EXPECT_NEAR(std::log(found.scales()[0] / 0.05), 0, 0.2);
  EXPECT_NEAR(std::log(found.scales()[1] / 0.1), 0, 0.2);
}

/** At a power of 1/4 the likelihood leaves twice the standard deviation. */
TEST(DpviWarmStartTest, tempers_the_likelihood_as_the_chains_do) {
  const gaussian_fit found
      = run_warm_start(warm_start_mechanism(0), false, 100, 0.25);
  EXPECT_NEAR(std::log(found.scales()[0] / 0.1), 0, 0.2);
}

/**
 * 400 units of precision (1, 0.8; 0.8, 1): a posterior with correlation -0.8.
 */
TEST(DpviWarmStartTest, finds_a_correlation_with_full_rank) {
  Eigen::Matrix2d precision;
  precision << 1, 0.8, 0.8, 1;
  std::vector<density> units;
  for (const VectorXd& x : spread_points(400, 2, 2, 0.5)) {
    units.push_back([x, precision](const VectorXd& theta, VectorXd& gradient) {
      gradient = precision * (x - theta);
      return -0.5 * gradient.dot(x - theta);
    });
  }
  const auto correlation = [&](variational_kind kind) {
    const gaussian_fit fit
        = run_warm_start(warm_start_mechanism(0), false, 100, 1, kind, units);
    const Eigen::MatrixXd c = fit.factor * fit.factor.transpose();
    return c(0, 1) / std::sqrt(c(0, 0) * c(1, 1));
  };
  EXPECT_NEAR(correlation(variational_kind::full_rank), -0.8, 0.1);
  EXPECT_EQ(correlation(variational_kind::mean_field), 0);
}

TEST(DpviWarmStartTest, is_finite_under_any_noise) {
  const gaussian_fit found
      = run_warm_start(warm_start_mechanism(1e6), true, 1, 1);
  EXPECT_TRUE(found.mean.allFinite());
  EXPECT_TRUE((found.scales().array() > 0).all());
}

}  // namespace
