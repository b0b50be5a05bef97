#include <stan/model/model_header.hpp>
#include <stan_dp/services/dp_hmc.hpp>
#include <stan_dp/services/dp_penalty.hpp>
#include <stan_dp/services/dp_sghmc.hpp>
#include <stan_dp/services/dp_sgld.hpp>
#include <stan_dp/services/dp_sgnht.hpp>
#include <tests/samplers/support.hpp>
#include <stan/callbacks/stream_writer.hpp>
#include <stan/io/empty_var_context.hpp>
#include <stan/io/json/json_data.hpp>
#include <gtest/gtest.h>
#include <atomic>
#include <cmath>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

extern "C" stan::model::model_base& new_model_sampler_normal(
    stan::io::var_context&, unsigned int, std::ostream*);
extern "C" stan::model::model_base& new_model_sampler_quantities(
    stan::io::var_context&, unsigned int, std::ostream*);

using namespace stan_dp;
using stan_dp_test::density;
using stan_dp_test::function_units;
using stan_dp_test::VectorXd;

namespace {

using factory = stan::model::model_base& (*)(stan::io::var_context&,
                                             unsigned int, std::ostream*);

std::unique_ptr<stan::model::model_base> prior_model(factory make) {
  std::istringstream text("{\"N\": 0, \"y\": []}");
  stan::json::json_data data(text);
  return std::unique_ptr<stan::model::model_base>(&make(data, 0, nullptr));
}

/** Units of `y ~ normal(mu, sigma)` on (mu, log sigma). */
function_units normal_units(std::size_t n, double centre = 1) {
  std::vector<density> units;
  for (std::size_t i = 0; i < n; ++i) {
    const double y = centre + std::sin(3.0 * i);
    units.push_back([y](const VectorXd& theta, VectorXd& gradient) {
      const double sigma = std::exp(theta(1));
      const double r = (y - theta(0)) / sigma;
      gradient << r / sigma, r * r - 1;
      return -0.5 * r * r - theta(1);
    });
  }
  return function_units(2, units);
}

/** Units of which every one throws, wherever. */
function_units throwing_units(std::size_t n) {
  return function_units(
      2, std::vector<density>(n, [](const VectorXd&, VectorXd& gradient) {
        gradient.setConstant(std::nan(""));
        return std::nan("");
      }));
}

class text_logger : public stan::callbacks::logger {
 public:
  void info(const std::string& message) override { add(message); }
  void info(const std::stringstream& message) override { add(message.str()); }
  void warn(const std::string& message) override { add(message); }
  void warn(const std::stringstream& message) override { add(message.str()); }
  void error(const std::string& message) override { add(message); }
  void error(const std::stringstream& message) override { add(message.str()); }
  std::string text;

