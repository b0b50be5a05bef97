#include <stan_dp/privacy/private_likelihood.hpp>
#include <stan_dp/privacy/seeded_random.hpp>
#include <tests/privacy/fake_units.hpp>
#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include <stdexcept>

using namespace stan_dp;
using Eigen::Vector2d;
using Eigen::VectorXd;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
const double nan_value = std::nan("");
constexpr std::size_t gradients = 0, ratios = 1, batches = 2;

plan make_plan(bool engaged, double noise, double rate = 0.25) {
  plan p;
  p.engaged = engaged;
  p.mechanisms = {{query_kind::gradient, 1, noise, 100000},
                  {query_kind::log_ratio, 1, noise, 100000},
                  {query_kind::gradient, rate, noise, 100000}};
  return p;
}

/** Normal observations x_i = i with unknown means: value -|theta - x|^2 / 2. */
double normal_unit(std::size_t i, const VectorXd& theta, double* g) {
  double value = 0;
  for (Eigen::Index j = 0; j < theta.size(); ++j) {
    g[j] = static_cast<double>(i) - theta[j];
    value -= g[j] * g[j] / 2;
  }
  return value;
}

/** A boundary without noise around some units, and its parts. */
struct bench {
  bench(std::size_t n, std::size_t d, fake_units::function f,
        const plan& p = make_plan(false, 0), clip_bounds clips = {1e6, 1e6})
      : units(n, d, std::move(f)), m(p), likelihood(units, clips, m, bits) {}

  fake_units units;
  meter m;
  seeded_random bits{1};
  private_likelihood likelihood;
};

// A lattice step is clip / 2^30 and a sum of n terms is off by n / 2 of them.
double step_error(double clip, int n) { return clip * n / 0x1p31; }

}  // namespace

TEST(PrivateLikelihood, without_noise_the_gradient_is_the_sum_over_units) {
  bench b(4, 2, normal_unit);
  const VectorXd g = b.likelihood.gradient(Vector2d(0.5, -1), gradients);
  EXPECT_NEAR(g[0], 6 - 4 * 0.5, step_error(1e6, 4));
  EXPECT_NEAR(g[1], 6 + 4, step_error(1e6, 4));
  EXPECT_EQ(b.m.spent(gradients), 1);
}

TEST(PrivateLikelihood, gradients_are_clipped_one_by_one) {
  bench b(3, 2,
          [](std::size_t i, const VectorXd&, double* g) {
            g[0] = i == 0 ? 3 : 0.3;
            g[1] = i == 0 ? 4 : 0;
            return 0.0;
          },
          make_plan(false, 0), {1, 1});
  const VectorXd g = b.likelihood.gradient(Vector2d(0, 0), gradients);
  EXPECT_NEAR(g[0], 0.6 + 0.3 + 0.3, step_error(1, 3));
  EXPECT_NEAR(g[1], 0.8, step_error(1, 3));
}

// One gradient (1, 8); in phi = theta / scales, with scales (3, 1/2), it is
// (3, 4), is clipped to (0.6, 0.8), and is (0.2, 1.6) in theta again.
TEST(PrivateLikelihood, clips_in_the_coordinates_of_the_metric) {
  bench b(1, 2,
          [](std::size_t, const VectorXd&, double* g) {
            g[0] = 1;
            g[1] = 8;
            return 0.0;
          },
          make_plan(false, 0), {1, 1});
  b.likelihood.set_scales(Vector2d(3, 0.5));
  const VectorXd g = b.likelihood.gradient(Vector2d(0, 0), gradients);
  EXPECT_NEAR(g[0], 0.2, 1e-9);
  EXPECT_NEAR(g[1], 1.6, 1e-8);
}

