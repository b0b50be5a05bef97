#include <stan_dp/samplers/dp_hmc.hpp>
#include <tests/samplers/exactness.hpp>
#include <gtest/gtest.h>
#include <cmath>
#include <vector>

using namespace stan_dp_test;
using stan_dp::diagonal_metric;
using stan_dp::dp_hmc;

namespace {

constexpr int num_leapfrog = 3;

struct hmc_run {
  std::vector<VectorXd> draws;
  double accept_rate = 0;
};

/**
 * Gradient noise of sd 2 a coordinate (the gradient's own sd is about 2.2) and
 * ratio noise of sd 2 per unit of distance (a trajectory goes about half a
 * unit, so about 1 on the log scale): both as large as the signal.
 */
struct hmc_setup {
  double stepsize = 0.25;
  double jitter = 0;
  double tempering = 1;
  double noise = 0.02;
  Eigen::VectorXd inverse_metric = Eigen::VectorXd::Ones(2);
  std::uint64_t seed = 1;
};

hmc_run run_hmc(const known_posterior& target, int iterations,
                hmc_setup setup = {}) {
  chain_bench bench(target.prior, target.units,
                    make_plan({{gradient_query, 1, setup.noise,
                                std::int64_t{iterations} * num_leapfrog + 1},
                               {ratio_query, 1, setup.noise, iterations}}),
                    {wide_clip, wide_clip}, setup.seed, setup.tempering);
  dp_hmc kernel(bench.posterior, bench.bits, {num_leapfrog, setup.jitter, 0, 1},
                setup.stepsize, diagonal_metric(setup.inverse_metric));
  hmc_run run;
  auto state = kernel.start(target.from_normal(target.mean));
  for (int i = 0; i < iterations; ++i) {
    auto next = kernel.transition(state);
    state = next.first;
    run.accept_rate += static_cast<double>(next.second.accepted) / iterations;
    run.draws.push_back(state.theta);
  }
  EXPECT_EQ(bench.meter.left(0), 0);
  EXPECT_EQ(bench.meter.left(1), 0);
  return run;
}

}  // namespace

TEST(DpHmc, keeps_conjugate_gaussian_exact_under_noise) {
  const auto target = conjugate_gaussian();
  expect_exact(target, run_hmc(target, 60000).draws);
}

TEST(DpHmc, keeps_banana_exact_under_noise) {
  const auto target = banana();
  expect_exact(target, run_hmc(target, 100000).draws);
}

TEST(DpHmc, keeps_tempered_posterior_exact_with_metric_and_jitter) {
  const auto target = conjugate_gaussian(0.5);
  hmc_setup setup;
  setup.tempering = 0.5;
  setup.jitter = 0.5;
  setup.noise = 0.04;
  setup.inverse_metric << 0.5, 2;
  expect_exact(target, run_hmc(target, 60000, setup).draws);
}

// Without noise and with the gradient's right sign a leapfrog trajectory of
// step 0.25 at precision 5 conserves energy to (0.25^2 * 5 / 8) relative: the
// acceptance rate is above 0.95. With the wrong sign the force pushes outwards,
// and energy grows by several units.
TEST(DpHmc, accepts_what_the_right_gradient_proposes) {
  const auto target = conjugate_gaussian();
  hmc_setup setup;
  setup.noise = 0.001;
  EXPECT_GT(run_hmc(target, 2000, setup).accept_rate, 0.9);
}

TEST(DpHmc, keeps_gradient_with_its_noise_at_rejection) {
  const auto target = conjugate_gaussian();
  const int iterations = 200;
  chain_bench bench(
      target.prior, target.units,
      make_plan({{gradient_query, 1, 0.02, iterations * num_leapfrog + 1},
                 {ratio_query, 1, 0.02, iterations}}),
      {wide_clip, wide_clip}, 5);
  dp_hmc kernel(bench.posterior, bench.bits, {num_leapfrog, 0, 0, 1}, 0.4,
                diagonal_metric::unit(2));
  auto state = kernel.start(target.mean);
  int rejected = 0;
  int accepted = 0;
  for (int i = 0; i < iterations; ++i) {
    const auto next = kernel.transition(state);
    const bool same_theta = next.first.theta == state.theta;
    const bool same_gradient = next.first.gradient == state.gradient;
    EXPECT_EQ(same_theta, !next.second.accepted);
    EXPECT_EQ(same_gradient, !next.second.accepted);
    (next.second.accepted ? accepted : rejected)++;
    state = next.first;
  }
  EXPECT_GT(rejected, 20);
  EXPECT_GT(accepted, 20);
  // kL + 1 queries, and a fresh gradient at the old value is not in the plan
  EXPECT_EQ(bench.meter.left(0), 0);
  EXPECT_EQ(bench.meter.left(1), 0);
  EXPECT_THROW(kernel.start(state.theta), stan_dp::unplanned_query);
}

TEST(DpHmc, sweeps_rows_once_for_each_gradient) {
  const auto target = conjugate_gaussian();
  const int iterations = 50;
  run_hmc(target, iterations);
  EXPECT_EQ(target.units.evaluations(),
            target.units.num_units() * (iterations * num_leapfrog + 1));
}

