#include <tests/rows/shape_cases.hpp>
#include <tests/rows/test_models.hpp>
#include <stan_dp/rows/load_rows.hpp>
#include <stan_dp/rows/row_product.hpp>
#include <stan/math/prim/core/init_threadpool_tbb.hpp>
#include <gtest/gtest.h>
#include <tbb/task_arena.h>
#include <cmath>
#include <random>
#include <string>

using stan_dp::model_factory;
using stan_dp::row_choice;
using namespace stan_dp::test;  // NOLINT

namespace {

class Shapes : public ::testing::TestWithParam<shape_case> {};

TEST_P(Shapes, units_and_prior_add_up_to_the_full_model) {
  const auto& c = GetParam();
  const auto data = json(c.json);
  auto loaded = stan_dp::load_rows(c.factory, data, c.choice);
  EXPECT_TRUE(loaded.warnings.empty()) << loaded.warnings.front();
  auto divided = stan_dp::divide_data(c.factory, data, c.choice);
  const stan_dp::stan_units units(c.factory, divided.table, divided.groups,
                                  *divided.prior);
  auto full = stan_dp::make_model(c.factory, *data.context);
  const auto d = full->num_params_r();
  ASSERT_EQ(d, units.dimension());
  for (const auto& theta : stan_dp::internal::trial_points(d)) {
    stan_dp::internal::unit_answers answers(units.num_units(), d);
    units.sweep(theta, nullptr, true, answers);
    stan_dp::model_evaluator evaluate(theta);
    double value, prior;
    Eigen::VectorXd gradient(d), prior_gradient(d);
    ASSERT_TRUE(evaluate(*full, value, gradient.data()));
    ASSERT_TRUE(evaluate(*divided.prior, prior, prior_gradient.data()));
    double sum = prior;
    double size = std::abs(prior);
    for (double unit : answers.values) {
      sum += unit;
      size += std::abs(unit);
    }
    EXPECT_NEAR(sum, value, 1e-10 * size);
    const Eigen::VectorXd total
        = prior_gradient + answers.gradients.rowwise().sum();
    const double gradient_size
        = prior_gradient.cwiseAbs().sum() + answers.gradients.cwiseAbs().sum();
    EXPECT_LT((total - gradient).lpNorm<Eigen::Infinity>(),
              1e-10 * gradient_size);
  }
}

/** A slice that served another row than it should would add up as well, if it
 * did so for all. So each unit is compared with the model of a file that holds
 * its rows alone, for a shape where that file is easy to write. */
TEST(StanUnits, unit_is_the_model_of_its_own_row) {
  const auto data
      = json("{\"N\":3,\"K\":2,\"x\":[[1,2],[3,4],[5,6]],\"y\":[0,1,0]}");
  auto loaded = stan_dp::load_rows(new_model_logistic, data, {});
  const std::string rows[] = {"{\"N\":1,\"K\":2,\"x\":[[1,2]],\"y\":[0]}",
                              "{\"N\":1,\"K\":2,\"x\":[[3,4]],\"y\":[1]}",
                              "{\"N\":1,\"K\":2,\"x\":[[5,6]],\"y\":[0]}"};
  const Eigen::VectorXd theta = Eigen::Vector3d(0.3, -0.2, 0.1);
  stan_dp::internal::unit_answers answers(3, 3);
  loaded.units->sweep(theta, nullptr, true, answers);
  stan_dp::model_evaluator evaluate(theta);
  double prior;
  ASSERT_TRUE(evaluate(*loaded.prior, prior, nullptr));
  for (int i = 0; i < 3; ++i) {
    auto row = json(rows[i]);
    double value;
    auto model = stan_dp::make_model(new_model_logistic, *row.context);
    ASSERT_TRUE(evaluate(*model, value, nullptr));
    EXPECT_NEAR(answers.values[i], value - prior, 1e-14);
  }
}

INSTANTIATE_TEST_SUITE_P(StanUnits, Shapes, ::testing::ValuesIn(shape_cases()),
                         [](const auto& test) { return test.param.name; });

stan_dp::loaded_rows load_logistic(int n) {
  return stan_dp::load_rows(
      new_model_logistic,
      json("{\"N\":" + std::to_string(n) + ",\"K\":4,\"x\":" + reals(n, 4, 1)
           + ",\"y\":" + ints(n, 0, 1) + "}"),
      {});
}

TEST(StanUnits, subset_answers_for_these_units_only) {
  auto loaded = load_logistic(300);
  const Eigen::VectorXd theta = Eigen::VectorXd::Constant(5, 0.2);
  stan_dp::internal::unit_answers all(300, 5), some(300, 5);
  loaded.units->sweep(theta, nullptr, true, all);
  std::fill(some.values.begin(), some.values.end(), -7);
  const std::vector<std::size_t> subset{3, 299, 64};
  loaded.units->sweep(theta, &subset, true, some);
  for (std::size_t unit = 0; unit < 300; ++unit) {
    const bool chosen = unit == 3 || unit == 64 || unit == 299;
    EXPECT_EQ(some.values[unit], chosen ? all.values[unit] : -7) << unit;
  }
}

TEST(StanUnits, answers_do_not_depend_on_the_number_of_threads) {
  auto loaded = load_logistic(5000);
  const Eigen::VectorXd theta = Eigen::VectorXd::Constant(5, 0.2);
  stan_dp::internal::unit_answers one(5000, 5), four(5000, 5);
  tbb::task_arena(1).execute(
      [&] { loaded.units->sweep(theta, nullptr, true, one); });
  tbb::task_arena(4).execute(
      [&] { loaded.units->sweep(theta, nullptr, true, four); });
  EXPECT_EQ(one.values, four.values);
  EXPECT_EQ(one.gradients, four.gradients);
}

TEST(StanUnits, no_rows_at_all_is_a_data_set_too) {
  auto loaded = stan_dp::load_rows(
      new_model_logistic, json("{\"N\":0,\"K\":2,\"x\":[],\"y\":[]}"), {});
  EXPECT_EQ(loaded.units->num_units(), 0);
  EXPECT_EQ(loaded.units->dimension(), 3);
}

TEST(StanUnits, r_dump_is_read_like_json) {
  std::istringstream dump(
      "N <- 3\nK <- 2\nx <- structure(c(1,3,5,2,4,6), .Dim = c(3,2))\n"
      "y <- c(0,1,0)\n");
  stan_dp::data_file data{std::make_shared<stan::io::dump>(dump), {}};
  auto from_dump = stan_dp::load_rows(new_model_logistic, data, {});
  auto from_json = stan_dp::load_rows(
      new_model_logistic,
      json("{\"N\":3,\"K\":2,\"x\":[[1,2],[3,4],[5,6]],\"y\":[0,1,0]}"), {});
  const Eigen::VectorXd theta = Eigen::Vector3d(0.3, -0.2, 0.1);
  stan_dp::internal::unit_answers a(3, 3), b(3, 3);
  from_dump.units->sweep(theta, nullptr, true, a);
  from_json.units->sweep(theta, nullptr, true, b);
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.gradients, b.gradients);
}