 private:
  void add(const std::string& message) { text += message + "\n"; }
};

class counting_interrupt : public stan::callbacks::interrupt {
 public:
  void operator()() override { ++count; }
  std::atomic<int> count{0};
};

/** What a run left behind. */
struct outcome {
  int code = -1;
  std::vector<std::string> csv;
  std::vector<std::string> diagnostics;
  std::string messages;
  int interrupts = 0;
};

struct request {
  privacy_settings privacy;
  sample_settings sample;
  adapt_settings adapt;
  batch_settings batch;
  factory model = new_model_sampler_normal;
  std::string metric;
  std::string init;
};

request usual() {
  request r;
  r.privacy.epsilon = 1;
  r.privacy.delta = 1e-6;
  r.sample.num_warmup = 30;
  r.sample.num_samples = 20;
  r.sample.seed = 4;
  return r;
}

using service
    = std::function<int(const private_run&, const request&,
                        const metropolis_start&, const run_callbacks&)>;

service hmc(dp_hmc_settings settings = {}) {
  return [settings](auto& run, auto& r, auto& start, auto& callbacks) {
    return services::dp_hmc(run, r.sample, r.adapt, settings, start, callbacks);
  };
}

service penalty(dp_penalty_settings settings = {}) {
  return [settings](auto& run, auto& r, auto& start, auto& callbacks) {
    return services::dp_penalty(run, r.sample, r.adapt, settings, start,
                                callbacks);
  };
}

service sgld(dp_sgld_settings settings = {}) {
  return [settings](auto& run, auto& r, auto& start, auto& callbacks) {
    auto s = settings;
    s.batch = r.batch;
    return services::dp_sgld(run, r.sample, s, start.init, callbacks);
  };
}

service sghmc(dp_sghmc_settings settings = {}) {
  return [settings](auto& run, auto& r, auto& start, auto& callbacks) {
    auto s = settings;
    s.batch = r.batch;
    return services::dp_sghmc(run, r.sample, s, start.init, callbacks);
  };
}

service sgnht(dp_sgnht_settings settings = {}) {
  return [settings](auto& run, auto& r, auto& start, auto& callbacks) {
    auto s = settings;
    s.batch = r.batch;
    return services::dp_sgnht(run, r.sample, s, start.init, callbacks);
  };
}

std::shared_ptr<stan::io::var_context> context(const std::string& json) {
  if (json.empty()) {
    return std::make_shared<stan::io::empty_var_context>();
  }
  std::istringstream text(json);
  return std::make_shared<stan::json::json_data>(text);
}

outcome run(const service& call, const function_units& units,
            const request& r) {
  const auto model = prior_model(r.model);
  const std::size_t chains = std::max(1, r.sample.num_chains);
  std::vector<std::ostringstream> files(3 * chains);
  std::vector<stan::callbacks::stream_writer> init, sample, diagnostic;
  for (std::size_t k = 0; k < chains; ++k) {
    init.emplace_back(files[3 * k], "# ");
    sample.emplace_back(files[3 * k + 1], "# ");
    diagnostic.emplace_back(files[3 * k + 2], "# ");
  }
  std::vector<std::shared_ptr<stan::io::var_context>> inits(chains,
                                                            context(r.init));
  std::vector<std::shared_ptr<stan::io::var_context>> metrics;
  if (!r.metric.empty()) {
    metrics.assign(chains, context(r.metric));
  }
  counting_interrupt interrupt;
  text_logger logger;
  const private_run what{*model, units, r.privacy, {"y"}, {}};
  outcome result;
  result.code
      = call(what, r, {context_pointers(inits), context_pointers(metrics)},
             {interrupt, logger, writer_pointers(init), writer_pointers(sample),
              writer_pointers(diagnostic)});
  for (std::size_t k = 0; k < chains; ++k) {
    result.csv.push_back(files[3 * k + 1].str());
    result.diagnostics.push_back(files[3 * k + 2].str());
  }
  result.messages = logger.text;
  result.interrupts = interrupt.count;
  return result;
}

/** A CSV taken apart. */
struct csv_file {
  std::vector<std::string> comments;
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;

  explicit csv_file(const std::string& text) {
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line)) {
      if (!line.empty() && line[0] == '#') {
        comments.push_back(line);
      } else if (names.empty()) {
        names = split(line);
      } else if (!line.empty()) {
        rows.emplace_back();
        for (const std::string& field : split(line)) {
          rows.back().push_back(std::stod(field));
        }
      }
    }
  }

  static std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, ',');) {
      fields.push_back(field);
    }
    return fields;
  }

  std::size_t column(const std::string& name) const {
    for (std::size_t j = 0; j < names.size(); ++j) {
      if (names[j] == name) {
        return j;
      }
    }
    ADD_FAILURE() << "no column " << name;
    return 0;
  }

  bool says(const std::string& text) const {
    for (const std::string& comment : comments) {
      if (comment.find(text) != std::string::npos) {
        return true;
      }
    }
    return false;
  }
};

/**
 * Lines without the two that may differ: the elapsed time, and what is counted
 * in released values.
 */
std::string fixed_lines(const std::string& text) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("Elapsed Time") == std::string::npos
        && line.find("is worth about") == std::string::npos) {
      result += line + "\n";
    }
  }
  return result;
}

struct named_service {
  const char* name;
  service call;
  std::vector<std::string> columns;
};

