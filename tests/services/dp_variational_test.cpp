#include <tests/rows/test_models.hpp>
#include <gtest/gtest.h>
#include <stan/callbacks/stream_logger.hpp>
#include <stan/callbacks/stream_writer.hpp>
#include <stan/io/empty_var_context.hpp>
#include <stan/services/experimental/advi/fullrank.hpp>
#include <stan/services/experimental/advi/meanfield.hpp>
#include <stan_dp/rows/load_rows.hpp>
#include <stan_dp/services/dp_variational.hpp>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

using namespace stan_dp;

namespace {

constexpr int num_rows = 400;

/**
 * A logistic regression on two correlated columns; y follows
 * `0.5 + x_1 - 0.5 x_2` with the help of a wave in place of noise.
 */
data_file logistic_data(int n = num_rows) {
  std::ostringstream text;
  const auto x = [](int i, int j) {
    return j == 0 ? 1.4 * std::sin(12.9 * i)
                  : 0.8 * std::sin(12.9 * i) + std::cos(78.2 * i);
  };
  text << "{\"N\": " << n << ", \"K\": 2, \"x\": "
       << test::array(n,
                      [&](int i) {
                        return test::array(2, [&](int j) { return x(i, j); });
                      })
       << ", \"y\": "
       << test::array(
              n,
              [&](int i) {
                const double noise = 3 * std::sin(37.7 * i * i + 0.2 * i);
                return 0.5 + x(i, 0) - 0.5 * x(i, 1) + noise > 0 ? 1 : 0;
              })
       << "}";
  return test::json(text.str());
}

/** A CSV as the service wrote it. */
struct output {
  int code;
  std::string messages;
  std::vector<std::string> comments;
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;

  bool has_comment(const std::string& text) const {
    for (const std::string& line : comments) {
      if (line.find(text) != std::string::npos) {
        return true;
      }
    }
    return false;
  }

  /** Standard deviation of a column over the draws. */
  double sd(std::size_t column) const {
    double sum = 0, squares = 0;
    const double n = rows.size() - 1;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      sum += rows[i][column];
      squares += rows[i][column] * rows[i][column];
    }
    return std::sqrt((squares - sum * sum / n) / (n - 1));
  }
};

void read_csv(const std::string& text, output& result) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') {
      result.comments.push_back(line);
      continue;
    }
    std::istringstream fields(line);
    std::vector<double> row;
    for (std::string field; std::getline(fields, field, ',');) {
      if (std::isalpha(field[0]) && field != "nan") {
        result.names.push_back(field);
      } else {
        row.push_back(std::stod(field));
      }
    }
    if (!row.empty()) {
      result.rows.push_back(row);
    }
  }
}

output run(const privacy_settings& privacy,
           const dp_variational_settings& settings,
           const data_file& data = logistic_data()) {
  const loaded_rows loaded
      = load_rows(new_model_logistic, data, {privacy.rows, "", {}});
  std::ostringstream csv, messages, ignored;
  stan::callbacks::stream_writer writer(csv, "# "), others(ignored);
  stan::callbacks::stream_logger logger(messages, messages, messages, messages,
                                        messages);
  stan::callbacks::interrupt interrupt;
  sample_settings common;
  common.seed = 4;
  const stan::io::empty_var_context init;
  const private_run given{
      *loaded.prior, *loaded.units, privacy, loaded.protected_names, {}};
  output result;
  csv.precision(17);
  result.code = services::dp_variational(
      given, common, settings, {&init},
      {interrupt, logger, {&others}, {&writer}, {&others}});
  result.messages = messages.str();
  read_csv(csv.str(), result);
  return result;
}

privacy_settings not_engaged() {
  privacy_settings s;
  s.engaged = false;
  s.clip = 100;
  s.noise_seed = 1;
  return s;
}

privacy_settings engaged() {
  privacy_settings s;
  s.epsilon = 1;
  s.delta = 1e-5;
  return s;
}

dp_variational_settings short_run() {
  dp_variational_settings s;
  s.iter = 200;
  s.output_samples = 25;
  return s;
}

