#include <stan_dp/samplers/adapted_chain.hpp>
#include <stan_dp/samplers/dp_hmc.hpp>
#include <stan_dp/samplers/dp_penalty.hpp>
#include <tests/samplers/exactness.hpp>
#include <gtest/gtest.h>
#include <cmath>

using namespace stan_dp_test;
using namespace stan_dp;

namespace {

/** Scales that differ by a factor of 20, and many units. */
std::vector<density> uneven_units() {
  return std::vector<density>(
      100, [](const VectorXd& theta, VectorXd& gradient) {
        gradient(0) = -0.01 * theta(0);
        gradient(1) = -4 * theta(1);
        return -0.005 * theta(0) * theta(0) - 2 * theta(1) * theta(1);
      });
}

adaptation_options options(int num_warmup) {
  adaptation_options o;
  o.windows = adaptation_windows(num_warmup, 75, 50, 25);
  return o;
}

}  // namespace

namespace {

struct adapted_run {
  double acceptance = 0;
  Eigen::VectorXd inverse_metric;
};

/** dp_hmc through warm-up and sampling, with noise multiplier `noise`. */
adapted_run run_adapted(double noise) {
  const function_units units(2, uneven_units());
  const auto prior = gaussian_prior(2, 0.01);
  const int num_warmup = 1000;
  const int num_samples = 3000;
  const int leapfrog = 5;
  const auto o = options(num_warmup);
  const std::int64_t iterations = num_warmup + num_samples;
  const auto changes = static_cast<std::int64_t>(o.windows.count());
  chain_bench bench(prior, units,
                    make_plan({{gradient_query, 1, noise,
                                iterations * leapfrog + 1 + changes},
                               {ratio_query, 1, noise, iterations}}),
                    {wide_clip, wide_clip}, 1);
  adapted_chain<dp_hmc> chain(
      dp_hmc(bench.posterior, bench.bits, {leapfrog, 0, 0, 1}, 0.1,
             diagonal_metric::unit(2)),
      o, VectorXd::Ones(2));
  for (int i = 0; i < num_warmup; ++i) {
    chain.warm_up();
  }
  chain.finish_warm_up();
  const double stepsize = chain.kernel().stepsize();
  adapted_run run;
  for (int i = 0; i < num_samples; ++i) {
    chain.sample();
    run.acceptance += chain.last().accept_probability / num_samples;
  }
  EXPECT_EQ(chain.kernel().stepsize(), stepsize);
  EXPECT_EQ(bench.meter.left(0), 0);
  EXPECT_EQ(bench.meter.left(1), 0);
  run.inverse_metric = chain.kernel().metric().inverse();
  return run;
}

}  // namespace

TEST(AdaptedChain, learns_step_where_noise_dominates) {
  // within a factor of two of the target, 0.3
  const double acceptance = run_adapted(0.1).acceptance;
  EXPECT_GT(acceptance, 0.15);
  EXPECT_LT(acceptance, 0.6);
}

TEST(AdaptedChain, learns_metric_and_stays_below_the_integrators_limit) {
  const auto run = run_adapted(0.01);
  EXPECT_GT(run.acceptance, 0.15);
  EXPECT_LT(run.acceptance, 0.95);
  // variances 1/1.01 and 1/400: the ratio of the inverse metric is about 400
  const auto& inverse = run.inverse_metric;
  EXPECT_GT(inverse(0) / inverse(1), 100);
  EXPECT_LT(inverse(0) / inverse(1), 1600);
  // the clip keeps its meaning: scales multiply to one
  EXPECT_NEAR(inverse(0) * inverse(1), 1, 1e-9);
}

TEST(AdaptedChain, leaves_a_chain_alone_when_not_engaged) {
  const auto target = conjugate_gaussian();
  chain_bench bench(target.prior, target.units,
                    make_plan({{ratio_query, 1, 0.02, 200}}),
                    {wide_clip, wide_clip}, 1);
  adaptation_options o = options(200);
  o.engaged = false;
  adapted_chain<dp_penalty> chain(
      dp_penalty(bench.posterior, bench.bits, {proposal_kind::full, 0}, 0.5,
                 diagonal_metric::unit(2)),
      o, target.mean);
  for (int i = 0; i < 200; ++i) {
    chain.warm_up();
  }
  chain.finish_warm_up();
  EXPECT_EQ(chain.kernel().stepsize(), 0.5);
  EXPECT_EQ(chain.kernel().metric().inverse(), VectorXd::Ones(2));
  EXPECT_EQ(bench.meter.left(0), 0);
}

TEST(AdaptedChain, survives_warm_up_in_which_nothing_moves) {
  const auto target = conjugate_gaussian();
  // a first step so long that every proposal overflows for a while
  chain_bench bench(target.prior, target.units,
                    make_plan({{ratio_query, 1, 0.02, 300}}),
                    {wide_clip, wide_clip}, 1);
  adapted_chain<dp_penalty> chain(
      dp_penalty(bench.posterior, bench.bits, {proposal_kind::component, 0},
                 1e300, diagonal_metric::unit(2)),
      options(300), target.mean);
  for (int i = 0; i < 300; ++i) {
    chain.warm_up();
  }
  chain.finish_warm_up();
  EXPECT_TRUE(std::isfinite(chain.kernel().stepsize()));
  EXPECT_GT(chain.kernel().stepsize(), 0);
  EXPECT_TRUE(chain.current().theta.allFinite());
  EXPECT_EQ(bench.meter.left(0), 0);
}

TEST(MetricAdaptation, finds_scales_up_to_a_common_factor) {
  metric_adaptation adaptation(2);
  seeded_random bits(3);
  for (int i = 0; i < 5000; ++i) {
    adaptation.add(Eigen::Vector2d(3 * normal(bits), 5 + 0.1 * normal(bits)));
  }
  const auto metric = adaptation.finish(diagonal_metric::unit(2));
  // sd ratio 30; relative error of a variance sqrt(2/5000) = 0.02; the five
  // draws of shrinkage add 5/5000 * 30 / 1 = 3 % to the smaller one's share
  EXPECT_NEAR(metric.scales()(0) / metric.scales()(1), 30, 3);
  EXPECT_NEAR(metric.scales().prod(), 1, 1e-9);
}

TEST(MetricAdaptation, keeps_metric_of_a_chain_that_did_not_move) {
  metric_adaptation adaptation(2);
  for (int i = 0; i < 50; ++i) {
    adaptation.add(VectorXd::Ones(2));
  }
  const diagonal_metric current(Eigen::Vector2d(2, 3));
  EXPECT_EQ(adaptation.finish(current).inverse(), current.inverse());
}

TEST(DualAveraging, finds_step_whose_acceptance_is_the_target) {
  dual_averaging_options o;
  dual_averaging averaging(o, 1);
  double step = 1;
  // acceptance e^-step: the target 0.3 is at step 1.204
  for (int i = 0; i < 5000; ++i) {
    step = averaging.learn(std::exp(-step));
  }
  EXPECT_NEAR(averaging.average(), -std::log(0.3), 0.05);
}