std::vector<named_service> all_services() {
  dp_hmc_settings short_hmc;
  short_hmc.num_leapfrog = 3;
  dp_sghmc_settings short_sghmc;
  short_sghmc.num_leapfrog = 3;
  dp_penalty_settings fitted;
  fitted.proposal = proposal_kind::fitted;
  fitted.warm_start.kind = warm_start_kind::dp_fullrank;
  // otherwise both are the warm start's, and may differ with the rows
  fitted.metric = metric_kind::unit_e;
  fitted.scale = 0.5;
  const std::string a = "accept_stat__", s = "stepsize__", l = "n_leapfrog__",
                    e = "energy__";
  return {{"dp_hmc", hmc(short_hmc), {"lp__", a, s, l, e}},
          {"dp_penalty", penalty(), {"lp__", a, s}},
          {"dp_penalty, fitted", penalty(fitted), {"lp__", a, s}},
          {"dp_sgld", sgld(), {"lp__", a, s}},
          {"dp_sghmc", sghmc(short_sghmc), {"lp__", a, s, l, e}},
          {"dp_sgnht", sgnht(), {"lp__", a, s, "thermostat__", e}}};
}

}  // namespace

TEST(SampleServices, write_what_a_cmdstan_csv_holds) {
  const auto units = normal_units(30);
  for (const named_service& s : all_services()) {
    SCOPED_TRACE(s.name);
    request r = usual();
    r.sample.num_chains = 2;
    const outcome o = run(s.call, units, r);
    ASSERT_EQ(o.code, 0) << o.messages;
    for (const std::string& text : o.csv) {
      const csv_file csv(text);
      std::vector<std::string> names = s.columns;
      for (const char* name : {"mu", "sigma", "precision", "first"}) {
        names.push_back(name);
      }
      EXPECT_EQ(csv.names, names);
      ASSERT_EQ(csv.rows.size(), 20u);
      for (const auto& row : csv.rows) {
        ASSERT_EQ(row.size(), names.size());
        const double sigma = row[csv.column("sigma")];
        EXPECT_GT(sigma, 0);
        EXPECT_NEAR(row[csv.column("precision")] * sigma * sigma, 1, 1e-4);
        EXPECT_TRUE(std::isnan(row[csv.column("first")]));
      }
      EXPECT_TRUE(csv.says("# Adaptation terminated"));
      EXPECT_TRUE(csv.says("# Step size = "));
      EXPECT_TRUE(csv.says("# Diagonal elements of inverse mass matrix:"));
      EXPECT_TRUE(
          csv.says("#  Elapsed Time: not written (differential privacy)"));
      EXPECT_TRUE(csv.says("# privacy: epsilon = 1"));
      EXPECT_TRUE(csv.says("# privacy: delta = 9.9999999999999995e-07"));
      EXPECT_TRUE(csv.says("# privacy: num_units = 30"));
      EXPECT_FALSE(csv.says("NOT PRIVATE"));
    }
    EXPECT_EQ(o.interrupts, 2 * 50);
    EXPECT_NE(o.messages.find("Chain [1] Iteration:  1 / 50 [  2%]  (Warmup)"),
              std::string::npos)
        << o.messages;
    EXPECT_NE(
        o.messages.find("Chain [2] Iteration: 50 / 50 [100%]  (Sampling)"),
        std::string::npos);
  }
}

TEST(SampleServices, write_the_prior_as_lp) {
  const auto units = normal_units(30);
  const auto model = prior_model(new_model_sampler_normal);
  for (const named_service& s : all_services()) {
    SCOPED_TRACE(s.name);
    const outcome o = run(s.call, units, usual());
    const csv_file diagnostics(o.diagnostics[0]);
    ASSERT_EQ(diagnostics.rows.size(), 20u);
    for (const auto& row : diagnostics.rows) {
      const double mu = row[diagnostics.column("mu")];
      const double log_sigma = row[diagnostics.column("sigma")];
      // normal(0, 2) and lognormal(0, 1) with its Jacobian; of the constants
      // Stan keeps the lognormal's log sqrt(2 pi); six digits are written
      EXPECT_NEAR(
          row[0],
          -mu * mu / 8 - log_sigma * log_sigma / 2 - 0.5 * std::log(2 * M_PI),
          1e-4 * (1 + std::abs(row[0])));
    }
  }
}

