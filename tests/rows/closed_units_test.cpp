#include <tests/rows/shape_cases.hpp>
#include <tests/rows/test_models.hpp>
#include <stan_dp/rows/closed_units.hpp>
#include <stan_dp/rows/load_rows.hpp>
#include <stan_dp/rows/row_product.hpp>
#include <gtest/gtest.h>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

using stan_dp::internal::unit_answers;
using namespace stan_dp::test;  // NOLINT

namespace {

/** The same units twice: as `load_rows` gives them, and by their models. */
struct both {
  both(stan_dp::model_factory factory, const std::string& text,
       const stan_dp::row_choice& choice)
      : loaded(stan_dp::load_rows(factory, json(text), choice)),
        divided(stan_dp::divide_data(factory, json(text), choice)),
        models(factory, divided.table, divided.groups, *divided.prior) {}

  const stan_dp::closed_units* closed() const {
    return dynamic_cast<const stan_dp::closed_units*>(loaded.units.get());
  }

  std::size_t described() const {
    return closed() ? closed()->num_described() : 0;
  }

  unit_answers ask(const stan_dp::unit_likelihood& units,
                   const Eigen::VectorXd& theta) const {
    unit_answers answers(units.num_units(), units.dimension());
    units.sweep(theta, nullptr, true, answers);
    return answers;
  }

