#include <stan_dp/samplers/dp_sgnht.hpp>
#include <stan_dp/samplers/sg_noise.hpp>
#include <tests/samplers/sg_test.hpp>
#include <gtest/gtest.h>
#include <cmath>
#include <vector>

using namespace stan_dp_test;
using stan_dp::dp_sgnht;

namespace {

struct sgnht_setup {
  double rate = 1;
  double stepsize = 0.05;
  double z = 0.1;
  double clip = 50;
  double radius = 1;
  double precision = 0.1;
  int iterations = 400000;
  bool engaged = true;
};

/** Variance of the draws times the posterior's precision. */
double temperature(const sgnht_setup& s, double thermostat) {
  const auto prior = flat_prior(2);
  const function_units units(2, ring_units(s.precision, s.radius));
  chain_bench bench(
      prior, units,
      make_plan({{gradient_query, s.rate, s.z, s.iterations}}, s.engaged),
      {s.clip, s.clip}, 31);
  dp_sgnht kernel(bench.posterior, bench.bits, s.stepsize, thermostat);
  auto state = kernel.start(VectorXd::Zero(2));
  std::vector<VectorXd> draws;
  for (int i = 0; i < s.iterations; ++i) {
    state = kernel.transition(state, {0, s.rate}).first;
    if (i > s.iterations / 20) {
      draws.push_back(state.theta);
    }
  }
  EXPECT_EQ(bench.meter.left(0), 0);
  for (int j = 0; j < 2; ++j) {
    EXPECT_LT(std::abs(mean_z(draws, j)), 5.5);
  }
  return second_moment(draws) * 40 * s.precision;
}

double privacy_thermostat(const sgnht_setup& s) {
  return stan_dp::sgnht_thermostat({s.rate, 1, s.clip, 2, 40}, s.stepsize, s.z);
}

}  // namespace

// a = 0.05^2 * 25 / 2 = 0.031: the temperature is 1 - a/2 and the thermostat's
// own wandering, of relative size sqrt(kappa), adds a few per cent. A noise of
// twice the variance would be absorbed as well; half of the noise's sd in
// place of the friction would not (see the next test).
TEST(DpSgnht, has_right_temperature_at_rate_one) {
  const sgnht_setup s;
  EXPECT_NEAR(temperature(s, privacy_thermostat(s)), 1, 0.07);
}

TEST(DpSgnht, absorbs_minibatch_noise) {
  sgnht_setup s;
  s.rate = 0.1;
  s.clip = 1.05;
  s.precision = 0.01;
  s.radius = 100;
  s.stepsize = 0.03;
  s.z = 0.4;
  // minibatch noise (1-q)/q * 40 / 2 = 180 beside privacy's (z C / q)^2 = 17.6
  const double thermostat = privacy_thermostat(s);
  const double seen = temperature(s, thermostat);
  EXPECT_NEAR(seen, 1, 0.1);
}

TEST(DpSgnht, has_right_temperature_without_privacy_noise) {
  sgnht_setup s;
  s.z = 0;
  s.engaged = false;
  EXPECT_NEAR(temperature(s, stan_dp::sgnht_public_thermostat), 1, 0.07);
}

TEST(DpSgnht, stays_where_it_is_and_goes_on_after_overflow) {
  const function_units units(2, ring_units(0.1));
  const auto prior = gaussian_prior(2, 1);
  chain_bench bench(prior, units, make_plan({{gradient_query, 1, 1, 20}}),
                    {50, 50}, 4);
  dp_sgnht wild(bench.posterior, bench.bits, 1e300, 0.1);
  dp_sgnht tame(bench.posterior, bench.bits, 1e-3, 0.1);
  const auto first = wild.start(VectorXd::Zero(2));
  auto state = first;
  for (int i = 0; i < 10; ++i) {
    const auto next = wild.transition(state, {0, 1});
    EXPECT_FALSE(next.second.moved);
    EXPECT_TRUE(std::isfinite(next.second.energy));
    state = next.first;
  }
  EXPECT_EQ(state.theta, first.theta);
  EXPECT_EQ(state.thermostat, first.thermostat);
  for (int i = 0; i < 10; ++i) {
    state = tame.transition(state, {0, 1}).first;
  }
  EXPECT_NE(state.theta, first.theta);
  EXPECT_EQ(bench.meter.left(0), 0);
}
