#include <stan_dp/samplers/dp_sgnht.hpp>
#include <stan_dp/samplers/sg_noise.hpp>
#include <stan_dp/samplers/sg_plan.hpp>
#include <stan_dp/samplers/sgnht_chain.hpp>
#include <tests/samplers/sg_test.hpp>
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
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

/** Two thousand units of precision one, evenly on a ring. */
std::vector<stan_dp_test::density> many_units(double radius) {
  std::vector<VectorXd> x;
  for (int i = 0; i < 2000; ++i) {
    const double angle = 2 * M_PI * i / 2000;
    x.push_back(radius * Eigen::Vector2d(std::cos(angle), std::sin(angle)));
  }
  return gaussian_units(x);
}

/** A chain with stepsize=0 and clip 1, after 1000 steps of warm-up. */
struct default_chain {
  std::string complaint;
  /** steps that led nowhere, with warm-up */
  int lost = 0;
  /** largest, with warm-up */
  double most_friction = 0;
  std::vector<double> frictions;
  std::vector<VectorXd> draws;
};

/** Epsilon is large: minibatch noise bounds the step, if it is known. */
default_chain run_default_chain(double rate, double radius, double start,
                                std::optional<double> public_units,
                                int num_samples) {
  using namespace stan_dp;
  const auto relation
      = public_units ? neighbors::substitute : neighbors::add_remove;
  const sg_plan plan
      = plan_sgnht({true, 100, 1e-5, relation, {}}, {1000, num_samples, 1},
                   {rate, 1, 1, 2, public_units}, 0);
  const auto prior = flat_prior(2);
  const function_units units(2, many_units(radius));
  chain_bench bench(prior, units, plan.plan, {1, 1}, 17);
  sgnht_chain chain(bench.posterior, bench.bits, plan, rate,
                    Eigen::Vector2d(start, 0));
  default_chain result;
  for (int i = 0; i < 1000 + num_samples; ++i) {
    i < 1000 ? chain.warm_up() : chain.sample();
    const double friction = chain.values()[2];
    result.lost += chain.values()[0] == 0;
    result.most_friction = std::max(result.most_friction, friction);
    if (i >= 1000) {
      result.frictions.push_back(friction);
      result.draws.push_back(chain.theta());
    }
  }
  result.complaint = chain.complaint();
  EXPECT_EQ(bench.meter.left(0), 0);
  return result;
}

}  // namespace

// From 20 away all units pull with n C = 2000: they would wind the thermostat
// up to sqrt(2 kappa 40000 / d) = 6, and hold it at sqrt(0.1 q n / (1 - q)) =
// 4.7, both above the 2 beyond which momentum grows by itself. Bounded by 0.05
// + 0.19, the friction lets the chain through at eta^2 n C / 0.24 = 0.09 a step
// and is back 190 steps after it arrived: that is within warm-up. Then 20000
// draws with an autocorrelation time of 23 give the variance to 0.034: three of
// that, and what a temperature of 1 - a/2 lacks.
TEST(DpSgnht, comes_from_afar_with_default_step) {
  const auto chain = run_default_chain(0.1, 0.5, 20, 2000, 20000);
  EXPECT_EQ(chain.lost, 0);
  EXPECT_EQ(chain.complaint, "");
  EXPECT_NEAR(chain.most_friction, 0.05 + 0.19, 1e-3);
  EXPECT_NEAR(second_moment(chain.draws) * 2000, 1, 0.11);
  // what the bound's six standard deviations are made of
  EXPECT_NEAR(std::sqrt(variance_of(chain.frictions)),
              std::sqrt(stan_dp::sgnht_gain / 2), 0.2 * 0.022);
}

// Where n is not public only privacy noise bounds the step: eta^2 (z/q)^2 =
// 0.1. Minibatch noise then adds eta^2 (1-q)/q n C^2/d = 0.99 / z^2, or 9 with
// this budget's z, to the square of the momentum in each step, and no friction
// holds at one what gains more than one. The draws are too wide, which is said
// before and after the run, but they are draws: with all friction the
// temperature is half of the noise's variance, about 5, and the variance
// 5/2000.
TEST(DpSgnht, stays_in_range_of_numbers_where_units_are_not_public) {
  const auto chain = run_default_chain(0.01, 1, 0, std::nullopt, 2000);
  EXPECT_EQ(chain.lost, 0);
  EXPECT_EQ(chain.most_friction, 1);
  EXPECT_NE(chain.complaint.find("of 2000 iterations after warm-up: either"),
            std::string::npos)
      << chain.complaint;
  EXPECT_LT(second_moment(chain.draws), 10 * 5.0 / 2000);
}

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
