#include <stan_dp/privacy/solvers.hpp>

#include <gtest/gtest.h>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

using stan_dp::accountant_kind;
using stan_dp::accounted_step;
using stan_dp::epsilon_bound;
using stan_dp::neighbors;

namespace {

const neighbors relations[] = {neighbors::add_remove, neighbors::substitute};

void expect_just_within(double cost, double epsilon) {
  EXPECT_LE(cost, epsilon);
  EXPECT_GE(cost, 0.9995 * epsilon);
}

double plan_cost(const std::vector<accounted_step>& steps, double delta,
                 neighbors relation) {
  stan_dp::plan plan;
  plan.relation = relation;
  plan.delta = delta;
  for (const accounted_step& step : steps) {
    plan.mechanisms.push_back(
        {stan_dp::query_kind::gradient, step.rate, step.noise, step.count});
  }
  return epsilon_bound(plan);
}

}  // namespace

TEST(SolversTest, noise_spends_the_budget_and_not_more) {
  for (neighbors relation : relations) {
    for (double epsilon : {0.1, 1.0, 10.0}) {
      for (double rate : {0.001, 0.1, 1.0}) {
        for (std::int64_t count : {1, 1000}) {
          double delta = 1e-6;
          double z
              = stan_dp::solve_noise(epsilon, delta, rate, count, relation);
          SCOPED_TRACE(testing::Message() << epsilon << " " << rate << " "
                                          << count << " noise " << z);
          std::vector<accounted_step> steps = {{rate, z, count}};
          expect_just_within(epsilon_bound(steps, delta, relation), epsilon);
          expect_just_within(plan_cost(steps, delta, relation), epsilon);
        }
      }
    }
  }
}

TEST(SolversTest, noise_may_be_solved_with_the_other_accountants) {
  for (accountant_kind kind : {accountant_kind::rdp, accountant_kind::zcdp}) {
    double z
        = stan_dp::solve_noise(1, 1e-5, 1, 10, neighbors::substitute, kind);
    expect_just_within(
        epsilon_bound({{1, z, 10}}, 1e-5, neighbors::substitute, kind), 1);
    EXPECT_GT(z, stan_dp::solve_noise(1, 1e-5, 1, 10, neighbors::substitute));
  }
}

TEST(SolversTest, steps_are_as_many_as_fit) {
  for (neighbors relation : relations) {
    for (double rate : {0.01, 1.0}) {
      for (double noise : {2.0, 20.0}) {
        auto cost = [&](std::int64_t count) {
          return plan_cost({{rate, noise, count}}, 1e-5, relation);
        };
        std::int64_t steps
            = stan_dp::solve_steps(1.5, 1e-5, rate, noise, relation);
        SCOPED_TRACE(testing::Message()
                     << rate << " " << noise << " " << steps);
        EXPECT_LE(steps == 0 ? 0 : cost(steps), 1.5);
        EXPECT_GT(cost(steps + 1), 1.5);
      }
    }
  }
}

TEST(SolversTest, no_step_fits_a_budget_that_is_too_small) {
  EXPECT_EQ(stan_dp::solve_steps(0.5, 1e-5, 1, 1, neighbors::substitute), 0);
}

TEST(SolversTest, scale_leaves_room_for_what_is_fixed) {
  for (neighbors relation : relations) {
    std::vector<accounted_step> fixed = {{0.05, 2, 100}};
    std::vector<accounted_step> moving = {{1, 10, 50}, {1, 30, 200}};
    double alone = epsilon_bound(fixed, 1e-6, relation);
    double f = stan_dp::solve_scale(2 * alone, 1e-6, relation, fixed, moving);
    std::vector<accounted_step> all = fixed;
    all.push_back({1, 10 * f, 50});
    all.push_back({1, 30 * f, 200});
    expect_just_within(plan_cost(all, 1e-6, relation), 2 * alone);
    EXPECT_THROW(
        stan_dp::solve_scale(0.9 * alone, 1e-6, relation, fixed, moving),
        std::domain_error);
  }
}

TEST(SolversTest, shared_noise_splits_mu_by_shares) {
  for (neighbors relation : relations) {
    std::vector<double> z
        = stan_dp::solve_shared_noise(1, 1e-5, relation, {10, 51}, {1, 3});
    double cost = plan_cost({{1, z[0], 10}, {1, z[1], 51}}, 1e-5, relation);
    EXPECT_LE(cost, 1);
    EXPECT_GE(cost, 1 - 1e-9);
    double first = stan_dp::gaussian_mu(z[0], 10, relation);
    double second = stan_dp::gaussian_mu(z[1], 51, relation);
    EXPECT_NEAR(second / first, 3, 1e-9);
  }
}

TEST(SolversTest, step_scale_of_a_schedule_spends_the_budget) {
  // z_t = 2 q / (sqrt(eta_t) T C), eta_t = a (b + t)^-gamma
  double q = 0.02;
  double clip = 3;
  stan_dp::decay_schedule schedule{10, 0.4, 3000};
  for (neighbors relation : relations) {
    double a
        = stan_dp::solve_step_scale(2, 1e-6, relation, q, clip, schedule, 4);
    std::vector<accounted_step> steps;
    for (int t = 1; t <= 3000; ++t) {
      double eta = a * std::pow(10 + t, -0.4);
      steps.push_back({q, 2 * q / (std::sqrt(eta) * clip), 4});
    }
    expect_just_within(plan_cost(steps, 1e-6, relation), 2 * (1 + 1e-6));
  }
}

TEST(SolversTest, refuse_budgets_that_are_none) {
  EXPECT_THROW(stan_dp::solve_noise(0, 1e-5, 0.1, 10, neighbors::substitute),
               std::domain_error);
  EXPECT_THROW(stan_dp::solve_noise(1, 0, 0.1, 10, neighbors::substitute),
               std::domain_error);
  EXPECT_THROW(stan_dp::solve_noise(1, 1e-5, 0.1, 0, neighbors::substitute),
               std::domain_error);
  EXPECT_THROW(stan_dp::solve_shared_noise(1, 1e-5, neighbors::substitute, {1},
                                           {0.5, 0.5}),
               std::invalid_argument);
}
