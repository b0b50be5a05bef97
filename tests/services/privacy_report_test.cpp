#include <stan_dp/services/privacy_report.hpp>
#include <stan_dp/services/progress.hpp>
#include <gtest/gtest.h>
#include <algorithm>
#include <string>
#include <vector>

using namespace stan_dp;

namespace {

privacy_facts facts() {
  privacy_facts f;
  f.settings.epsilon = 0.1;
  f.settings.delta = 1e-6;
  f.plan.mechanisms = {{query_kind::gradient, 1, 100, 50},
                       {query_kind::log_ratio, 1, 20, 5},
                       {query_kind::gradient, 1, 120, 50}};
  f.epsilon = 0.0999;
  f.units = 1000;
  f.protected_names = {"x", "y"};
  return f;
}

std::string text(const std::vector<std::string>& lines) {
  std::string result;
  for (const std::string& line : lines) {
    result += line + "\n";
  }
  return result;
}

bool has(const std::string& where, const std::string& what) {
  return where.find(what) != std::string::npos;
}

}  // namespace

TEST(PrivacyReport, header_has_seventeen_digits) {
  const std::string header = text(privacy_header(facts()));
  EXPECT_TRUE(has(header, "privacy: epsilon = 0.10000000000000001\n"));
  EXPECT_TRUE(has(header, "privacy: delta = 9.9999999999999995e-07\n"));
  EXPECT_TRUE(
      has(header, "privacy: noise multiplier of gradient = 100 to 120"));
  EXPECT_TRUE(has(header, "privacy: number of gradient queries = 100\n"));
  EXPECT_TRUE(has(header, "privacy: number of log_ratio queries = 5\n"));
  EXPECT_TRUE(has(header, "privacy: num_units = 1000\n"));
  EXPECT_TRUE(has(header, "privacy: protected = x, y\n"));
  EXPECT_TRUE(has(header, "privacy: public = none\n"));
  EXPECT_TRUE(has(header, "privacy: unit = one row of N\n"));
  EXPECT_FALSE(has(header, "NOT PRIVATE"));
}

TEST(PrivacyReport, leaves_number_of_units_out_where_it_is_not_public) {
  privacy_facts f = facts();
  f.units = 12345;
  EXPECT_TRUE(has(text(privacy_header(f)), "12345"));
  f.units.reset();
  f.settings.relation = neighbors::add_remove;
  for (const std::string& part :
       {text(privacy_header(f)), text(privacy_preface(f)),
        text(privacy_footer(f)), text(privacy_afterword(f)),
        text(privacy_warnings(f))}) {
    EXPECT_FALSE(has(part, "12345"));
    EXPECT_FALSE(has(part, "num_units"));
  }
}

TEST(PrivacyReport, preface_compares_noise_with_what_units_can_sum_to) {
  const std::string preface = text(privacy_preface(facts()));
  EXPECT_TRUE(has(preface,
                  "100 noisy gradients, noise sd 120, against at most"
                  " clip x units = 1000."));
  EXPECT_TRUE(has(preface, "This run will spend epsilon = 0.0999"));
}

TEST(PrivacyReport, says_not_private_at_both_ends) {
  privacy_facts seeded = facts();
  seeded.settings.noise_seed = 3;
  privacy_facts off = facts();
  off.settings.engaged = false;
  for (const privacy_facts& f : {seeded, off}) {
    EXPECT_TRUE(has(privacy_header(f).front(), "NOT PRIVATE"));
    EXPECT_TRUE(has(privacy_preface(f).front(), "NOT PRIVATE"));
    EXPECT_TRUE(has(text(privacy_footer(f)), "NOT PRIVATE"));
    EXPECT_TRUE(has(text(privacy_afterword(f)), "do not release"));
  }
}

TEST(PrivacyReport, warns_of_delta_not_below_one_over_units) {
  privacy_facts f = facts();
  EXPECT_TRUE(privacy_warnings(f).empty());
  f.settings.delta = 1e-3;
  EXPECT_TRUE(has(text(privacy_warnings(f)), "delta is not below"));
}

TEST(Progress, has_cmdstans_lines) {
  const progress p{1000, 1000, 100};
  EXPECT_EQ(p.line(0), "Iteration:    1 / 2000 [  0%]  (Warmup)");
  EXPECT_EQ(p.line(999), "Iteration: 1000 / 2000 [ 50%]  (Warmup)");
  EXPECT_EQ(p.line(1000), "Iteration: 1001 / 2000 [ 50%]  (Sampling)");
  EXPECT_EQ(p.line(1999), "Iteration: 2000 / 2000 [100%]  (Sampling)");
  std::vector<int> due;
  for (int m = 0; m < 2000; ++m) {
    if (p.due(m)) {
      due.push_back(m + 1);
    }
  }
  EXPECT_EQ(due.size(), 22u);
  EXPECT_EQ(due[0], 1);
  EXPECT_EQ(due[1], 100);
  EXPECT_EQ(due[11], 1001);
  const progress chain{10, 10, 0, 3};
  EXPECT_EQ(chain.line(19), "Chain [3] Iteration: 20 / 20 [100%]  (Sampling)");
  EXPECT_FALSE(chain.due(19));
}