TEST(SampleServices, compute_quantities_without_rows_and_print_nothing) {
  request r = usual();
  r.model = new_model_sampler_quantities;
  testing::internal::CaptureStdout();
  const outcome o = run(hmc(), normal_units(10), r);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  ASSERT_EQ(o.code, 0);
  const csv_file csv(o.csv[0]);
  EXPECT_EQ(csv.names.back(), "replicate");  // log_lik has no element
  for (const auto& row : csv.rows) {
    EXPECT_TRUE(std::isfinite(row.back()));
  }
  for (const std::string& text : {o.csv[0], o.messages, o.diagnostics[0]}) {
    EXPECT_EQ(text.find("mu is"), std::string::npos);
    EXPECT_EQ(text.find("replicate is"), std::string::npos);
  }
}

TEST(SampleServices, take_no_noise_from_the_random_seed) {
  const auto units = normal_units(30);
  for (const named_service& s : all_services()) {
    SCOPED_TRACE(s.name);
    EXPECT_NE(run(s.call, units, usual()).csv, run(s.call, units, usual()).csv);
  }
}

TEST(SampleServices, repeat_themselves_with_noise_seed_and_say_not_private) {
  const auto units = normal_units(30);
  for (const named_service& s : all_services()) {
    SCOPED_TRACE(s.name);
    request r = usual();
    r.privacy.noise_seed = 7;
    r.sample.num_chains = 3;
    const outcome first = run(s.call, units, r);
    const outcome second = run(s.call, units, r);
    EXPECT_EQ(first.csv, second.csv);
    EXPECT_NE(csv_file(first.csv[0]).rows, csv_file(first.csv[1]).rows);
    EXPECT_TRUE(csv_file(first.csv[0]).says("NOT PRIVATE"));
    r.privacy.noise_seed = 8;
    EXPECT_NE(csv_file(run(s.call, units, r).csv[0]).rows,
              csv_file(first.csv[0]).rows);
  }
}

TEST(SampleServices, give_each_chain_its_own_noise) {
  // from one starting point with one seed, chains have to part
  const auto units = normal_units(30);
  for (const named_service& s : all_services()) {
    SCOPED_TRACE(s.name);
    request r = usual();
    r.privacy.noise_seed = 7;
    r.init = "{\"mu\": 0.25, \"sigma\": 1}";
    r.sample.num_chains = 3;
    const outcome o = run(s.call, units, r);
    const auto rows = csv_file(o.diagnostics[0]).rows;
    EXPECT_NE(rows, csv_file(o.diagnostics[1]).rows);
    EXPECT_NE(rows, csv_file(o.diagnostics[2]).rows);
    EXPECT_NE(csv_file(o.diagnostics[1]).rows, csv_file(o.diagnostics[2]).rows);
  }
}

TEST(SampleServices, say_nothing_of_rows_but_through_draws) {
  // whatever the rows do, all but the draws is the same
  for (const named_service& s : all_services()) {
    SCOPED_TRACE(s.name);
    request r = usual();
    r.privacy.noise_seed = 7;
    r.adapt.engaged = false;  // the step size is a released answer
    const outcome one = run(s.call, normal_units(30, 1), r);
    const outcome other = run(s.call, normal_units(30, 1e6), r);
    const outcome none = run(s.call, throwing_units(30), r);
    const csv_file csv(one.csv[0]);
    EXPECT_NE(csv.rows, csv_file(other.csv[0]).rows);
    for (const outcome* o : {&other, &none}) {
      EXPECT_EQ(o->code, one.code);
      EXPECT_EQ(fixed_lines(o->messages), fixed_lines(one.messages));
      EXPECT_EQ(csv_file(o->csv[0]).comments, csv.comments);
      EXPECT_EQ(csv_file(o->csv[0]).rows.size(), csv.rows.size());
    }
  }
}

