#include <stan_dp/driver/arguments.hpp>
#include <stan_dp/driver/dp_options.hpp>
#include <stan_dp/driver/dp_request.hpp>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

using namespace stan_dp;

namespace {

const option& find_option(const std::vector<option>& table,
                          const std::string& name) {
  for (const auto& o : table) {
    if (o.name == name) {
      return o;
    }
  }
  throw std::logic_error("no option " + name);
}

option_values presets(const std::string& algorithm) {
  return option_values(find_dp_algorithm(algorithm)->options);
}

privacy_settings budget() {
  privacy_settings s;
  s.epsilon = 1;
  s.delta = 1e-6;
  return s;
}

template <typename Settings>
Settings preset_settings(const std::string& algorithm) {
  return std::get<Settings>(
      read_algorithm(algorithm, presets(algorithm), budget()));
}

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST(DpOptions, every_preset_is_a_valid_value) {
  for (const auto& algorithm : dp_algorithms()) {
    for (const auto& o : algorithm.options) {
      option without_preset = o;
      without_preset.preset.clear();
      EXPECT_FALSE(!o.preset.empty() && why_invalid(without_preset, o.preset))
          << algorithm.name << " " << o.name;
    }
  }
}

TEST(DpOptions, refuse_numbers_that_a_lenient_parser_lets_through) {
  const option& epsilon = find_option(privacy_options(), "epsilon");
  for (const char* text : {"1,5", "1e-6junk", "0x10", "inf", "nan", " 1", "1 ",
                           "0", "-1", "1e400"}) {
    EXPECT_TRUE(why_invalid(epsilon, text)) << text;
  }
  for (const char* text : {"1.5", "1e-6", "+2", ".5", "3."}) {
    EXPECT_FALSE(why_invalid(epsilon, text)) << text;
  }
  const option& steps
      = find_option(find_dp_algorithm("dp_hmc")->options, "num_leapfrog");
  for (const char* text : {"1e3", "10.0", "0x10", "1,5", "0", "-3", "inf",
                           "2147483648", "99999999999999999999"}) {
    EXPECT_TRUE(why_invalid(steps, text)) << text;
  }
  EXPECT_FALSE(why_invalid(steps, "1000"));
}

TEST(DpOptions, refusals_say_what_where_and_what_to_do) {
  EXPECT_EQ(*why_invalid(find_option(privacy_options(), "epsilon"), "1,5"),
            "epsilon=1,5 is refused: a number is written with digits and a "
            "decimal point, such as 0.5 or 1e-6; valid values: 0 < epsilon.");
  EXPECT_EQ(*why_invalid(find_option(privacy_options(), "delta"), "1"),
            "delta=1 is refused: it is out of range; valid values: 0 < delta "
            "< 1.");
  EXPECT_EQ(*why_invalid(find_option(privacy_options(), "neighbors"), "both"),
            "neighbors=both is refused: there is no such choice; valid values: "
            "substitute, add_remove.");
  EXPECT_EQ(*why_invalid(find_option(privacy_options(), "engaged"), "no"),
            "engaged=no is refused: it is neither true nor false; valid "
            "values: [0, 1, false, true].");
}

TEST(DpOptions, print_numbers_that_read_back_exactly) {
  const option& epsilon = find_option(privacy_options(), "epsilon");
  for (double x : {0.1, 1.0 / 3, 1e-6, 123456789.123456789}) {
    EXPECT_EQ(*parse_real(canonical(epsilon, show_real(x))), x);
  }
  EXPECT_EQ(show_real(0.1), "0.1");
}

TEST(DpOptions, presets_are_those_of_the_settings) {
  // The structs of services/settings.hpp hold the defaults a second time: for
  // callers without a command line.
  auto h = preset_settings<dp_hmc_settings>("dp_hmc");
  dp_hmc_settings h0;
  EXPECT_EQ(h.stepsize, h0.stepsize);
  EXPECT_EQ(h.stepsize_jitter, h0.stepsize_jitter);
  EXPECT_EQ(h.num_leapfrog, h0.num_leapfrog);
  EXPECT_EQ(h.metric, h0.metric);
  EXPECT_EQ(h.metric_file, h0.metric_file);
  EXPECT_EQ(h.ratio_share, h0.ratio_share);
  EXPECT_EQ(h.tempering, h0.tempering);
  EXPECT_EQ(h.warm_start.kind, h0.warm_start.kind);
  EXPECT_EQ(h.warm_start.share, h0.warm_start.share);

  auto p = preset_settings<dp_penalty_settings>("dp_penalty");
  dp_penalty_settings p0;
  EXPECT_EQ(p.scale, p0.scale);
  EXPECT_EQ(p.proposal, p0.proposal);
  EXPECT_EQ(p.metric, p0.metric);
  EXPECT_EQ(p.tempering, p0.tempering);
  EXPECT_EQ(p.warm_start.kind, p0.warm_start.kind);
  EXPECT_EQ(p.warm_start.share, p0.warm_start.share);

  auto l = preset_settings<dp_sgld_settings>("dp_sgld");
  dp_sgld_settings l0;
  EXPECT_EQ(l.batch.rate, l0.batch.rate);
  EXPECT_EQ(l.batch.batch, l0.batch.batch);
  EXPECT_EQ(l.stepsize, l0.stepsize);
  EXPECT_EQ(l.decay_offset, l0.decay_offset);
  EXPECT_EQ(l.decay_power, l0.decay_power);
  EXPECT_EQ(l.tempering, l0.tempering);

  auto s = preset_settings<dp_sghmc_settings>("dp_sghmc");
  dp_sghmc_settings s0;
  EXPECT_EQ(s.stepsize, s0.stepsize);
  EXPECT_EQ(s.decay_offset, s0.decay_offset);
  EXPECT_EQ(s.decay_power, s0.decay_power);
  EXPECT_EQ(s.friction, s0.friction);
  EXPECT_EQ(s.num_leapfrog, s0.num_leapfrog);
  EXPECT_EQ(s.tempering, s0.tempering);

  auto t = preset_settings<dp_sgnht_settings>("dp_sgnht");
  dp_sgnht_settings t0;
  EXPECT_EQ(t.stepsize, t0.stepsize);
  EXPECT_EQ(t.tempering, t0.tempering);

  auto v = preset_settings<dp_variational_settings>("dp_meanfield");
  dp_variational_settings v0;
  EXPECT_EQ(v.full_rank, v0.full_rank);
  EXPECT_EQ(v.optimizer, v0.optimizer);
  EXPECT_EQ(v.average, v0.average);
  EXPECT_TRUE(
      preset_settings<dp_variational_settings>("dp_fullrank").full_rank);

  option_values values(privacy_options());
  values.set(find_option(privacy_options(), "engaged"), "0");
  privacy_settings a = read_privacy(values);
  privacy_settings a0;
  EXPECT_TRUE(a0.engaged);
  EXPECT_TRUE(std::isnan(a.epsilon));
  EXPECT_TRUE(std::isnan(a.delta));
  EXPECT_EQ(a.relation, a0.relation);
  EXPECT_EQ(a.rows, a0.rows);
  EXPECT_EQ(a.unit, a0.unit);
  EXPECT_EQ(a.public_names, a0.public_names);
  EXPECT_EQ(a.clip, a0.clip);
  EXPECT_EQ(a.ratio_clip, a0.ratio_clip);
  EXPECT_EQ(a.ledger, a0.ledger);
  EXPECT_EQ(a.noise_seed, a0.noise_seed);
}

TEST(DpOptions, a_missing_budget_is_refused_unless_privacy_is_off) {
  option_values values(privacy_options());
  EXPECT_EQ(message_of([&] { read_privacy(values); }).substr(0, 39),
            "privacy epsilon and delta are missing: ");
  values.set(find_option(privacy_options(), "epsilon"), "1");
  EXPECT_EQ(message_of([&] { read_privacy(values); }).substr(0, 25),
            "privacy delta is missing:");
  values.set(find_option(privacy_options(), "delta"), "1e-6");
  EXPECT_EQ(read_privacy(values).delta, 1e-6);
}

TEST(DpOptions, public_names_are_a_list) {
  option_values values(privacy_options());
  values.set(find_option(privacy_options(), "engaged"), "0");
  values.set(find_option(privacy_options(), "public"), "K,x");
  EXPECT_EQ(read_privacy(values).public_names,
            (std::vector<std::string>{"K", "x"}));
  for (const char* text : {",", "K,", ",K", "K,,x"}) {
    values.set(find_option(privacy_options(), "public"), text);
    EXPECT_NE(message_of([&] { read_privacy(values); }), "") << text;
  }
}

TEST(DpOptions, rate_and_batch_exclude_each_other) {
  const auto& table = find_dp_algorithm("dp_sgld")->options;
  option_values values(table);
  values.set(find_option(table, "batch"), "100");
  EXPECT_EQ(
      std::get<dp_sgld_settings>(read_algorithm("dp_sgld", values, budget()))
          .batch.batch,
      100);
  privacy_settings add_remove = budget();
  add_remove.relation = neighbors::add_remove;
  EXPECT_NE(message_of([&] {
              read_algorithm("dp_sgld", values, add_remove);
            }).find("batch is refused with neighbors=add_remove"),
            std::string::npos);
  values.set(find_option(table, "rate"), "0.1");
  EXPECT_NE(message_of([&] {
              read_algorithm("dp_sgld", values, budget());
            }).find("give one of them"),
            std::string::npos);
}

TEST(DpOptions, an_argument_is_given_only_where_its_group_is_open) {
  const std::vector<std::string> words{
      "model",   "variational", "adapt", "iter=50", "algorithm=dp_meanfield",
      "privacy", "engaged=1"};
  EXPECT_TRUE(is_given(words, "adapt", "iter"));
  EXPECT_TRUE(is_given(words, "privacy", "engaged"));
  EXPECT_FALSE(is_given(words, "adapt", "engaged"));
  EXPECT_FALSE(is_given(words, "adapt", "ite"));
}

TEST(DpOptions, an_acceptance_rate_that_equals_the_preset_counts_if_given) {
  EXPECT_EQ(dp_target_acceptance(0.8, {"sample", "adapt", "delta=0.8"}), 0.8);
  EXPECT_EQ(dp_target_acceptance(0.8, {"sample"}), adapt_settings().delta);
}

TEST(DpOptions, a_variational_run_refuses_what_reads_the_elbo) {
  dp_request request;
  request.algorithm = "dp_meanfield";
  request.settings = dp_variational_settings{};
  variational_arguments given;
  given.iter = 500;
  add_variational_arguments(given, request);
  EXPECT_EQ(std::get<dp_variational_settings>(request.settings).iter, 500);
  EXPECT_EQ(std::get<dp_variational_settings>(request.settings).eta, 0);
  given.tol_rel_obj = 0.001;
  EXPECT_EQ(
      message_of([&] { add_variational_arguments(given, request); }),
      "tol_rel_obj is refused with algorithm=dp_meanfield: it reads the ELBO, "
      "which the data would show through; a private run makes exactly iter "
      "iterations with the step size eta.");
}
