#include <stan_dp/privacy/accountant.hpp>
#include <stan_dp/samplers/hmc_plan.hpp>
#include <stan_dp/services/make_warm_start.hpp>
#include <gtest/gtest.h>
#include <vector>

using namespace stan_dp;

namespace {

privacy_settings budget_of(double epsilon, neighbors relation) {
  privacy_settings s;
  s.epsilon = epsilon;
  s.delta = 1e-6;
  s.relation = relation;
  return s;
}

/** What mechanisms cost together, as an upper bound. */
double cost(const std::vector<mechanism>& mechanisms,
            const privacy_settings& s) {
  return epsilon_bound(plan{s.relation, true, s.delta, mechanisms});
}

class MakeWarmStartTest : public testing::TestWithParam<neighbors> {};

TEST_P(MakeWarmStartTest, alone_costs_its_share) {
  const privacy_settings s = budget_of(2, GetParam());
  const auto warm = make_warm_start(s, {warm_start_kind::dp_meanfield, 0.2}, 1);
  ASSERT_TRUE(warm);
  const double epsilon = cost(warm->mechanisms, s);
  EXPECT_LE(epsilon, 0.4);
  EXPECT_GE(epsilon, 0.99 * 0.4);
}

TEST_P(MakeWarmStartTest, whole_plan_costs_the_budget) {
  const privacy_settings s = budget_of(2, GetParam());
  const auto warm = make_warm_start(s, {warm_start_kind::dp_meanfield, 0.2}, 1);
  const budget b{true, s.epsilon, s.delta, s.relation, warm->mechanisms};
  const hmc_plan planned = plan_hmc(b, {100, 200, 4}, 10, 3, 0.5);
  const double epsilon = cost(planned.plan.mechanisms, s);
  EXPECT_LE(epsilon, s.epsilon);
  EXPECT_GE(epsilon, 0.99 * s.epsilon);
  // the warm start comes first and keeps its noise
  EXPECT_EQ(planned.plan.mechanisms[0].noise, warm->mechanisms[0].noise);
  EXPECT_EQ(planned.gradient_query, 1u);
}

INSTANTIATE_TEST_SUITE_P(Relations, MakeWarmStartTest,
                         testing::Values(neighbors::substitute,
                                         neighbors::add_remove));

TEST(MakeWarmStartTest, is_none_where_none_is_asked_for) {
  EXPECT_FALSE(make_warm_start(budget_of(1, neighbors::substitute),
                               {warm_start_kind::none, 0.2}, 1));
}

TEST(MakeWarmStartTest, has_no_noise_where_privacy_is_not_engaged) {
  privacy_settings s;
  s.engaged = false;
  const auto warm = make_warm_start(s, {warm_start_kind::dp_meanfield, 0.2}, 1);
  EXPECT_EQ(warm->mechanisms[0].noise, 0);
}

}  // namespace