TEST(SampleServices, say_nothing_of_the_number_of_units_under_add_remove) {
  for (const double rate : {0.0, 0.2}) {
    for (const named_service& s : all_services()) {
      SCOPED_TRACE(s.name);
      request r = usual();
      r.privacy.relation = neighbors::add_remove;
      r.privacy.noise_seed = 7;
      r.adapt.engaged = false;
      r.batch.rate = rate;
      const outcome many = run(s.call, normal_units(30), r);
      const outcome none = run(s.call, normal_units(0), r);
      EXPECT_EQ(many.code, 0);
      EXPECT_EQ(none.code, 0);
      EXPECT_EQ(fixed_lines(many.messages), fixed_lines(none.messages));
      EXPECT_EQ(csv_file(many.csv[0]).comments, csv_file(none.csv[0]).comments);
      EXPECT_FALSE(csv_file(many.csv[0]).says("num_units"));
      EXPECT_EQ(csv_file(many.csv[0]).rows.size(),
                csv_file(none.csv[0]).rows.size());
    }
  }
}

TEST(SampleServices, run_without_noise_when_not_engaged_and_say_so) {
  const auto units = normal_units(30);
  for (const named_service& s : all_services()) {
    SCOPED_TRACE(s.name);
    request r = usual();
    r.privacy = {};
    r.privacy.engaged = false;
    const outcome o = run(s.call, units, r);
    EXPECT_EQ(o.code, 0) << o.messages;
    const csv_file csv(o.csv[0]);
    EXPECT_TRUE(csv.says("NOT PRIVATE"));
    EXPECT_TRUE(csv.says("noise multiplier of"));
    EXPECT_FALSE(csv.says("spent epsilon"));
    EXPECT_NE(o.messages.find("NOT PRIVATE"), std::string::npos);
  }
}

TEST(SampleServices, find_the_posterior_when_not_engaged) {
  // 200 units around 1, sd of sin: 0.7; their mean is the posterior's to 0.05
  const auto units = normal_units(200);
  dp_hmc_settings settings;
  settings.num_leapfrog = 5;
  // without it five steps may be a full turn around the posterior
  settings.stepsize_jitter = 0.5;
  request r = usual();
  r.privacy = {};
  r.privacy.engaged = false;
  r.privacy.noise_seed = 1;
  r.privacy.clip = 100;
  r.sample.num_warmup = 1000;
  r.sample.num_samples = 1000;
  const csv_file csv(run(hmc(settings), units, r).csv[0]);
  double mu = 0, sigma = 0;
  for (const auto& row : csv.rows) {
    mu += row[csv.column("mu")] / csv.rows.size();
    sigma += row[csv.column("sigma")] / csv.rows.size();
  }
  EXPECT_NEAR(mu, 1, 0.05);
  EXPECT_NEAR(sigma, 0.71, 0.05);
}

TEST(SampleServices, thin_and_save_warmup_as_cmdstan_does) {
  request r = usual();
  r.sample.thin = 3;
  r.sample.save_warmup = true;
  // 30 -> 10 and 20 -> 7 rows
  EXPECT_EQ(csv_file(run(penalty(), normal_units(5), r).csv[0]).rows.size(),
            17u);
}

TEST(SampleServices, start_where_the_user_says_or_where_the_prior_allows) {
  request r = usual();
  r.init = "{\"mu\": 0.25, \"sigma\": 1}";
  r.sample.num_warmup = 0;
  r.sample.num_samples = 1;
  dp_penalty_settings tiny;
  tiny.scale = 1e-12;
  const csv_file csv(run(penalty(tiny), normal_units(5), r).csv[0]);
  EXPECT_NEAR(csv.rows[0][csv.column("mu")], 0.25, 1e-6);
  EXPECT_NEAR(csv.rows[0][csv.column("sigma")], 1, 1e-6);
}