TEST(DpVariationalService, says_that_it_left_the_range_of_numbers) {
  // a step takes the log of some scale to 1e300, and exp to infinity
  dp_variational_settings far = short_run();
  far.eta = 1e300;
  const std::string messages = run(not_engaged(), far).messages;
  EXPECT_NE(messages.find("WARNING: The approximation stayed where it was in "),
            std::string::npos)
      << messages;
  EXPECT_NE(messages.find(" of 200 iterations, because"), std::string::npos);
  EXPECT_EQ(run(not_engaged(), short_run()).messages.find("stayed where"),
            std::string::npos);
}

TEST(DpVariationalService, writes_cmdstans_variational_csv) {
  const output csv = run(engaged(), short_run());
  ASSERT_EQ(csv.code, 0) << csv.messages;
  EXPECT_EQ(csv.names, (std::vector<std::string>{"lp__", "log_p__", "log_g__",
                                                 "alpha", "beta.1", "beta.2"}));
  ASSERT_EQ(csv.rows.size(), 26);
  for (int j = 0; j < 3; ++j) {
    EXPECT_EQ(csv.rows[0][j], 0);
  }
  EXPECT_TRUE(csv.has_comment("# Stepsize adaptation complete."));
  EXPECT_TRUE(csv.has_comment("# eta = 1"));
  EXPECT_TRUE(csv.has_comment("# algorithm = meanfield"));
  EXPECT_FALSE(csv.has_comment("NOT PRIVATE"));
}

/** The prior of tests/models/logistic.stan, without its constants. */
TEST(DpVariationalService, log_p_is_the_prior_alone) {
  const output csv = run(engaged(), short_run());
  for (std::size_t i = 1; i < csv.rows.size(); ++i) {
    const std::vector<double>& r = csv.rows[i];
    EXPECT_NEAR(r[1],
                -0.5 * (r[3] * r[3] / 25 + (r[4] * r[4] + r[5] * r[5]) / 4),
                1e-9);
  }
}

/** `-2 log_g__` is the squared length of a draw in the family's coordinates. */
TEST(DpVariationalService, log_g_is_the_density_of_the_draw) {
  dp_variational_settings s = short_run();
  s.output_samples = 4000;
  const output csv = run(not_engaged(), s);
  double sum = 0;
  std::vector<double> sds{csv.sd(3), csv.sd(4), csv.sd(5)};
  for (std::size_t i = 1; i < csv.rows.size(); ++i) {
    double squares = 0;
    for (int j = 0; j < 3; ++j) {
      const double z = (csv.rows[i][3 + j] - csv.rows[0][3 + j]) / sds[j];
      squares += z * z;
    }
    // scales are estimated from 4000 draws, each to 1.1 %
    EXPECT_NEAR(-2 * csv.rows[i][2], squares, 0.1 * squares + 1e-9);
    sum += -2 * csv.rows[i][2];
  }
  // chi square with 3 degrees: its mean is 3, of 4000 draws to 0.04
  EXPECT_NEAR(sum / 4000, 3, 0.2);
}

TEST(DpVariationalService, full_rank_says_so_to_clients) {
  dp_variational_settings s = short_run();
  s.full_rank = true;
  const output csv = run(engaged(), s);
  EXPECT_TRUE(csv.has_comment("# algorithm = fullrank"));
  EXPECT_FALSE(csv.has_comment("# algorithm = meanfield"));
}

/** The plan of both kinds is the same text: as many queries, as much noise. */
TEST(DpVariationalService, full_rank_plans_the_noise_of_mean_field) {
  dp_variational_settings s = short_run();
  s.grad_samples = 3;
  const output mean_field = run(engaged(), s);
  s.full_rank = true;
  const output full_rank = run(engaged(), s);
  std::size_t plans = 0;
  for (const std::string& line : mean_field.comments) {
    if (line.find("noise multiplier of gradient") != std::string::npos
        || line.find("number of gradient queries") != std::string::npos) {
      ++plans;
      EXPECT_TRUE(full_rank.has_comment(line)) << line;
    }
  }
  EXPECT_EQ(plans, 2);
  EXPECT_TRUE(
      mean_field.has_comment("gradient queries at rate "
                             "0.050000000000000003 = 600"));
}

