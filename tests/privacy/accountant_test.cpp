#include <stan_dp/privacy/accountant.hpp>

#include <gtest/gtest.h>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using stan_dp::accountant_kind;
using stan_dp::accounted_step;
using stan_dp::delta_bound;
using stan_dp::epsilon_bound;
using stan_dp::neighbors;

namespace {

/** z_t = sqrt(2 / (eta_t L^2)), eta_t = 3 t^(-1/3), L = 0.7, ten of each. */
std::vector<accounted_step> reference_schedule(int length) {
  std::vector<accounted_step> steps;
  for (int t = 1; t <= length; ++t) {
    double eta = 3 * std::pow(t, -1.0 / 3);
    steps.push_back({0.01, std::sqrt(2 / (eta * 0.7 * 0.7)), 10});
  }
  return steps;
}

struct grid_point {
  neighbors relation;
  accounted_step step;
  double delta;
  double optimistic;
  double pessimistic;
};

std::vector<grid_point> read_grid() {
  std::string root = std::getenv("ROOT") ? std::getenv("ROOT") : ".";
  std::ifstream file(root + "/tests/privacy/data/dp_accounting_grid.csv");
  std::vector<grid_point> grid;
  std::string line;
  std::getline(file, line);  // names
  while (std::getline(file, line)) {
    std::istringstream in(line);
    std::vector<std::string> field;
    for (std::string each; std::getline(in, each, ',');) {
      field.push_back(each);
    }
    grid.push_back({field.at(0) == "add_remove" ? neighbors::add_remove
                                                : neighbors::substitute,
                    {std::stod(field.at(1)), std::stod(field.at(2)),
                     std::stoll(field.at(3))},
                    std::stod(field.at(4)),
                    std::stod(field.at(5)),
                    std::stod(field.at(6))});
  }
  return grid;
}

}  // namespace

TEST(AccountantTest, meets_the_reference_table_to_three_decimals) {
  // DESIGN, section 4.
  double deltas[] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
  double by_delta[] = {0.881, 0.763, 0.629, 0.473, 0.273};
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(epsilon_bound(reference_schedule(200), deltas[i],
                              neighbors::add_remove),
                by_delta[i], 5e-4)
        << deltas[i];
  }
  int lengths[] = {100, 500, 1000};
  double by_length[] = {0.609, 1.040, 1.324};
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(epsilon_bound(reference_schedule(lengths[i]), 1e-5,
                              neighbors::add_remove),
                by_length[i], 5e-4)
        << lengths[i];
  }
}

TEST(AccountantTest, lies_within_the_estimates_of_dp_accounting) {
  std::vector<grid_point> grid = read_grid();
  ASSERT_GE(grid.size(), 60u);
  for (const grid_point& point : grid) {
    double epsilon = epsilon_bound({point.step}, point.delta, point.relation);
    std::ostringstream where;
    where << (point.relation == neighbors::add_remove ? "add_remove"
                                                      : "substitute")
          << " rate " << point.step.rate << " noise " << point.step.noise
          << " count " << point.step.count << " delta " << point.delta;
    EXPECT_GE(epsilon, point.optimistic) << where.str();
    EXPECT_LE(epsilon,
              point.pessimistic + std::max(1e-4, 1e-3 * point.pessimistic))
        << where.str();
  }
}

TEST(AccountantTest, renyi_bound_is_above_the_tight_one) {
  for (auto relation : {neighbors::add_remove, neighbors::substitute}) {
    for (const accounted_step& step : std::vector<accounted_step>{
             {1, 2, 10}, {0.3, 1, 5}, {0.01, 1.5, 1000}, {0.001, 0.5, 100}}) {
      double tight = epsilon_bound({step}, 1e-6, relation);
      double renyi
          = epsilon_bound({step}, 1e-6, relation, accountant_kind::rdp);
      EXPECT_GT(renyi, tight);
      EXPECT_LT(renyi, 1.5 * tight);
      EXPECT_GT(delta_bound({step}, tight, relation, accountant_kind::rdp),
                1e-6);
    }
  }
}