TEST(SampleServices, take_a_metric_in_cmdstans_format) {
  request r = usual();
  r.adapt.engaged = false;
  r.metric = "{\"inv_metric\": [0.25, 4]}";
  EXPECT_TRUE(
      csv_file(run(hmc(), normal_units(5), r).csv[0]).says("# 0.25, 4"));
  r.metric = "{\"inv_metric\": [0.25]}";
  const outcome wrong = run(hmc(), normal_units(5), r);
  EXPECT_EQ(wrong.code, stan::services::error_codes::CONFIG);
  EXPECT_NE(wrong.messages.find("metric_file has 1 elements"),
            std::string::npos);
  r.metric = "{\"inv_metric\": [0.25, -1]}";
  EXPECT_EQ(run(hmc(), normal_units(5), r).code,
            stan::services::error_codes::CONFIG);
}

TEST(SampleServices, refuse_bad_input_before_any_row_is_read) {
  const auto bad = [](const std::function<void(request&)>& change) {
    request r = usual();
    change(r);
    return r;
  };
  const double nan = std::nan("");
  const std::vector<std::pair<request, std::string>> cases{
      {bad([&](request& r) { r.privacy.epsilon = nan; }), "epsilon is missing"},
      {bad([&](request& r) { r.privacy.delta = nan; }), "delta is missing"},
      {bad([](request& r) { r.privacy.epsilon = 0; }), "privacy epsilon is 0"},
      {bad([](request& r) { r.privacy.epsilon = -1; }), "epsilon is -1"},
      {bad([](request& r) { r.privacy.delta = 0; }), "privacy delta is 0"},
      {bad([](request& r) { r.privacy.delta = 1; }), "privacy delta is 1"},
      {bad([](request& r) { r.privacy.clip = 0; }), "privacy clip is 0"},
      {bad([](request& r) {
         r.sample.num_samples = 0;
         r.sample.num_warmup = 0;
       }),
       "both 0"},
      {bad([](request& r) { r.sample.thin = 0; }), "thin is 0"},
      {bad([](request& r) { r.init = "{\"mu\": 1, \"sigma\": -1}"; }),
       "initial value"}};
  for (const named_service& s : all_services()) {
    for (const auto& [r, message] : cases) {
      SCOPED_TRACE(std::string(s.name) + ": " + message);
      const auto units = normal_units(5);
      const outcome o = run(s.call, units, r);
      EXPECT_EQ(o.code, stan::services::error_codes::CONFIG);
      EXPECT_NE(o.messages.find(message), std::string::npos) << o.messages;
      EXPECT_EQ(units.evaluations(), 0u);
      EXPECT_EQ(o.csv[0], "");
    }
  }
}

TEST(SampleServices, say_that_a_chain_left_the_range_of_numbers) {
  // with steps of 1e150 the log prior is minus infinity from the first one on
  dp_hmc_settings far_hmc;
  far_hmc.stepsize = 1e150;
  dp_sgld_settings far_sgld;
  far_sgld.stepsize = 1e300;
  dp_sghmc_settings far_sghmc;
  far_sghmc.stepsize = 1e150;
  dp_sgnht_settings far_sgnht;
  far_sgnht.stepsize = 1e150;
  request r = usual();
  r.privacy.engaged = false;
  r.adapt.engaged = false;
  r.sample.num_chains = 2;
  const auto units = normal_units(5);
  for (const service& s :
       {sgld(far_sgld), sghmc(far_sghmc), sgnht(far_sgnht)}) {
    const outcome o = run(s, units, r);
    EXPECT_EQ(o.code, 0);
    for (const char* chain : {"Chain 1", "Chain 2"}) {
      EXPECT_NE(o.messages.find(
                    std::string("WARNING: ") + chain
                    + " stayed where it was in 50 of 50 iterations, because"),
                std::string::npos)
          << o.messages;
    }
  }
  // a Metropolis test rejects such a step, and the draws are right
  EXPECT_EQ(run(hmc(far_hmc), units, r).messages.find("stayed where"),
            std::string::npos);
  for (const named_service& s : all_services()) {
    EXPECT_EQ(run(s.call, units, r).messages.find("stayed where"),
              std::string::npos);
  }
}

