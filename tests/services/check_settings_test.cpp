#include <stan_dp/services/check_settings.hpp>
#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include <string>

using namespace stan_dp;

namespace {

template <class Settings>
std::string complaint(const Settings& settings) {
  try {
    check_settings(settings);
  } catch (const invalid_setting& e) {
    return e.what();
  }
  return "";
}

privacy_settings usual() {
  privacy_settings s;
  s.epsilon = 1;
  s.delta = 1e-6;
  return s;
}

std::string rate_complaint(const batch_settings& batch,
                           const privacy_settings& privacy = usual()) {
  try {
    sampling_rate(batch, privacy, 100);
  } catch (const invalid_setting& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST(CheckSettings, accepts_epsilon_and_delta_alone) {
  EXPECT_EQ(complaint(usual()), "");
  EXPECT_EQ(complaint(sample_settings{}), "");
  EXPECT_EQ(complaint(adapt_settings{}), "");
  EXPECT_EQ(complaint(dp_hmc_settings{}), "");
  EXPECT_EQ(complaint(dp_penalty_settings{}), "");
  EXPECT_EQ(complaint(dp_sgld_settings{}), "");
  EXPECT_EQ(complaint(dp_sghmc_settings{}), "");
  EXPECT_EQ(complaint(dp_sgnht_settings{}), "");
}

TEST(CheckSettings, asks_for_a_warm_start_where_a_walk_needs_one) {
  dp_penalty_settings s;
  s.proposal = proposal_kind::fitted;
  EXPECT_EQ(complaint(s),
            "proposal=fitted moves around the Gaussian that a warm start fits:"
            " add warm_start=dp_fullrank.");
  s.warm_start.kind = warm_start_kind::dp_fullrank;
  EXPECT_EQ(complaint(s), "");
}

TEST(CheckSettings, says_what_is_missing) {
  const std::string why
      = " no default, because how much a result may reveal about a person is "
        "for"
        " you to decide; for example: privacy epsilon=1 delta=1e-6.";
  EXPECT_EQ(complaint(privacy_settings{}),
            "privacy epsilon and delta are missing: they have" + why);
  privacy_settings s = usual();
  s.delta = std::nan("");
  EXPECT_EQ(complaint(s), "privacy delta is missing: it has" + why);
  s = usual();
  s.epsilon = std::nan("");
  EXPECT_EQ(complaint(s), "privacy epsilon is missing: it has" + why);
}

TEST(CheckSettings, refuses_budgets_that_mean_nothing) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double epsilon : {0.0, -1.0, infinity, -infinity}) {
    privacy_settings s = usual();
    s.epsilon = epsilon;
    EXPECT_NE(complaint(s).find("positive and finite"), std::string::npos);
  }
  for (const double delta : {0.0, -1.0, 1.0, 2.0, infinity}) {
    privacy_settings s = usual();
    s.delta = delta;
    EXPECT_NE(complaint(s).find("above 0 and below 1"), std::string::npos);
  }
}

TEST(CheckSettings, asks_for_no_budget_when_not_engaged) {
  privacy_settings s;
  s.engaged = false;
  EXPECT_EQ(complaint(s), "");
}

TEST(CheckSettings, refuses_settings_out_of_range) {
  dp_hmc_settings hmc;
  hmc.stepsize = 0;
  EXPECT_EQ(complaint(hmc),
            "stepsize is 0, and has to be positive and finite.");
  hmc = {};
  hmc.num_leapfrog = 0;
  EXPECT_NE(complaint(hmc), "");
  hmc = {};
  hmc.ratio_share = 1;
  EXPECT_NE(complaint(hmc), "");
  hmc = {};
  hmc.tempering = 1.5;
  EXPECT_NE(complaint(hmc), "");
  hmc = {};
  hmc.stepsize = std::nan("");
  EXPECT_NE(complaint(hmc), "");
  dp_sghmc_settings sghmc;
  sghmc.stepsize = 1;
  sghmc.friction = 0.6;
  EXPECT_EQ(complaint(sghmc),
            "stepsize times friction is 0.6, and has to be at most 0.5.");
  dp_sgld_settings sgld;
  sgld.stepsize = -1;
  EXPECT_NE(complaint(sgld), "");
  sample_settings sample;
  sample.num_chains = 0;
  EXPECT_NE(complaint(sample), "");
}

TEST(SamplingRate, is_rate_or_batch_over_units_or_one) {
  EXPECT_EQ(sampling_rate({0, 0}, usual(), 100), 1);
  EXPECT_EQ(sampling_rate({0.25, 0}, usual(), 100), 0.25);
  EXPECT_EQ(sampling_rate({0, 25}, usual(), 100), 0.25);
}

TEST(SamplingRate, refuses_what_makes_no_rate) {
  EXPECT_NE(rate_complaint({1.5, 0}), "");
  EXPECT_NE(rate_complaint({-0.5, 0}), "");
  EXPECT_NE(rate_complaint({std::nan(""), 0}), "");
  EXPECT_NE(rate_complaint({0, 101}), "");
  EXPECT_EQ(rate_complaint({0.5, 50}),
            "rate and batch say the same thing in two ways: give one of them.");
}

TEST(SamplingRate, refuses_batch_where_units_are_not_public) {
  privacy_settings s = usual();
  s.relation = neighbors::add_remove;
  EXPECT_EQ(rate_complaint({0, 25}, s),
            "batch is refused with neighbors=add_remove, where the number of"
            " units is not public: give rate in its place.");
  EXPECT_EQ(rate_complaint({0.5, 0}, s), "");
}