// from (0, 0) to (3, 0.5) with scales (3, 1/2) the distance is sqrt(2)
TEST(PrivateLikelihood, measures_distance_in_the_coordinates_of_the_metric) {
  const auto jump = [](std::size_t, const VectorXd& theta, double* g) {
    g[0] = g[1] = 0;
    return theta[0] > 1 ? 100.0 : 0.0;
  };
  bench b(1, 2, jump, make_plan(false, 0), {1, 7});
  b.likelihood.set_scales(Vector2d(3, 0.5));
  const auto r = b.likelihood.log_ratio(Vector2d(0, 0), Vector2d(3, 0.5), 1);
  EXPECT_NEAR(r.value, 7 * std::sqrt(2.0), 1e-8);
  EXPECT_EQ(r.sd, 0);

  bench noisy(1, 2, jump, make_plan(true, 2), {1, 7});
  noisy.likelihood.set_scales(Vector2d(3, 0.5));
  const auto s
      = noisy.likelihood.log_ratio(Vector2d(0, 0), Vector2d(3, 0.5), 1);
  // sigma = 2 (2^30 + 1) steps of 7 sqrt(2) / 2^30
  EXPECT_NEAR(s.sd, 2 * 7 * std::sqrt(2.0), 1e-7);
  EXPECT_GE(s.sd, 2 * 7 * std::sqrt(2.0));
}

TEST(PrivateLikelihood, units_that_fail_count_as_section_3_of_the_design_says) {
  // unit 0 fails at theta < 0, unit 1 at theta > 0, unit 2 always
  bench b(4, 1,
          [](std::size_t i, const VectorXd& theta, double* g) {
            const bool fails = (i == 0 && theta[0] < 0)
                               || (i == 1 && theta[0] > 0) || i == 2;
            g[0] = fails ? nan_value : 0.25;
            return fails ? nan_value : 0.25 * theta[0];
          },
          make_plan(false, 0), {1, 1});
  const VectorXd low = VectorXd::Constant(1, -1);
  const VectorXd high = VectorXd::Constant(1, 2);
  // from low to high, distance 3: unit 0 +3, unit 1 -3, unit 2 0, unit 3 0.75
  EXPECT_NEAR(b.likelihood.log_ratio(low, high, ratios).value, 0.75, 1e-8);
  EXPECT_NEAR(b.likelihood.gradient(low, gradients)[0], 0.5, 1e-8);

  bench only_at_to(1, 1,
                   [](std::size_t, const VectorXd& theta, double* g) {
                     g[0] = 0;
                     return theta[0] > 0 ? -inf : 0.0;
                   },
                   make_plan(false, 0), {1, 2});
  EXPECT_NEAR(only_at_to.likelihood.log_ratio(low, high, ratios).value, -6,
              1e-8);
  EXPECT_NEAR(only_at_to.likelihood.log_ratio(high, low, ratios).value, 6,
              1e-8);
}

TEST(PrivateLikelihood, the_meter_is_charged_before_a_unit_is_touched) {
  plan p = make_plan(false, 0);
  p.mechanisms[gradients].count = 1;
  p.mechanisms[ratios].count = 0;
  p.mechanisms[batches].count = 0;
  bench b(4, 2, normal_unit, p);
  b.likelihood.gradient(Vector2d(0, 0), gradients);
  EXPECT_THROW(b.likelihood.gradient(Vector2d(1, 1), gradients),
               unplanned_query);
  EXPECT_THROW(b.likelihood.gradient(Vector2d(1, 1), batches), unplanned_query);
  EXPECT_THROW(b.likelihood.log_ratio(Vector2d(0, 0), Vector2d(1, 1), ratios),
               unplanned_query);
  EXPECT_THROW(b.likelihood.gradient(Vector2d(1, 1), 3), unplanned_query);
  EXPECT_THROW(b.likelihood.gradient(Vector2d(1, 1), ratios), unplanned_query);
  EXPECT_THROW(
      b.likelihood.log_ratio(Vector2d(0, 0), Vector2d(1, 1), gradients),
      unplanned_query);
  EXPECT_EQ(b.units.gradient_sweeps, 1);
  EXPECT_EQ(b.units.value_sweeps, 0);
  EXPECT_EQ(b.m.spent(gradients), 1);
  EXPECT_EQ(b.m.spent(ratios), 0);
}