TEST(AccountantTest, zcdp_bound_is_above_the_tight_one_and_needs_rate_one) {
  for (auto relation : {neighbors::add_remove, neighbors::substitute}) {
    for (double noise : {0.5, 4.0, 100.0}) {
      std::vector<accounted_step> steps = {{1, noise, 3}, {1, 2 * noise, 7}};
      double zcdp = epsilon_bound(steps, 1e-5, relation, accountant_kind::zcdp);
      EXPECT_GT(zcdp, epsilon_bound(steps, 1e-5, relation));
      EXPECT_NEAR(delta_bound(steps, zcdp, relation, accountant_kind::zcdp),
                  1e-5, 1e-15);
    }
    EXPECT_THROW(
        epsilon_bound({{0.5, 1, 1}}, 1e-5, relation, accountant_kind::zcdp),
        std::domain_error);
  }
}

TEST(AccountantTest, nothing_costs_nothing) {
  EXPECT_EQ(epsilon_bound({}, 1e-5, neighbors::substitute), 0);
  EXPECT_EQ(epsilon_bound({{0.1, 1, 0}}, 1e-5, neighbors::substitute), 0);
  EXPECT_EQ(delta_bound({}, 1, neighbors::substitute), 0);
}

TEST(AccountantTest, refuses_values_outside_of_their_ranges) {
  auto cost = [](accounted_step step, double delta) {
    return epsilon_bound({step}, delta, neighbors::substitute);
  };
  double nan = std::numeric_limits<double>::quiet_NaN();
  double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THROW(cost({0, 1, 1}, 1e-5), std::domain_error);
  EXPECT_THROW(cost({1.5, 1, 1}, 1e-5), std::domain_error);
  EXPECT_THROW(cost({nan, 1, 1}, 1e-5), std::domain_error);
  EXPECT_THROW(cost({0.5, 0, 1}, 1e-5), std::domain_error);
  EXPECT_THROW(cost({0.5, -1, 1}, 1e-5), std::domain_error);
  EXPECT_THROW(cost({0.5, infinity, 1}, 1e-5), std::domain_error);
  EXPECT_THROW(cost({0.5, 1, -1}, 1e-5), std::domain_error);
  EXPECT_THROW(cost({0.5, 1, 1}, 0), std::domain_error);
  EXPECT_THROW(cost({0.5, 1, 1}, 1), std::domain_error);
  EXPECT_THROW(delta_bound({{0.5, 1, 1}}, -1, neighbors::substitute),
               std::domain_error);
  try {
    cost({0.5, 1, 1}, 2);
    FAIL();
  } catch (const std::domain_error& e) {
    EXPECT_STREQ(e.what(), "delta is 2, and has to be above 0 and below 1.");
  }
}

TEST(AccountantTest, a_plan_is_accounted_with_the_discrete_noise) {
  stan_dp::plan plan;
  plan.delta = 1e-5;
  plan.mechanisms = {{stan_dp::query_kind::gradient, 1, 4, 1}};
  // DESIGN, section 4: 1.993 with substitution, the default.
  EXPECT_NEAR(epsilon_bound(plan), 1.993, 5e-4);
  // sigma = 2^20 is the least: sigma^2 - 16 = sigma^2 (1 - 2^-36).
  EXPECT_DOUBLE_EQ(stan_dp::accounted_noise(std::ldexp(1.0, -10)),
                   std::ldexp(std::sqrt(1 - std::ldexp(1.0, -36)), -10));
  EXPECT_THROW(stan_dp::accounted_noise(std::ldexp(0.999, -10)),
               std::domain_error);
  plan.mechanisms[0].noise = 0;
  EXPECT_THROW(epsilon_bound(plan), std::domain_error);
  plan.engaged = false;
  EXPECT_EQ(epsilon_bound(plan), std::numeric_limits<double>::infinity());
}

TEST(AccountantTest, advanced_composition_beats_basic_where_it_should) {
  std::vector<stan_dp::privacy_cost> costs(1000, {0.01, 1e-9});
  stan_dp::privacy_cost basic = stan_dp::basic_composition(costs);
  EXPECT_NEAR(basic.epsilon, 10, 1e-9);
  EXPECT_NEAR(basic.delta, 1e-6, 1e-12);
  // 1000 * 0.01 * tanh(0.005) + sqrt(2 * 1000 * 1e-4 * log(1e6)) = 1.7122
  stan_dp::privacy_cost advanced = stan_dp::advanced_composition(costs, 1e-6);
  EXPECT_NEAR(advanced.epsilon, 1.7122, 1e-4);
  EXPECT_NEAR(advanced.delta, 2e-6, 1e-11);
  // One mechanism: no better than itself.
  EXPECT_EQ(stan_dp::advanced_composition({{0.5, 0}}, 1e-6).epsilon, 0.5);
}
