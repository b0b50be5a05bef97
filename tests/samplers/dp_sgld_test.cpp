#include <stan_dp/samplers/dp_sgld.hpp>
#include <stan_dp/samplers/sg_noise.hpp>
#include <tests/samplers/sg_test.hpp>
#include <gtest/gtest.h>
#include <cmath>
#include <vector>

using namespace stan_dp_test;
using stan_dp::dp_sgld;

namespace {

constexpr double clip = 50;

struct sgld_setup {
  double rate = 1;
  double stepsize = 0.05;
  double tempering = 1;
  /** privacy noise as part of the Langevin noise's sd */
  double share = 1;
  int iterations = 200000;
};

/** The multiplier at which the Langevin noise is privacy noise. */
double langevin_multiplier(const sgld_setup& s) {
  return 2 * s.rate / (std::sqrt(s.stepsize) * s.tempering * clip);
}

std::vector<VectorXd> run_sgld(const function_units& units, sgld_setup s) {
  const auto prior = flat_prior(2);
  chain_bench bench(
      prior, units,
      make_plan({{gradient_query, s.rate, s.share * langevin_multiplier(s),
                  s.iterations}}),
      {clip, clip}, 11, s.tempering);
  dp_sgld kernel(bench.posterior, bench.bits);
  auto state = kernel.start(VectorXd::Zero(2));
  std::vector<VectorXd> draws;
  for (int i = 0; i < s.iterations; ++i) {
    state = kernel.transition(state, s.stepsize, {0, s.rate}).first;
    draws.push_back(state.theta);
  }
  EXPECT_EQ(bench.meter.left(0), 0);
  EXPECT_LT(units.largest_gradient(), clip);
  return draws;
}

/**
 * Stationary second moment of a coordinate for units of precision w at radius
 * r, exactly. The step is `x' = (1 - eta h / 2) x + noise`, `h = T n w`; the
 * noise has variance eta from Langevin and `(eta T / 2q)^2 q (1-q) sum g^2`
 * from the subsample, where `sum g^2 = w^2 (n r^2 / 2 + n x^2)` in mean over
 * the ring.
 */
double expected_moment(const sgld_setup& s, double w, double radius) {
  const double n = 40;
  const double h = s.tempering * n * w;
  const double shrink = 1 - s.stepsize * h / 2;
  const double batch = std::pow(s.stepsize * s.tempering / 2, 2) * (1 - s.rate)
                       / s.rate * w * w * n;
  return (s.stepsize + batch * radius * radius / 2)
         / (1 - shrink * shrink - batch);
}

void expect_right_temperature(const sgld_setup& s, double w) {
  const auto draws = run_sgld(function_units(2, ring_units(w)), s);
  const double expected = expected_moment(s, w, 1);
  for (int j = 0; j < 2; ++j) {
    // t statistics with 49 degrees of freedom: 5.5 is passed with 1.4e-6
    EXPECT_LT(std::abs(mean_z(draws, j)), 5.5);
    EXPECT_LT(std::abs(second_moment_z(draws, j, expected)), 5.5);
  }
  // and that is the posterior's variance, 1/h, up to the tolerance of a step
  EXPECT_NEAR(expected * s.tempering * 40 * w, 1, 0.11);
}

}  // namespace

TEST(DpSgld, has_right_temperature_at_rate_one) {
  expect_right_temperature({}, 0.1);  // h = 4, eta h / 4 = 0.05
}

TEST(DpSgld, has_right_temperature_with_subsamples_in_bound) {
  sgld_setup s;
  s.rate = 0.25;
  expect_right_temperature(s, 0.1);
}

TEST(DpSgld, has_right_temperature_when_tempered) {
  sgld_setup s;
  s.tempering = 0.5;
  expect_right_temperature(s, 0.2);
}

TEST(DpSgld, tops_up_privacy_noise_to_langevin_noise) {
  sgld_setup s;
  s.share = 0.5;
  expect_right_temperature(s, 0.1);
}

TEST(DpSgld, has_right_temperature_without_privacy_noise) {
  sgld_setup s;
  s.share = 0;
  const auto prior = flat_prior(2);
  const function_units units(2, ring_units(0.1));
  chain_bench bench(prior, units,
                    make_plan({{gradient_query, 1, 0, s.iterations}}, false),
                    {clip, clip}, 11);
  dp_sgld kernel(bench.posterior, bench.bits);
  auto state = kernel.start(VectorXd::Zero(2));
  std::vector<VectorXd> draws;
  for (int i = 0; i < s.iterations; ++i) {
    state = kernel.transition(state, s.stepsize, {0, 1}).first;
    draws.push_back(state.theta);
  }
  EXPECT_LT(std::abs(second_moment_z(draws, 0, expected_moment(s, 0.1, 1))),
            5.5);
}

