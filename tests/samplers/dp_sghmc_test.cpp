#include <stan_dp/samplers/dp_sghmc.hpp>
#include <stan_dp/samplers/sg_noise.hpp>
#include <tests/samplers/sg_test.hpp>
#include <gtest/gtest.h>
#include <cmath>
#include <vector>

using namespace stan_dp_test;
using stan_dp::dp_sghmc;
using stan_dp::sg_noise;

namespace {

struct sghmc_setup {
  double rate = 1;
  double stepsize = 0.04;
  double friction = 0;
  int num_leapfrog = 10;
  double z = 0.1;
  double clip = 50;
  int iterations = 20000;
  bool engaged = true;
};

std::vector<VectorXd> run_sghmc(const function_units& units, sghmc_setup s) {
  const auto prior = flat_prior(2);
  chain_bench bench(prior, units,
                    make_plan({{gradient_query, s.rate, s.z,
                                std::int64_t{s.iterations} * s.num_leapfrog}},
                              s.engaged),
                    {s.clip, s.clip}, 21);
  dp_sghmc kernel(bench.posterior, bench.bits, s.num_leapfrog, s.friction);
  auto state = kernel.start(VectorXd::Zero(2));
  std::vector<VectorXd> draws;
  for (int i = 0; i < s.iterations; ++i) {
    state = kernel.transition(state, s.stepsize, {0, s.rate}).first;
    draws.push_back(state.theta);
  }
  EXPECT_EQ(bench.meter.left(0), 0);
  return draws;
}

/**
 * Variance times precision h = 4 against the temperature that theory gives.
 * Discretisation adds at most eta^2 h / 4 = 0.16 %, the refreshed momentum of
 * finite trajectories about as much: 1 % is allowed for them.
 */
void expect_temperature(const sghmc_setup& s, double temperature) {
  const auto draws = run_sghmc(function_units(2, ring_units(0.1)), s);
  for (int j = 0; j < 2; ++j) {
    EXPECT_LT(std::abs(mean_z(draws, j)), 5.5);
    const auto squares
        = map_draws(draws, [j](const VectorXd& x) { return 4 * x(j) * x(j); });
    const double seen = mean_of(squares);
    const double error
        = std::abs((seen - temperature) / z_score(squares, temperature));
    EXPECT_NEAR(seen, temperature, 5.5 * error + 0.01);
  }
}

}  // namespace

// privacy noise P = (0.1 * 50)^2 = 25, F_min = 0.5 * 0.04 * 25 = 0.5
TEST(DpSghmc, has_right_temperature_at_rate_one) {
  sghmc_setup s;
  s.friction = 5;
  const double predicted = stan_dp::sghmc_inflation(
      {1, 1, s.clip, 2, 40}, s.stepsize, s.friction, s.num_leapfrog, s.z);
  EXPECT_NEAR(predicted, 1, 0.03);
  expect_temperature(s, predicted);
}

TEST(DpSghmc, has_right_temperature_at_smallest_friction) {
  sghmc_setup s;
  s.friction = 0.5;
  expect_temperature(s, 1);
}

TEST(DpSghmc, has_right_temperature_without_privacy_noise) {
  sghmc_setup s;
  s.friction = 0.5;
  s.z = 0;
  s.engaged = false;
  expect_temperature(s, 1);
}

TEST(DpSghmc, has_right_temperature_for_short_trajectories) {
  sghmc_setup s;
  s.friction = 0.5;
  s.num_leapfrog = 2;
  s.stepsize = 0.1;
  s.z = 0.01;
  s.iterations = 100000;
  expect_temperature(s, 1);
}

TEST(DpSghmc, has_right_temperature_with_subsamples_in_bound) {
  sghmc_setup s;
  s.rate = 0.25;
  s.z = 0.025;
  // true minibatch variance (1-q)/q sum g^2 = 3 * 0.1^2 * (20 + 10) = 0.9,
  // beside the injected 2 F / eta = 25: 3.6 % on the noise, less on the draws
  s.friction = 0.5;
  const auto draws = run_sghmc(function_units(2, ring_units(0.1)), s);
  EXPECT_NEAR(4 * second_moment(draws), 1, 0.06);
}

// Friction below F_min and minibatch noise above the bound, gradients of norm
// close to C: the warned factor is within two of the one that is seen.
TEST(DpSghmc, inflation_is_as_warned) {
  sghmc_setup s;
  s.rate = 0.05;
  s.clip = 1.05;
  s.stepsize = 0.1;
  s.friction = 0.5;
  s.z = 0.25;
  s.iterations = 40000;
  const sg_noise noise{s.rate, 1, s.clip, 2, 40};
  const auto draws = run_sghmc(function_units(2, ring_units(0.01, 100)), s);
  const double seen = second_moment(draws) * 40 * 0.01;
  const double warned = stan_dp::sghmc_inflation(noise, s.stepsize, s.friction,
                                                 s.num_leapfrog, s.z);
  EXPECT_GT(seen, 3);
  EXPECT_LT(warned, 2 * seen);
  EXPECT_GT(warned, seen / 2);
}

TEST(DpSghmc, spends_every_query_when_theta_overflows) {
  const function_units units(2, ring_units(0.1));
  const auto prior = gaussian_prior(2, 1);
  chain_bench bench(prior, units, make_plan({{gradient_query, 1, 1, 60}}),
                    {50, 50}, 4);
  dp_sghmc kernel(bench.posterior, bench.bits, 3, 1);
  const auto first = kernel.start(VectorXd::Zero(2));
  auto state = first;
  for (int i = 0; i < 10; ++i) {
    const auto next = kernel.transition(state, 1e200, {0, 1});
    EXPECT_FALSE(next.second.moved);
    EXPECT_TRUE(std::isfinite(next.second.energy));
    state = next.first;
  }
  EXPECT_EQ(state.theta, first.theta);
  for (int i = 0; i < 10; ++i) {
    state = kernel.transition(state, 1e-3, {0, 1}).first;
  }
  EXPECT_NE(state.theta, first.theta);
  EXPECT_EQ(bench.meter.left(0), 0);
}
