#include <stan_dp/samplers/variational_family.hpp>
#include <gtest/gtest.h>
#include <Eigen/LU>
#include <cmath>

using Eigen::MatrixXd;
using Eigen::VectorXd;
using stan_dp::variational_family;
using stan_dp::variational_kind;

namespace {

VectorXd some_vector(Eigen::Index size, double shift) {
  VectorXd x(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    x[i] = std::sin(1.7 * i + shift);
  }
  return x;
}

/** A member of the family with nothing special about it. */
variational_family some_member(variational_kind kind) {
  variational_family q(kind, VectorXd::Zero(4), 1);
  q.set_parameters(some_vector(q.parameters().size(), 0.3));
  return q;
}

/** `log p(theta)`, and its gradient */
double log_p(const VectorXd& theta) {
  return std::sin(theta[0] * theta[1]) - theta[2] * theta[2] * theta[3];
}
VectorXd log_p_gradient(const VectorXd& theta) {
  const double c = std::cos(theta[0] * theta[1]);
  VectorXd g(4);
  g << theta[1] * c, theta[0] * c, -2 * theta[2] * theta[3],
      -theta[2] * theta[2];
  return g;
}

double log_determinant(const variational_family& q) {
  return std::log(q.factor().determinant());
}

class VariationalFamilyTest : public testing::TestWithParam<variational_kind> {
};

TEST_P(VariationalFamilyTest, transforms_by_mean_and_factor) {
  const variational_family q = some_member(GetParam());
  const VectorXd eps = some_vector(4, 2);
  EXPECT_LT((q.transform(eps) - (q.mean() + q.factor() * eps)).norm(), 1e-14);
}

TEST_P(VariationalFamilyTest, gradient_agrees_with_finite_differences) {
  const VectorXd eps = some_vector(4, 5);
  const auto objective = [&eps](const variational_family& q) {
    return log_p(q.transform(eps)) + log_determinant(q);
  };
  const variational_family q = some_member(GetParam());
  const VectorXd gradient = q.gradient(eps, log_p_gradient(q.transform(eps)));
  for (Eigen::Index i = 0; i < gradient.size(); ++i) {
    const double h = 1e-5;
    variational_family up = q, down = q;
    const VectorXd step = h * VectorXd::Unit(gradient.size(), i);
    up.set_parameters(q.parameters() + step);
    down.set_parameters(q.parameters() - step);
    // the third derivatives are of order 10: h^2 of them is 1e-9
    EXPECT_NEAR(gradient[i], (objective(up) - objective(down)) / (2 * h), 1e-7)
        << "parameter " << i;
  }
}

TEST_P(VariationalFamilyTest, scales_are_those_of_the_covariance) {
  const variational_family q = some_member(GetParam());
  const MatrixXd covariance = q.factor() * q.factor().transpose();
  EXPECT_LT((q.scales().cwiseAbs2() - covariance.diagonal()).norm(), 1e-14);
}

TEST_P(VariationalFamilyTest, starts_with_independent_coordinates) {
  const variational_family q(GetParam(), some_vector(3, 0), 0.25);
  EXPECT_EQ(q.mean(), some_vector(3, 0));
  EXPECT_LT((q.factor() - 0.25 * MatrixXd::Identity(3, 3)).norm(), 1e-15);
}

INSTANTIATE_TEST_SUITE_P(Kinds, VariationalFamilyTest,
                         testing::Values(variational_kind::mean_field,
                                         variational_kind::full_rank));

TEST(VariationalFamilyTest, full_rank_factor_is_not_diagonal) {
  const MatrixXd factor = some_member(variational_kind::full_rank).factor();
  EXPECT_NE(factor(3, 0), 0);
  EXPECT_EQ(factor(0, 3), 0);
}

TEST(VariationalFamilyTest, refuses_a_scale_that_is_none) {
  EXPECT_THROW(
      variational_family(variational_kind::mean_field, VectorXd::Zero(2), 0),
      std::invalid_argument);
}

}  // namespace