TEST(SampleServices, ask_the_ledger_once_before_the_first_query) {
  const auto units = normal_units(5);
  const auto model = prior_model(new_model_sampler_normal);
  std::ostringstream out;
  stan::callbacks::stream_writer writer(out);
  const auto init = context("");
  counting_interrupt interrupt;
  text_logger logger;
  const run_callbacks callbacks{
      interrupt, logger, {&writer}, {&writer}, {&writer}};
  int asked = 0;
  const request r = usual();
  private_run what{*model, units, r.privacy, {"y"}, {}};
  what.reserve = [&](const plan& p, double epsilon) {
    ++asked;
    EXPECT_EQ(units.evaluations(), 0u);
    EXPECT_LE(epsilon, 1);
    EXPECT_FALSE(p.mechanisms.empty());
    return "the balance is fine";
  };
  EXPECT_EQ(services::dp_sgld(what, r.sample, {}, {init.get()}, callbacks), 0);
  EXPECT_EQ(asked, 1);
  EXPECT_NE(logger.text.find("the balance is fine"), std::string::npos);
  what.reserve = [](const plan&, double) -> std::string {
    throw std::invalid_argument("the ledger has nothing left");
  };
  const auto before = units.evaluations();
  EXPECT_EQ(services::dp_sgld(what, r.sample, {}, {init.get()}, callbacks),
            stan::services::error_codes::CONFIG);
  EXPECT_EQ(units.evaluations(), before);
}

namespace {

/** Two chains of dp_hmc that stay where a warm start put them. */
std::vector<csv_file> run_from(const gaussian_fit& fit) {
  const auto units = normal_units(30);
  const auto model = prior_model(new_model_sampler_normal);
  std::ostringstream first, second;
  stan::callbacks::stream_writer a(first, "# "), b(second, "# ");
  stan::callbacks::writer nothing;
  const auto init = context("");
  counting_interrupt interrupt;
  text_logger logger;
  request r = usual();
  r.sample.num_warmup = 0;
  r.sample.num_samples = 1;
  r.sample.num_chains = 2;
  r.adapt.engaged = false;
  dp_hmc_settings settings;
  settings.stepsize = 1e-9;
  warm_start_source warm;
  warm.mechanisms = {{query_kind::gradient, 0.5, 30, 3}};
  warm.run = [&fit](const prior_density&, private_likelihood& likelihood,
                    random_bits&, std::size_t query, const VectorXd& theta) {
    for (int i = 0; i < 3; ++i) {
      likelihood.gradient(theta, query);
    }
    return fit;
  };
  const private_run what{*model, units, r.privacy, {"y"}, {}};
  EXPECT_EQ(services::dp_hmc(what, r.sample, r.adapt, settings,
                             {{init.get(), init.get()}, {}, &warm},
                             {interrupt,
                              logger,
                              {&nothing, &nothing},
                              {&a, &b},
                              {&nothing, &nothing}}),
            0)
      << logger.text;
  return {csv_file(first.str()), csv_file(second.str())};
}

}  // namespace

TEST(SampleServices, start_at_a_warm_start_and_plan_it) {
  const Eigen::Vector2d scales(4e-9, 1e-9);
  for (const csv_file& csv :
       run_from({Eigen::Vector2d(0.5, 0), scales.asDiagonal()})) {
    EXPECT_NEAR(csv.rows[0][csv.column("mu")], 0.5, 1e-4);
    // scales in a ratio of 4 to 1: inverse metric 16 and 1, over their
    // geometric mean
    EXPECT_TRUE(csv.says("# 4, 0.25"));
    EXPECT_TRUE(csv.says("number of gradient queries at rate 0.5 = 3"));
  }
}

TEST(SampleServices, start_each_chain_at_its_own_draw_of_a_warm_start) {
  const auto csv
      = run_from({Eigen::Vector2d(100, 0), Eigen::Vector2d(2, 1).asDiagonal()});
  const auto mu = [&](int k) { return csv[k].rows[0][csv[k].column("mu")]; };
  EXPECT_GT(std::abs(mu(0) - mu(1)), 1e-3);
  for (const int k : {0, 1}) {
    EXPECT_NEAR(mu(k), 100, 2 * 6);
    EXPECT_GT(std::abs(mu(k) - 100), 1e-4);
  }
}