/** Rows: fine, negative x (its constructor throws), zero divisor (integer
 * division in the constructor), a value that is not finite, fine. */
stan_dp::loaded_rows load_throwing() {
  return stan_dp::load_rows(
      new_model_throws,
      json("{\"N\":5,\"x\":[1,-1,1,1,2],\"divisor\":[2,2,0,2,3],"
           "\"y\":[0,0,0,2000,0]}"),
      {});
}

TEST(StanUnits, unit_that_throws_is_marked_and_the_others_are_not) {
  auto loaded = load_throwing();
  stan_dp::internal::unit_answers answers(5, 1);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  loaded.units->sweep(Eigen::VectorXd::Constant(1, 0.5), nullptr, true,
                      answers);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  for (int unit : {0, 4}) {
    EXPECT_TRUE(answers.finite(unit)) << unit;
  }
  for (int unit : {1, 2}) {
    EXPECT_TRUE(std::isnan(answers.values[unit])) << unit;
    EXPECT_TRUE(std::isnan(answers.gradients(0, unit))) << unit;
  }
  EXPECT_FALSE(answers.finite(3));
}

TEST(StanUnits, region_where_the_model_rejects_marks_every_unit) {
  auto loaded = load_throwing();
  stan_dp::internal::unit_answers answers(5, 1);
  loaded.units->sweep(Eigen::VectorXd::Constant(1, 2.5), nullptr, true,
                      answers);
  for (int unit = 0; unit < 5; ++unit) {
    EXPECT_TRUE(std::isnan(answers.values[unit])) << unit;
  }
  // The next point is fine again: nothing was left on the autodiff stack.
  loaded.units->sweep(Eigen::VectorXd::Constant(1, 0.5), nullptr, true,
                      answers);
  EXPECT_EQ(answers.num_finite(), 2);
  EXPECT_TRUE(stan::math::empty_nested());
}

/** A profile that a division had left running would make all later units of
 * the thread throw. */
TEST(StanUnits, division_by_zero_in_one_row_leaves_the_others_as_they_were) {
  const auto sum_without_first = [](const std::string& first) {
    auto loaded
        = stan_dp::load_rows(new_model_throws,
                             json("{\"N\":4,\"x\":[1,1,2,3],\"divisor\":["
                                  + first + ",2,3,2],\"y\":[0,0,0,0]}"),
                             {});
    stan_dp::internal::unit_answers answers(4, 1);
    for (int sweep = 0; sweep < 2; ++sweep) {
      loaded.units->sweep(Eigen::VectorXd::Constant(1, 0.5), nullptr, true,
                          answers);
    }
    EXPECT_EQ(answers.finite(0), first == "2");
    return answers.values[1] + answers.values[2] + answers.values[3];
  };
  const double expected = sum_without_first("2");
  EXPECT_TRUE(std::isfinite(expected));
  EXPECT_EQ(sum_without_first("0"), expected);  // in the constructor
  EXPECT_EQ(sum_without_first("1"), expected);  // in the model
}

TEST(StanUnits, values_alone_equal_those_beside_gradients) {
  struct values_only : stan_dp::unit_consumer {
    std::unique_ptr<stan_dp::unit_consumer> split() override {
      auto part = std::make_unique<values_only>();
      part->values = values;
      return part;
    }
    void take(const stan_dp::unit_block& block) override {
      EXPECT_EQ(block.gradients, nullptr);
      for (std::size_t k = 0; k < block.count; ++k) {
        (*values)[block.units[k]] = block.values[k];
      }
    }
    void join(stan_dp::unit_consumer&) override {}
    std::shared_ptr<std::vector<double>> values
        = std::make_shared<std::vector<double>>(300);
  };
  auto loaded = load_logistic(300);
  const Eigen::VectorXd theta = Eigen::VectorXd::Constant(5, 0.2);
  stan_dp::internal::unit_answers all(300, 5);
  values_only values;
  loaded.units->sweep(theta, nullptr, true, all);
  loaded.units->sweep(theta, nullptr, false, values);
  EXPECT_EQ(*values.values, all.values);
}

}  // namespace