TEST(PrivateLikelihood, a_query_of_another_kind_is_not_planned) {
  bench b(4, 2, normal_unit);
  EXPECT_THROW(b.likelihood.gradient(Vector2d(1, 1), ratios), unplanned_query);
  EXPECT_THROW(b.likelihood.gradient_noise_sd(ratios), unplanned_query);
  for (const std::size_t query : {gradients, batches}) {
    EXPECT_THROW(b.likelihood.log_ratio(Vector2d(0, 0), Vector2d(1, 1), query),
                 unplanned_query);
    EXPECT_EQ(b.m.spent(query), 0);
  }
  EXPECT_EQ(b.m.spent(ratios), 0);
  EXPECT_EQ(b.units.gradient_sweeps + b.units.value_sweeps, 0);
}

TEST(PrivateLikelihood, a_sweep_that_dies_stays_charged) {
  bench b(4, 2, [](std::size_t, const VectorXd&, double*) -> double {
    throw std::runtime_error("out of memory");
  });
  EXPECT_THROW(b.likelihood.gradient(Vector2d(0, 0), gradients),
               std::runtime_error);
  EXPECT_EQ(b.m.spent(gradients), 1);
}

TEST(PrivateLikelihood, a_point_that_is_not_finite_is_charged_and_not_swept) {
  bench b(4, 2, normal_unit, make_plan(true, 1));
  for (const double bad : {inf, -inf, nan_value}) {
    const VectorXd g = b.likelihood.gradient(Vector2d(0, bad), gradients);
    EXPECT_TRUE(g.allFinite());
    EXPECT_NE(g[0], 0);
    b.likelihood.gradient(Vector2d(0, bad), batches);
    const auto r
        = b.likelihood.log_ratio(Vector2d(0, 0), Vector2d(bad, 0), ratios);
    EXPECT_EQ(r.value, -inf);
    EXPECT_EQ(r.sd, 0);
  }
  EXPECT_EQ(b.m.spent(gradients), 3);
  EXPECT_EQ(b.m.spent(batches), 3);
  EXPECT_EQ(b.m.spent(ratios), 3);
  EXPECT_EQ(b.units.gradient_sweeps + b.units.value_sweeps, 0);
}

TEST(PrivateLikelihood, a_ratio_between_equal_points_is_forfeited) {
  bench b(4, 2, normal_unit, make_plan(true, 1));
  const auto r = b.likelihood.log_ratio(Vector2d(1, 2), Vector2d(1, 2), ratios);
  EXPECT_EQ(r.value, 0);
  EXPECT_EQ(r.sd, 0);
  EXPECT_EQ(b.m.spent(ratios), 1);
  EXPECT_EQ(b.units.value_sweeps, 0);
}

TEST(PrivateLikelihood, a_distance_that_overflows_rejects_the_proposal) {
  bench b(4, 2, normal_unit, make_plan(true, 1));
  const auto r
      = b.likelihood.log_ratio(Vector2d(-1e308, 0), Vector2d(1e308, 0), ratios);
  EXPECT_EQ(r.value, -inf);
  EXPECT_EQ(b.units.value_sweeps, 0);
}

TEST(PrivateLikelihood, a_chain_cannot_be_at_a_point_that_is_not_finite) {
  bench b(4, 2, normal_unit);
  EXPECT_THROW(
      b.likelihood.log_ratio(Vector2d(nan_value, 0), Vector2d(0, 0), ratios),
      std::invalid_argument);
  EXPECT_THROW(b.likelihood.gradient(VectorXd::Zero(3), gradients),
               std::invalid_argument);
  EXPECT_EQ(b.m.spent(ratios) + b.m.spent(gradients), 0);
}