  stan_dp::loaded_rows loaded;
  stan_dp::divided_data divided;
  stan_dp::stan_units models;
};

/**
 * Both unit by unit. A likelihood is a difference, so it is known to the
 * rounding of what is subtracted; 1e-8 is `form_tolerance`.
 */
void expect_same(const both& b, const Eigen::VectorXd& theta) {
  const auto found = b.ask(*b.loaded.units, theta);
  const auto expected = b.ask(b.models, theta);
  const stan_dp::stan_units::prior_answer prior(*b.divided.prior, theta, true);
  double value_size = std::abs(prior.value);
  double gradient_size = prior.gradient.lpNorm<Eigen::Infinity>();
  for (std::size_t unit = 0; unit < b.models.num_units(); ++unit) {
    if (expected.finite(unit)) {
      value_size = std::max(value_size, std::abs(expected.values[unit]));
      gradient_size
          = std::max(gradient_size,
                     expected.gradients.col(unit).lpNorm<Eigen::Infinity>());
    }
  }
  for (std::size_t unit = 0; unit < b.models.num_units(); ++unit) {
    ASSERT_EQ(found.finite(unit), expected.finite(unit)) << unit;
    if (expected.finite(unit)) {
      EXPECT_NEAR(found.values[unit], expected.values[unit], 1e-8 * value_size)
          << unit;
      EXPECT_LT((found.gradients.col(unit) - expected.gradients.col(unit))
                    .lpNorm<Eigen::Infinity>(),
                1e-8 * gradient_size)
          << unit;
    }
  }
}

class ClosedShapes : public ::testing::TestWithParam<shape_case> {};

TEST_P(ClosedShapes, every_unit_is_what_its_model_says_near_and_far) {
  const auto& c = GetParam();
  const both b(c.factory, c.json, c.choice);
  for (const auto& theta :
       stan_dp::internal::trial_points(b.models.dimension())) {
    for (const double distance : {1.0, 4.0}) {
      expect_same(b, distance * theta);
      // Otherwise the models would have been compared with themselves.
      EXPECT_TRUE(!b.closed() || b.closed()->holds_at(distance * theta));
    }
  }
}

/** A form that is not found costs time and nothing else: no test of answers
 * would notice. */
TEST_P(ClosedShapes, form_is_found_where_there_is_one) {
  const auto& c = GetParam();
  const both b(c.factory, c.json, c.choice);
  // Invented rows do not come from every group: the units of the others stay
  // with their models.
  if (c.name == "varying_intercepts"
      || c.name == "varying_intercepts_by_group") {
    EXPECT_GT(b.described(), 0);
    return;
  }
  // Mixtures, solvers, moduli and persons with an effect of their own have no
  // such form; the wide one has seventeen statistics.
  const bool open = c.name == "mixture" || c.name == "ode"
                    || c.name == "complex" || c.name == "ordered_and_simplex"
                    || c.name == "grouped_units"
                    || c.name == "matrix_with_rows_second";
  EXPECT_EQ(b.described(), open ? 0 : b.models.num_units());
}

INSTANTIATE_TEST_SUITE_P(ClosedUnits, ClosedShapes,
                         ::testing::ValuesIn(shape_cases()),
                         [](const auto& test) { return test.param.name; });

/** Rows: fine, negative x, zero divisor, a value that is not finite, fine. In
 * the region above 2 the model rejects. */
TEST(ClosedUnits, unit_without_the_form_stays_with_its_model) {
  const both b(new_model_throws,
               "{\"N\":5,\"x\":[1,-1,1,1,2],\"divisor\":[2,2,0,2,3],"
               "\"y\":[0,0,0,2000,0]}",
               {});
  EXPECT_EQ(b.described(), 2);
  expect_same(b, Eigen::VectorXd::Constant(1, 0.5));
}

TEST(ClosedUnits, where_invented_rows_differ_from_the_form_models_answer) {
  const both b(new_model_throws,
               "{\"N\":2,\"x\":[1,2],\"divisor\":[2,3],\"y\":[0,0]}", {});
  EXPECT_EQ(b.described(), 2);
  // above 2 no row answers, below -6 all do but by another function
  EXPECT_EQ(
      b.ask(*b.loaded.units, Eigen::VectorXd::Constant(1, 2.5)).num_finite(),
      0);
  expect_same(b, Eigen::VectorXd::Constant(1, -6.5));
}

/** Rows far outside of what is invented, where `inv_logit` saturates. */
TEST(ClosedUnits, huge_rows_have_the_answers_of_their_models) {
  const both b(new_model_logistic,
               "{\"N\":4,\"K\":2,\"x\":[[1e8,-3e7],[-1e-8,0],[50,-60],[0,0]],"
               "\"y\":[0,1,1,0]}",
               {});
  EXPECT_EQ(b.described(), 4);
  for (const double scale : {1e-9, 0.01, 1.0, 30.0}) {
    const Eigen::VectorXd theta = scale * Eigen::Vector3d(0.7, -1.1, 0.4);
    const auto found = b.ask(*b.loaded.units, theta);
    const auto expected = b.ask(b.models, theta);
    for (int unit = 0; unit < 4; ++unit) {
      // a sum of products of theta with x up to 1e8
      const double slope = unit == 0 ? 1e8 : 100;
      EXPECT_NEAR(found.values[unit], expected.values[unit],
                  1e-8 * (1 + slope * theta.norm()))
          << unit << " " << scale;
      EXPECT_LT((found.gradients.col(unit) - expected.gradients.col(unit))
                    .lpNorm<Eigen::Infinity>(),
                1e-8 * slope)
          << unit << " " << scale;
    }
  }
}

/** What a model with `offset + x * beta` would answer. */
TEST(ClosedUnits, logistic_form_finds_an_offset) {
  const both b(new_model_logistic,
               "{\"N\":2,\"K\":2,\"x\":[[1,2],[3,4]],\"y\":[0,1]}", {});
  ASSERT_NE(b.closed(), nullptr);
  const stan_dp::closed_form& form = b.closed()->form();
  const double offset = 0.7;
  const Eigen::Vector3d slope(-0.4, 1.1, 0.2);
  const auto& probes = form.probes();
  stan_dp::few_answers answers{Eigen::VectorXd(probes.size()),
                               Eigen::MatrixXd(3, probes.size())};
  const auto log_likelihood = [&](const Eigen::VectorXd& theta) {
    return -std::log1p(std::exp(-offset - slope.dot(theta)));
  };
  for (std::size_t p = 0; p < probes.size(); ++p) {
    answers.values[p] = log_likelihood(probes[p]);
    answers.gradients.col(p) = -std::expm1(answers.values[p]) * slope;
  }
  std::vector<double> numbers(form.size());
  ASSERT_TRUE(form.describe(answers, numbers.data()));
  EXPECT_NEAR(numbers[0], offset, 1e-12);
  const Eigen::VectorXd theta = Eigen::Vector3d(0.5, -2, 3);
  EXPECT_NEAR(form.at(theta, true)->answer(numbers.data(), nullptr),
              log_likelihood(theta), 1e-12);
}

TEST(ClosedUnits, few_numbers_describe_a_unit_of_an_exponential_family) {
  const both b(new_model_normal_vector, "{\"N\":5,\"y\":" + reals(5) + "}", {});
  ASSERT_NE(b.closed(), nullptr);
  // y^2, y and 1, and the constant
  EXPECT_EQ(b.closed()->form().size(), 4);
}

/** A unit's numbers come from its own row: another row in the data changes
 * nothing for it, to the last bit. */
TEST(ClosedUnits, answer_of_a_unit_does_not_depend_on_other_rows) {
  const Eigen::VectorXd theta = Eigen::Vector2d(0.4, -0.3);
  const auto first = [&](const std::string& other) {
    const both b(new_model_normal_vector, "{\"N\":2,\"y\":[1.5," + other + "]}",
                 {});
    const auto answers = b.ask(*b.loaded.units, theta);
    return std::make_pair(answers.values[0],
                          Eigen::VectorXd(answers.gradients.col(0)));
  };
  EXPECT_EQ(first("2"), first("1e12"));
}

}  // namespace
