#include <stan_dp/driver/comparison.hpp>
#include <gtest/gtest.h>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

using namespace stan_dp;

namespace {

std::string write_file(const std::string& name, const std::string& text) {
  std::string path = testing::TempDir() + name;
  std::ofstream(path) << text;
  return path;
}

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

draws one_column(const std::string& name, const std::vector<double>& x) {
  draws d;
  d.names = {name};
  d.columns = {x};
  return d;
}

}  // namespace

TEST(Comparison, quantiles_interpolate_between_draws) {
  // Five draws: the 5% quantile lies at 0.05 * 4 = 0.2 of the first gap.
  marginal m = summarize({5, 1, 2, 4, 3});
  EXPECT_DOUBLE_EQ(m.mean, 3);
  EXPECT_DOUBLE_EQ(m.sd, std::sqrt(2.5));
  EXPECT_DOUBLE_EQ(m.q05, 1.2);
  EXPECT_DOUBLE_EQ(m.q50, 3);
  EXPECT_DOUBLE_EQ(m.q95, 4.8);
}

TEST(Comparison, shift_and_ratio_are_in_sds_of_the_reference) {
  // sds: 1 and 2 times sqrt(2); means 1 and 4.
  auto p = compare_parameter("a", {0, 2}, {2, 6});
  EXPECT_DOUBLE_EQ(p.shift, 3 / std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(p.sd_ratio, 2);
}

TEST(Comparison, mmd_is_the_unbiased_estimate) {
  // Far apart the cross terms vanish: MMD^2 = k(0, 2) + k(100, 102)
  // = 2 exp(-2^2 / 2) at width 1.
  point_set x{{0}, {2}};
  point_set y{{100}, {102}};
  EXPECT_NEAR(mmd(x, y, 1), std::sqrt(2 * std::exp(-2.0)), 1e-15);
  // At width w: MMD^2 = 2 exp(-2/w^2) - (2/4)(3 exp(-1/(2w^2)) +
  // exp(-9/(2w^2))) for {0, 2} and {1, 3}, negative at w = 1: no discrepancy
  // shows.
  EXPECT_EQ(mmd(x, {{1}, {3}}, 1), 0);
}

TEST(Comparison, mmd_tells_a_shift_from_chance) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> a, b, c;
  for (int i = 0; i < 1000; ++i) {
    a.push_back(normal(random));
    b.push_back(normal(random));
    c.push_back(normal(random) + 1);
  }
  auto same = compare_draws(one_column("x", a), one_column("x", b));
  auto shifted = compare_draws(one_column("x", a), one_column("x", c));
  // Unit normals one sd apart, with a kernel of width w: MMD^2 =
  // 2 w / sqrt(w^2 + 2) * (1 - exp(-1 / (2 (w^2 + 2)))).
  double w = shifted.kernel_width;
  double expected = std::sqrt(2 * w / std::sqrt(w * w + 2)
                              * (1 - std::exp(-1 / (2 * (w * w + 2)))));
  // The estimate of MMD^2 has a standard error below 2 / sqrt(1000) * MMD.
  EXPECT_NEAR(shifted.mmd, expected, 4 / std::sqrt(1000.0));
  EXPECT_LT(same.mmd, 0.1);
  EXPECT_LT(shifted.mmd_of_halves, 0.1);
}

TEST(Comparison, kernel_width_is_the_median_distance) {
  // Two points in all: every distance between different ones is 3.
  EXPECT_EQ(median_distance({{0}}, {{3}}), 3);
}

TEST(Comparison, runs_without_a_common_parameter_are_refused) {
  EXPECT_EQ(
      message_of([] {
        compare_draws(one_column("a", {1, 2}), one_column("b", {1, 2}));
      }),
      "The runs have no parameter in common that varies in both: they are not "
      "of the same model, or a chain never moved.");
}

TEST(DrawsFile, leaves_out_warmup_and_diagnostics) {
  std::string file = write_file("warm.csv",
                                "# method = sample (Default)\n"
                                "#     num_warmup = 2\n"
                                "#     save_warmup = true\n"
                                "#     thin = 1 (Default)\n"
                                "lp__,a\n0,100\n0,200\n"
                                "# Adaptation terminated\n0,1\n0,2\n# \n");
  draws d = read_draws({file});
  EXPECT_EQ(d.names, std::vector<std::string>{"a"});
  EXPECT_EQ(d.columns[0], (std::vector<double>{1, 2}));
}

TEST(DrawsFile, the_first_row_of_a_variational_fit_is_not_a_draw) {
  std::string file
      = write_file("vi.csv", "# method = variational\nlp__,a\n0,9\n0,1\n0,2\n");
  EXPECT_EQ(read_draws({file}).columns[0], (std::vector<double>{1, 2}));
}

TEST(DrawsFile, chains_are_put_together) {
  std::string one = write_file("one.csv", "a,b\n1,2\n3,4\n");
  std::string two = write_file("two.csv", "a,b\n5,6\n");
  EXPECT_EQ(read_draws({one, two}).columns[1], (std::vector<double>{2, 4, 6}));
  std::string other = write_file("other.csv", "a,c\n5,6\n");
  EXPECT_EQ(message_of([&] {
              read_draws({one, other});
            }),
            other + " has other columns than " + one
                + ": they are not chains of one run.");
}

TEST(DrawsFile, a_truncated_file_is_refused_by_line) {
  std::string file = write_file("cut.csv", "# x = 1\na,b\n1,2\n3\n");
  EXPECT_EQ(message_of([&] { read_draws({file}); }),
            "Line 4 of " + file
                + " does not have a number for each of its 2 columns: the file "
                  "is damaged or the run did not end.");
}