// An HMC chain with L = 3: the kL + 1 gradient sweeps are all there is.
TEST(PrivateLikelihood, ratios_of_a_chain_need_no_sweep_of_their_own) {
  bench b(4, 1, normal_unit);
  const auto point = [](double x) { return VectorXd::Constant(1, x); };
  double now = 0, next = 0;
  b.likelihood.gradient(point(now), gradients);
  const bool accepted[8] = {false, false, true, true, false, true, false, true};
  for (const bool accept : accepted) {
    for (int leap = 0; leap < 3; ++leap) {
      next += 0.25;
      b.likelihood.gradient(point(next), gradients);
    }
    const auto r = b.likelihood.log_ratio(point(now), point(next), ratios);
    double expected = 0, g;
    for (std::size_t i = 0; i < 4; ++i) {
      expected
          += normal_unit(i, point(next), &g) - normal_unit(i, point(now), &g);
    }
    EXPECT_NEAR(r.value, expected, step_error(1e6 * (next - now), 4));
    now = accept ? next : now;
  }
  EXPECT_EQ(b.units.gradient_sweeps, 25);
  EXPECT_EQ(b.units.value_sweeps, 0);
}

TEST(PrivateLikelihood, a_random_walk_sweeps_each_proposal_once) {
  bench b(4, 1, normal_unit);
  const auto point = [](double x) { return VectorXd::Constant(1, x); };
  double now = 0;
  for (int i = 1; i <= 10; ++i) {
    const double next = i * 0.25;
    const auto r = b.likelihood.log_ratio(point(now), point(next), ratios);
    // sum over x = 0..3 of ((x - now)^2 - (x - next)^2) / 2
    const double expected = 6 * (next - now) - 2 * (next * next - now * now);
    EXPECT_NEAR(r.value, expected, step_error(1e6 * (next - now), 4));
    now = i % 3 == 0 ? next : now;
  }
  EXPECT_EQ(b.units.value_sweeps, 11);
}

TEST(PrivateLikelihood, a_ratio_far_from_everything_sweeps_both_ends) {
  bench b(4, 1, normal_unit);
  const auto point = [](double x) { return VectorXd::Constant(1, x); };
  b.likelihood.gradient(point(0), gradients);
  b.likelihood.gradient(point(1), gradients);
  EXPECT_NEAR(b.likelihood.log_ratio(point(5), point(6), ratios).value,
              6 - 2 * (36 - 25), step_error(1e6, 4));
  EXPECT_EQ(b.units.value_sweeps, 2);
}

TEST(PrivateLikelihood, sampled_gradients_sum_over_the_batch_undivided) {
  bench b(400, 1,
          [](std::size_t, const VectorXd&, double* g) {
            g[0] = 1;
            return 0.0;
          },
          make_plan(false, 0), {1, 1});
  double total = 0;
  const int runs = 400;
  for (int run = 0; run < runs; ++run) {
    const double sum = b.likelihood.gradient(VectorXd::Zero(1), batches)[0];
    EXPECT_EQ(sum, static_cast<double>(b.units.last_batch));
    total += sum;
  }
  // sizes have mean 100, sd 8.66, their mean over 400 runs 0.433: five of these
  EXPECT_NEAR(total / runs, 100, 2.2);
}

TEST(PrivateLikelihood, an_empty_batch_is_answered_with_noise) {
  for (const std::size_t n : {0, 1}) {
    bench b(n, 2, normal_unit, make_plan(true, 1, 1e-9), {1, 1});
    const VectorXd g = b.likelihood.gradient(Vector2d(0, 0), batches);
    EXPECT_EQ(b.units.last_batch, 0u);
    EXPECT_NE(g[0], 0);
    EXPECT_NE(g[1], 0);
    EXPECT_EQ(b.m.spent(batches), 1);
  }
}

