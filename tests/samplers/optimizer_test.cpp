#include <stan_dp/samplers/optimizer.hpp>
#include <gtest/gtest.h>
#include <cmath>
#include <stdexcept>

using Eigen::VectorXd;
using stan_dp::optimizer;
using stan_dp::optimizer_kind;

namespace {

class OptimizerTest : public testing::TestWithParam<optimizer_kind> {};

/** A constant gradient c gives `eta t^(-1/2) sign(c)`, whatever its size. */
TEST_P(OptimizerTest, step_does_not_depend_on_the_gradients_unit) {
  optimizer climb(GetParam(), 0.1, 2);
  VectorXd gradient(2);
  gradient << 1e-6, -1e6;
  for (int t = 1; t <= 20; ++t) {
    const VectorXd step = climb.step(gradient);
    EXPECT_NEAR(step[0], 0.1 / std::sqrt(t), 1e-12);
    EXPECT_NEAR(step[1], -0.1 / std::sqrt(t), 1e-12);
  }
}

TEST_P(OptimizerTest, stays_where_the_gradient_is_zero) {
  optimizer climb(GetParam(), 0.1, 1);
  EXPECT_EQ(climb.step(VectorXd::Zero(1))[0], 0);
}

TEST_P(OptimizerTest, refuses_a_step_size_that_is_none) {
  EXPECT_THROW(optimizer(GetParam(), 0, 1), std::invalid_argument);
  EXPECT_THROW(optimizer(GetParam(), NAN, 1), std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(Kinds, OptimizerTest,
                         testing::Values(optimizer_kind::adam,
                                         optimizer_kind::adagrad));

/** The step after 100 gradients of 1000 and then 1900 of 1, over `eta`. */
double step_after_a_steep_start(optimizer_kind kind) {
  optimizer climb(kind, 1, 1);
  for (int t = 0; t < 100; ++t) {
    climb.step(VectorXd::Constant(1, 1000));
  }
  double last = 0;
  for (int t = 0; t < 1900; ++t) {
    last = climb.step(VectorXd::Ones(1))[0];
  }
  return last;
}

/**
 * What is left of the start in Adam's v is the product of `1 - t^-0.8` for t
 * from 101 to 2000, below `exp(-5 (2000^0.2 - 101^0.2))` = e^-10.3: a step of
 * at least `2000^-0.5 (1 + 1e6 e^-10.3)^-0.5` = 0.0036. AdaGrad keeps all of
 * it: `(100 * 1e6)^-0.5` = 0.0001.
 */
TEST(OptimizerTest, adam_forgets_a_steep_start) {
  EXPECT_GT(step_after_a_steep_start(optimizer_kind::adam), 0.0036);
  EXPECT_LT(step_after_a_steep_start(optimizer_kind::adagrad), 0.0001001);
}

}  // namespace
