#include <stan_dp/samplers/sg_plan.hpp>
#include <gtest/gtest.h>
#include <cmath>
#include <string>

using namespace stan_dp;

namespace {

const budget unit_budget{true, 1, 1e-6, neighbors::substitute, {}};
const run_length short_run{50, 50, 1};

bool warns(const sg_plan& p, const std::string& text) {
  for (const std::string& warning : p.warnings) {
    if (warning.find(text) != std::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

TEST(SgldPlan, chooses_largest_step_that_privacy_and_minibatches_allow) {
  // few units: privacy bounds the step, all of epsilon is spent
  const sg_noise few{1, 1, 1, 2, 3};
  const sg_plan by_privacy = plan_sgld(unit_budget, short_run, few, 0, 1, 0);
  const double z = by_privacy.plan.mechanisms[0].noise;
  EXPECT_NEAR(by_privacy.steps.at(1), std::pow(2 / z, 2), 1e-9);
  EXPECT_GE(epsilon_bound(by_privacy.plan), 0.99);
  EXPECT_TRUE(by_privacy.warnings.empty());

  // many units: minibatch noise does; q n C^2/d (T eta/2q)^2 = 0.1 eta
  const sg_noise many{0.1, 0.5, 2, 4, 1e6};
  const sg_plan by_batch = plan_sgld(unit_budget, short_run, many, 0, 1, 0);
  const double eta = by_batch.steps.at(1);
  EXPECT_NEAR(0.1 * 0.9 * 1e6 * 4 / 4 * std::pow(0.5 * eta / 0.2, 2), 0.1 * eta,
              1e-9 * eta);
  EXPECT_LT(epsilon_bound(by_batch.plan), 0.99);
  // and the Langevin noise is still all privacy noise
  EXPECT_NEAR(by_batch.plan.mechanisms[0].noise,
              2 * 0.1 / (std::sqrt(eta) * 0.5 * 2), 1e-6);
  EXPECT_TRUE(by_batch.warnings.empty());
}

TEST(SgldPlan, gives_a_larger_step_extra_noise_and_a_warning) {
  const sg_noise noise{1, 1, 1, 2, 3};
  const sg_plan chosen = plan_sgld(unit_budget, short_run, noise, 0, 1, 0);
  const sg_plan larger
      = plan_sgld(unit_budget, short_run, noise, 4 * chosen.steps.at(1), 1, 0);
  EXPECT_EQ(larger.plan.mechanisms[0].noise, chosen.plan.mechanisms[0].noise);
  EXPECT_LE(epsilon_bound(larger.plan), 1);
  EXPECT_NEAR(larger.inflation, 4, 1e-6);
  EXPECT_TRUE(warns(larger, "factor of 4"));
}

TEST(SgldPlan, gives_each_step_of_a_schedule_its_own_noise) {
  const sg_noise noise{0.2, 1, 1, 2, 3};
  const sg_plan p = plan_sgld(unit_budget, short_run, noise, 0, 10, 0.5);
  ASSERT_EQ(p.plan.mechanisms.size(), 100u);
  for (int t = 1; t <= 100; ++t) {
    const double z = p.plan.mechanisms[p.query(t)].noise;
    EXPECT_NEAR(z * std::sqrt(p.steps.at(t)) / (2 * 0.2), 1, 1e-9);
  }
  EXPECT_NEAR(p.steps.at(100) / p.steps.at(1), std::sqrt(11.0 / 110), 1e-12);
  EXPECT_LE(epsilon_bound(p.plan), 1);
  EXPECT_GE(epsilon_bound(p.plan), 0.99);
}

TEST(SgPlans, say_nothing_of_units_that_are_not_public) {
  const budget b{true, 1, 1e-6, neighbors::add_remove, {}};
  const sg_noise noise{0.1, 1, 1, 2, std::nullopt};
  for (const sg_plan& p : {plan_sgld(b, short_run, noise, 0, 1, 0),
                           plan_sghmc(b, short_run, noise, 5, 0, 1, 0, 0),
                           plan_sgnht(b, short_run, noise, 0)}) {
    EXPECT_GE(epsilon_bound(p.plan), 0.99);
    EXPECT_TRUE(warns(p, "not public"));
  }
}

TEST(SghmcPlan, warns_of_friction_below_the_smallest) {
  const sg_noise noise{1, 1, 1, 2, 3};
  const sg_plan chosen
      = plan_sghmc(unit_budget, short_run, noise, 10, 0, 1, 0, 0);
  EXPECT_TRUE(chosen.warnings.empty());
  EXPECT_NEAR(chosen.friction * chosen.steps.at(1), 0.1, 1e-6);
  const sg_plan low = plan_sghmc(unit_budget, short_run, noise, 50,
                                 3 * chosen.steps.at(1), 1, 0, 1e-3);
  EXPECT_GT(low.inflation, 2);
  EXPECT_TRUE(warns(low, "factor of"));
}

TEST(SgnhtPlan, refuses_step_that_the_thermostat_cannot_hold) {
  const sg_noise noise{1, 1, 1, 2, 3};
  const sg_plan chosen = plan_sgnht(unit_budget, short_run, noise, 0);
  EXPECT_NO_THROW(
      plan_sgnht(unit_budget, short_run, noise, 2 * chosen.steps.at(1)));
  EXPECT_THROW(
      plan_sgnht(unit_budget, short_run, noise, 3 * chosen.steps.at(1)),
      std::invalid_argument);
}

TEST(SgnhtPlan, bounds_friction_by_what_noise_asks_for) {
  // q = 0.1, n C^2/d = 4500: minibatch noise of 9 * 4500 beside z^2 100
  const sg_noise noise{0.1, 1, 3, 2, 1000};
  const sg_plan chosen = plan_sgnht(unit_budget, short_run, noise, 0);
  // the step is such that all noise settles at 0.05
  EXPECT_NEAR(chosen.most_friction, 0.05 + 6 * std::sqrt(1e-3), 1e-9);
  EXPECT_LT(chosen.thermostat, 0.05);
  EXPECT_EQ(chosen.inflation, 1);

  // a step for which minibatch noise asks for 2: one is all there is
  const double large = std::sqrt(4 / (9 * 4500.0));
  budget open = unit_budget;
  open.engaged = false;
  const sg_plan loud = plan_sgnht(open, short_run, noise, large);
  EXPECT_EQ(loud.most_friction, 1);
  EXPECT_NEAR(loud.inflation, 2 + sgnht_public_thermostat, 1e-9);
  EXPECT_TRUE(warns(loud, "factor of 2.05"));
}