// Without units the answers are the noise alone. Standard errors of a variance
// from 40,000 draws are sqrt(2) / 200 of it; five are allowed.
TEST(PrivateLikelihood, noise_has_the_planned_multiple_of_the_clip) {
  const double clip = 3, ratio_clip = 0.2, z = 2.5;
  bench b(0, 2, normal_unit, make_plan(true, z), {clip, ratio_clip});
  const Vector2d scales(2, 0.25);
  b.likelihood.set_scales(scales);
  double g0 = 0, g1 = 0, cross = 0, batch = 0, ratio = 0, sd = 0;
  const int n = 40000;
  for (int i = 0; i < n; ++i) {
    const VectorXd g = b.likelihood.gradient(Vector2d(1, 1), gradients);
    g0 += g[0] * g[0];
    g1 += g[1] * g[1];
    cross += g[0] * g[1];
    batch += std::pow(b.likelihood.gradient(Vector2d(1, 1), batches)[0], 2);
    // distance sqrt(1 + 16)
    const auto r
        = b.likelihood.log_ratio(Vector2d(0, 0), Vector2d(2, 1), ratios);
    ratio += r.value * r.value;
    sd = r.sd;
  }
  const double error = 5 * std::sqrt(2.0) / 200;
  EXPECT_NEAR(g0 / n / std::pow(z * clip / 2, 2), 1, error);
  EXPECT_NEAR(g1 / n / std::pow(z * clip * 4, 2), 1, error);
  EXPECT_NEAR(cross / n / (z * clip * z * clip * 2), 0, 5 / 200.0);
  EXPECT_NEAR(batch / n / std::pow(z * clip / 2, 2), 1, error);
  EXPECT_NEAR(ratio / n / (sd * sd), 1, error);
  EXPECT_NEAR(sd / (z * ratio_clip * std::sqrt(17.0)), 1, 1e-8);
  EXPECT_NEAR(b.likelihood.gradient_noise_sd(gradients) / (z * clip), 1, 1e-8);
  EXPECT_GE(b.likelihood.gradient_noise_sd(gradients), z * clip);
}

TEST(PrivateLikelihood, the_same_seed_gives_the_same_answers) {
  bench a(4, 2, normal_unit, make_plan(true, 1));
  bench b(4, 2, normal_unit, make_plan(true, 1));
  EXPECT_EQ(a.likelihood.gradient(Vector2d(1, 1), batches),
            b.likelihood.gradient(Vector2d(1, 1), batches));
}

TEST(PrivateLikelihood, refuses_what_it_cannot_prove) {
  const auto refuses = [](const plan& p, clip_bounds clips) {
    const fake_units units(1, 2, normal_unit);
    meter m(p);
    seeded_random bits(1);
    EXPECT_THROW(private_likelihood(units, clips, m, bits),
                 std::invalid_argument);
  };
  const plan good = make_plan(true, 1);
  for (const double bad : {0.0, -1.0, inf, nan_value}) {
    refuses(good, {bad, 1});
    refuses(good, {1, bad});
  }
  for (const double noise : {0.0, -1.0, inf, nan_value, 0.0009}) {
    refuses(make_plan(true, noise), {1, 1});
  }
  for (const double rate : {0.0, -0.5, 1.5, nan_value}) {
    refuses(make_plan(true, 1, rate), {1, 1});
    refuses(make_plan(false, 0, rate), {1, 1});
  }
  plan sampled_ratio = good;
  sampled_ratio.mechanisms[ratios].rate = 0.5;
  refuses(sampled_ratio, {1, 1});
  for (const double noise : {-1.0, inf, nan_value}) {
    refuses(make_plan(false, noise), {1, 1});
  }
  bench fine(1, 2, normal_unit, make_plan(true, 0.001));
}

TEST(PrivateLikelihood, refuses_scales_that_are_not_positive) {
  bench b(1, 2, normal_unit);
  for (const double bad : {0.0, -1.0, inf, nan_value}) {
    EXPECT_THROW(b.likelihood.set_scales(Vector2d(1, bad)),
                 std::invalid_argument);
  }
  EXPECT_THROW(b.likelihood.set_scales(VectorXd::Ones(3)),
               std::invalid_argument);
}