TEST(DpHmc, takes_fresh_gradient_with_new_metric) {
  const auto target = conjugate_gaussian();
  chain_bench bench(
      target.prior, target.units,
      make_plan({{gradient_query, 1, 0.02, 2}, {ratio_query, 1, 0.02, 0}}),
      {wide_clip, wide_clip}, 5);
  dp_hmc kernel(bench.posterior, bench.bits, {num_leapfrog, 0, 0, 1}, 0.4,
                diagonal_metric::unit(2));
  const auto before = kernel.start(target.mean);
  const auto after
      = kernel.set_metric(diagonal_metric(Eigen::Vector2d(4, 0.25)), before);
  EXPECT_EQ(after.theta, before.theta);
  EXPECT_NE(after.gradient, before.gradient);
  EXPECT_EQ(bench.meter.left(0), 0);
}

TEST(DpHmc, stays_where_it_is_and_goes_on_after_overflow) {
  const auto target = conjugate_gaussian();
  const int iterations = 20;
  chain_bench bench(
      target.prior, target.units,
      make_plan({{gradient_query, 1, 0.02, iterations * num_leapfrog + 1},
                 {ratio_query, 1, 0.02, iterations}}),
      {wide_clip, wide_clip}, 5);
  dp_hmc kernel(bench.posterior, bench.bits, {num_leapfrog, 0, 0, 1}, 1e200,
                diagonal_metric::unit(2));
  auto state = kernel.start(target.mean);
  const auto first = state;
  for (int i = 0; i < iterations - 10; ++i) {
    const auto next = kernel.transition(state);
    state = next.first;
    EXPECT_FALSE(next.second.accepted);
    EXPECT_EQ(next.second.accept_probability, 0);
    EXPECT_TRUE(std::isfinite(next.second.energy));
  }
  EXPECT_EQ(state.theta, first.theta);
  EXPECT_EQ(state.gradient, first.gradient);
  kernel.set_stepsize(0.25);
  for (int i = 0; i < 10; ++i) {
    state = kernel.transition(state).first;
  }
  EXPECT_NE(state.theta, first.theta);
  EXPECT_EQ(bench.meter.left(0), 0);
  EXPECT_EQ(bench.meter.left(1), 0);
}

TEST(DpHmc, stays_out_of_region_that_rows_reject) {
  // every unit throws (NaN) where theta_0 < 0; the posterior else is N(0, 1/4)
  std::vector<density> units(40, [](const VectorXd& theta, VectorXd& gradient) {
    if (theta(0) < 0) {
      gradient.setConstant(std::nan(""));
      return std::nan("");
    }
    gradient = -0.075 * theta;
    return -0.0375 * theta.squaredNorm();
  });
  const function_units rows(1, units);
  const auto prior = gaussian_prior(1, 1);
  const int iterations = 5000;
  chain_bench bench(
      prior, rows,
      make_plan({{gradient_query, 1, 0.1, iterations * num_leapfrog + 1},
                 {ratio_query, 1, 0.1, iterations}}),
      {2, 2}, 9);
  dp_hmc kernel(bench.posterior, bench.bits, {num_leapfrog, 0, 0, 1}, 0.1,
                diagonal_metric::unit(1));
  auto state = kernel.start(VectorXd::Constant(1, 0.5));
  int outside = 0;
  for (int i = 0; i < iterations; ++i) {
    state = kernel.transition(state).first;
    outside += state.theta(0) < 0;
  }
  // A step of size s over the edge is accepted with log probability at most
  // -40 * 2 * s + 2 * 0.1 * s * noise: half of the mass within 1/80 of the
  // edge, where the posterior has about 1.3 % of its mass.
  EXPECT_LT(outside, 0.04 * iterations);
}

TEST(DpHmc, stays_out_of_region_that_the_prior_rejects) {
  const auto target = conjugate_gaussian();
  const function_prior positive(
      2, [](const VectorXd& theta, VectorXd& gradient) {
        gradient = -theta;
        return theta(0) < 0 ? -std::numeric_limits<double>::infinity()
                            : -0.5 * theta.squaredNorm();
      });
  const int iterations = 3000;
  chain_bench bench(
      positive, target.units,
      make_plan({{gradient_query, 1, 0.02, iterations * num_leapfrog + 1},
                 {ratio_query, 1, 0.02, iterations}}),
      {wide_clip, wide_clip}, 9);
  dp_hmc kernel(bench.posterior, bench.bits, {num_leapfrog, 0, 0, 1}, 0.3,
                diagonal_metric::unit(2));
  auto state = kernel.start(VectorXd::Constant(2, 0.1));
  for (int i = 0; i < iterations; ++i) {
    state = kernel.transition(state).first;
    ASSERT_GE(state.theta(0), 0);
  }
  EXPECT_EQ(bench.meter.left(0), 0);
  EXPECT_EQ(bench.meter.left(1), 0);
}