// Units at a radius so large that every gradient has nearly the norm C, and a
// step far above the bound on minibatch noise: the warning's factor has to be
// within a factor of two of the variance that is seen.
TEST(DpSgld, inflation_by_minibatch_noise_is_as_warned) {
  const double w = 0.01;
  const double radius = 100;  // gradients of norm 1
  const double unit_clip = 1.05;
  sgld_setup s;
  s.rate = 0.02;
  s.stepsize = 0.05;
  s.iterations = 400000;
  const stan_dp::sg_noise noise{s.rate, 1, unit_clip, 2, 40};
  const double z = 2 * s.rate / (std::sqrt(s.stepsize) * unit_clip);
  const function_units units(2, ring_units(w, radius));
  const auto prior = flat_prior(2);
  chain_bench bench(prior, units,
                    make_plan({{gradient_query, s.rate, z, s.iterations}}),
                    {unit_clip, unit_clip}, 12);
  dp_sgld kernel(bench.posterior, bench.bits);
  auto state = kernel.start(VectorXd::Zero(2));
  std::vector<VectorXd> draws;
  for (int i = 0; i < s.iterations; ++i) {
    state = kernel.transition(state, s.stepsize, {0, s.rate}).first;
    draws.push_back(state.theta);
  }
  const double seen = second_moment(draws) * 40 * w;
  const double warned = stan_dp::sgld_inflation(noise, s.stepsize, z);
  EXPECT_GT(seen, 4);
  EXPECT_LT(warned, 2 * seen);
  EXPECT_GT(warned, seen / 2);
}

// At the largest step that a multiplier allows, what a step adds to the drift
// is the privacy noise alone: with no units and a flat prior the steps are
// N(0, eta). Their number is what the meter counted.
TEST(DpSgld, privacy_noise_is_the_diffusion_at_the_largest_step) {
  const double z = 3;
  const stan_dp::sg_noise noise{0.5, 0.8, 2, 1, std::nullopt};
  const double stepsize = stan_dp::sgld_private_stepsize(noise, z);
  const function_units units(1, {});
  const auto prior = flat_prior(1);
  const int steps = 20000;
  chain_bench bench(prior, units, make_plan({{gradient_query, 0.5, z, steps}}),
                    {2, 2}, 4, 0.8);
  dp_sgld kernel(bench.posterior, bench.bits);
  auto state = kernel.start(VectorXd::Zero(1));
  double squares = 0;
  for (int i = 0; i < steps; ++i) {
    const auto next = kernel.transition(state, stepsize, {0, 0.5}).first;
    squares += std::pow(next.theta(0) - state.theta(0), 2) / steps;
    state = next;
  }
  // the sum of squares over eta is chi-squared: sd sqrt(2/steps) = 0.01
  EXPECT_NEAR(squares / stepsize, 1, 0.05);
  EXPECT_EQ(bench.meter.spent(0), steps);
  // and nothing is topped up: privacy noise has the variance eta already
  const double privacy_sd = 0.5 * stepsize * bench.posterior.noise_sd(0, 0.5);
  EXPECT_NEAR(privacy_sd * privacy_sd / stepsize, 1, 1e-8);
  EXPECT_GE(privacy_sd * privacy_sd, stepsize * (1 - 1e-12));
}

TEST(DpSgld, stays_where_it_is_and_goes_on_after_overflow) {
  const function_units units(2, ring_units(0.1));
  const auto prior = gaussian_prior(2, 1);
  chain_bench bench(prior, units, make_plan({{gradient_query, 1, 1, 20}}),
                    {clip, clip}, 4);
  dp_sgld kernel(bench.posterior, bench.bits);
  const auto first = kernel.start(VectorXd::Zero(2));
  auto state = first;
  for (int i = 0; i < 10; ++i) {
    const auto next = kernel.transition(state, 1e308, {0, 1});
    EXPECT_FALSE(next.second.moved);
    state = next.first;
  }
  EXPECT_EQ(state.theta, first.theta);
  for (int i = 0; i < 10; ++i) {
    state = kernel.transition(state, 1e-3, {0, 1}).first;
  }
  EXPECT_NE(state.theta, first.theta);
  EXPECT_EQ(bench.meter.left(0), 0);
}

TEST(DpSgld, stays_out_of_region_that_the_prior_rejects) {
  const function_units units(2, ring_units(0.1));
  const function_prior positive(2, [](const VectorXd& x, VectorXd&) {
    return x(0) < 0 ? -std::numeric_limits<double>::infinity() : 0.0;
  });
  chain_bench bench(positive, units,
                    make_plan({{gradient_query, 1, 0.2, 2000}}), {clip, clip},
                    4);
  dp_sgld kernel(bench.posterior, bench.bits);
  auto state = kernel.start(VectorXd::Ones(2));
  for (int i = 0; i < 2000; ++i) {
    state = kernel.transition(state, 0.05, {0, 1}).first;
    ASSERT_GE(state.theta(0), 0);
  }
  EXPECT_EQ(bench.meter.left(0), 0);
}