TEST(DpVariationalService, the_plan_costs_the_budget) {
  const output csv = run(engaged(), short_run());
  double epsilon = 0;
  for (const std::string& line : csv.comments) {
    const std::string key = "epsilon_of_plan = ";
    const auto at = line.find(key);
    if (at != std::string::npos) {
      epsilon = std::stod(line.substr(at + key.size()));
    }
  }
  EXPECT_LE(epsilon, 1);
  EXPECT_GE(epsilon, 0.99);
}

/**
 * Nothing but the noise tells data sets apart: without rows the file has as
 * many lines, the same names and the same comments.
 */
TEST(DpVariationalService, runs_alike_without_rows) {
  privacy_settings s = engaged();
  s.relation = neighbors::add_remove;
  const output some = run(s, short_run());
  const output none = run(s, short_run(), logistic_data(0));
  EXPECT_EQ(none.code, 0) << none.messages;
  EXPECT_EQ(some.comments, none.comments);
  EXPECT_EQ(some.messages, none.messages);
  EXPECT_EQ(some.rows.size(), none.rows.size());
}

TEST(DpVariationalService, refuses_what_it_cannot_do_in_words) {
  dp_variational_settings s = short_run();
  s.average = 201;
  output csv = run(engaged(), s);
  EXPECT_NE(csv.code, 0);
  EXPECT_NE(csv.messages.find("average is 201, and has to be at most iter."),
            std::string::npos)
      << csv.messages;
  EXPECT_TRUE(csv.rows.empty());

  s = short_run();
  s.batch = {0.1, 20};
  EXPECT_NE(run(engaged(), s).code, 0);
  s.batch = {0, 20};
  privacy_settings add_remove = engaged();
  add_remove.relation = neighbors::add_remove;
  EXPECT_NE(run(add_remove, s).messages.find("give rate in its place"),
            std::string::npos);
  privacy_settings no_budget = engaged();
  no_budget.epsilon = std::nan("");
  EXPECT_NE(run(no_budget, short_run()).messages.find("epsilon is missing"),
            std::string::npos);
}

/** Stan's own ADVI on all rows, with settings under which it converges. */
output stan_advi(bool full_rank) {
  const data_file data = logistic_data();
  stan::model::model_base& model
      = new_model_logistic(*data.context, 0, nullptr);
  std::ostringstream csv, ignored;
  stan::callbacks::stream_writer writer(csv, "# "), others(ignored);
  stan::callbacks::stream_logger logger(ignored, ignored, ignored, ignored,
                                        ignored);
  stan::callbacks::interrupt interrupt;
  const stan::io::empty_var_context init;
  csv.precision(17);
  output result;
  const auto advi = full_rank ? stan::services::experimental::advi::fullrank<
                        stan::model::model_base>
                              : stan::services::experimental::advi::meanfield<
                                  stan::model::model_base>;
  result.code = advi(model, init, 3, 1, 2, 20, 100, 20000, 1e-9, 0.3, false, 50,
                     20000, 20000, interrupt, logger, others, writer, others);
  read_csv(csv.str(), result);
  delete &model;
  return result;
}

/** Means within 5 % of a standard deviation, scales within 5 %. */
void expect_same_fit(bool full_rank) {
  dp_variational_settings s;
  s.full_rank = full_rank;
  s.iter = 20000;
  s.grad_samples = 1;
  s.output_samples = 20000;
  s.batch.rate = 1;
  const output ours = run(not_engaged(), s);
  ASSERT_EQ(ours.code, 0) << ours.messages;
  EXPECT_TRUE(ours.has_comment("NOT PRIVATE"));
  const output stan = stan_advi(full_rank);
  ASSERT_EQ(stan.code, 0);
  for (std::size_t j = 3; j < 6; ++j) {
    EXPECT_NEAR(ours.rows[0][j], stan.rows[0][j], 0.05 * stan.sd(j))
        << ours.names[j];
    EXPECT_NEAR(ours.sd(j) / stan.sd(j), 1, 0.05) << ours.names[j];
  }
}

TEST(DpVariationalService, mean_field_agrees_with_stans_advi) {
  expect_same_fit(false);
}

TEST(DpVariationalService, full_rank_agrees_with_stans_advi) {
  expect_same_fit(true);
}

}  // namespace
