#include <stan_dp/driver/arguments.hpp>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

using namespace stan_dp;

namespace {

struct answer {
  parse_result result;
  std::string out;
  std::string err;
};

argument_tree tree() { return argument_tree(driver_arguments(1, 42), "i\n"); }

answer parse(argument_tree& a, const std::string& line) {
  std::vector<std::string> words{"model"};
  std::istringstream in(line);
  for (std::string word; in >> word;) {
    words.push_back(word);
  }
  std::ostringstream out, err;
  parse_result result = a.parse(words, out, err);
  return {result, out.str(), err.str()};
}

answer parse(const std::string& line) {
  argument_tree a = tree();
  return parse(a, line);
}

}  // namespace

TEST(Argument, a_method_may_stand_without_its_name) {
  argument_tree a = tree();
  ASSERT_EQ(parse(a, "sample num_samples=7 adapt delta=0.9 id=3").result,
            parse_result::run);
  EXPECT_EQ(a.integer("method sample num_samples"), 7);
  EXPECT_EQ(a.real("method sample adapt delta"), 0.9);
  EXPECT_EQ(a.integer("id"), 3);
  EXPECT_EQ(parse("method=sample").result, parse_result::run);
}

TEST(Argument, subarguments_follow_their_group) {
  argument_tree a = tree();
  ASSERT_EQ(parse(a,
                  "sample algorithm=hmc metric=dense_e engine=nuts "
                  "max_depth=3 stepsize=0.5 num_chains=2 output "
                  "file=a.csv sig_figs=5 data file=d.json")
                .result,
            parse_result::run);
  EXPECT_EQ(a.text("method sample algorithm hmc metric"), "dense_e");
  EXPECT_EQ(a.integer("method sample algorithm hmc engine nuts max_depth"), 3);
  EXPECT_EQ(a.real("method sample algorithm hmc stepsize"), 0.5);
  EXPECT_EQ(a.integer("method sample num_chains"), 2);
  EXPECT_EQ(a.text("output file"), "a.csv");
  EXPECT_EQ(a.text("data file"), "d.json");
}

TEST(Argument, a_mistake_names_the_places_where_it_would_be_right) {
  answer r = parse("sample data file=d.json max_depth=3");
  EXPECT_EQ(r.result, parse_result::refused);
  EXPECT_EQ(r.err,
            "max_depth=3 is either mistyped or misplaced.\n"
            "Perhaps you meant one of the following valid configurations?\n"
            "  method=sample algorithm=hmc engine=nuts max_depth=<int>\n");
  EXPECT_EQ(parse("bogus").err,
            "bogus is either mistyped or misplaced.\n"
            "A method must be specified!\n");
  EXPECT_EQ(parse("id=1").err, "A method must be specified!\n");
}

TEST(Argument, a_bad_value_names_the_valid_ones) {
  EXPECT_EQ(parse("sample num_samples=-1").err,
            "-1 is not a valid value for \"num_samples\"\n"
            "  Valid values: 0 < num_samples\n");
  EXPECT_EQ(parse("sample algorithm=slice").err,
            "slice is not a valid value for \"algorithm\"\n"
            "  Valid values: hmc, fixed_param, dp_hmc, dp_penalty, dp_sgld, "
            "dp_sghmc, dp_sgnht\n");
  EXPECT_EQ(parse("sample adapt delta=1").err,
            "1 is not a valid value for \"delta\"\n"
            "  Valid values: 0.100000 <= delta <= 1.000000\n");
  EXPECT_EQ(parse("sample random seed=4294967296").err.substr(0, 10),
            "4294967296");
  EXPECT_EQ(parse("sample num_threads=0").result, parse_result::refused);
}

TEST(Argument, cmdstans_own_numbers_stay_lenient) {
  argument_tree a = tree();
  ASSERT_EQ(parse(a, "sample num_samples=1e3").result, parse_result::run);
  EXPECT_EQ(a.integer("method sample num_samples"), 1);
}

TEST(Argument, private_options_are_strict) {
  for (const char* text : {"1,5", "1e-6junk", "0x10", "inf", "nan", "-1"}) {
    std::string word = "epsilon=" + std::string(text);
    answer r = parse("sample algorithm=dp_hmc privacy " + word);
    EXPECT_EQ(r.result, parse_result::refused);
    EXPECT_EQ(r.err.rfind(word + " is refused: ", 0), 0u) << r.err;
  }
  EXPECT_EQ(parse("sample algorithm=dp_hmc num_leapfrog=1e3").err,
            "num_leapfrog=1e3 is refused: an integer is written with digits "
            "alone, such as 1000; valid values: 1 <= num_leapfrog <= "
            "2147483647.\n");
  EXPECT_EQ(parse("sample algorithm=dp_hmc privacy epsilon delta=1e-6").err,
            "epsilon needs a value: epsilon=<double>.\n");
}

TEST(Argument, the_privacy_group_may_be_continued) {
  argument_tree a = tree();
  ASSERT_EQ(parse(a,
                  "sample algorithm=dp_hmc privacy epsilon=1 stepsize=0.2 "
                  "privacy delta=1e-6")
                .result,
            parse_result::run);
  const std::string path = "method sample algorithm dp_hmc ";
  EXPECT_EQ(a.text(path + "privacy epsilon"), "1");
  EXPECT_EQ(a.text(path + "privacy delta"), "1e-06");
  EXPECT_EQ(a.text(path + "stepsize"), "0.2");
}

TEST(Argument, help_is_that_of_the_argument_before_it) {
  answer r = parse("sample algorithm=hmc engine=nuts help");
  EXPECT_EQ(r.result, parse_result::helped);
  EXPECT_EQ(r.out.rfind("nuts\n  The No-U-Turn Sampler\n  Valid subarguments: "
                        "max_depth\n\nUsage: model ",
                        0),
            0u)
      << r.out;
  r = parse("output file help");
  EXPECT_EQ(r.out.rfind("file=<string>\n  Output file\n  Valid values: Path to "
                        "existing file\n  Defaults to output.csv\n\nUsage: ",
                        0),
            0u)
      << r.out;
}

TEST(Argument, help_all_shows_the_private_algorithms) {
  std::string out = parse("help-all").out;
  for (const auto& algorithm : dp_algorithms()) {
    EXPECT_NE(out.find("\n        " + algorithm.name + "\n"), std::string::npos)
        << algorithm.name;
  }
  EXPECT_NE(out.find("epsilon=<double>"), std::string::npos);
}

TEST(Argument, prints_six_digits_and_full_precision_where_it_is_private) {
  argument_tree a = tree();
  ASSERT_EQ(parse(a,
                  "sample adapt gamma=0.123456789 algorithm=dp_hmc privacy "
                  "epsilon=0.123456789")
                .result,
            parse_result::run);
  std::string text;
  a.print([&text](const std::string& line) { text += line + "\n"; });
  EXPECT_NE(text.find("      gamma = 0.123457\n"), std::string::npos) << text;
  EXPECT_NE(text.find("          epsilon = 0.123456789\n"), std::string::npos);
  EXPECT_NE(text.find("  seed = 42 (Default)\n"), std::string::npos);
  EXPECT_NE(text.find("method = sample (Default)\n  sample\n"),
            std::string::npos);
}

TEST(Argument, nothing_typed_is_answered_with_the_usage) {
  answer r = parse("");
  EXPECT_EQ(r.result, parse_result::refused);
  EXPECT_EQ(r.out.rfind("Usage: model <arg1>", 0), 0u);
}
