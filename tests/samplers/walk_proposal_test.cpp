#include <stan_dp/samplers/walk_proposal.hpp>
#include <gtest/gtest.h>
#include <tests/samplers/support.hpp>
#include <Eigen/LU>
#include <cmath>

using namespace stan_dp;
using namespace stan_dp_test;

namespace {

/** Standard deviations 2 and 1 / 2, correlation 0.6. */
gaussian_fit correlated_fit() {
  Eigen::Matrix2d factor;
  factor << 2, 0, 0.3, 0.4;
  return {Eigen::Vector2d(1, -3), factor};
}

double log_density(const gaussian_fit& fit, const VectorXd& theta) {
  const Eigen::MatrixXd covariance = fit.factor * fit.factor.transpose();
  const VectorXd gap = theta - fit.mean;
  return -0.5 * gap.dot(covariance.inverse() * gap);
}

TEST(GaussianFitTest, standardises_what_it_transforms) {
  const gaussian_fit fit = correlated_fit();
  const Eigen::Vector2d eps(0.7, -1.9);
  EXPECT_NEAR((fit.standardise(fit.transform(eps)) - eps).norm(), 0, 1e-14);
  EXPECT_NEAR(fit.scales()(0), 2, 1e-15);
  EXPECT_NEAR(fit.scales()(1), 0.5, 1e-15);
}

/**
 * Moments after one move of 200,000 draws of the fit. A z-score beyond 5.5 has
 * probability 4e-8, and there are five.
 */
TEST(ProposeFittedTest, leaves_the_fit_as_it_is) {
  const gaussian_fit fit = correlated_fit();
  for (const double scale : {0.3, 1.0}) {
    seeded_random bits(5, 0);
    std::vector<std::vector<double>> moments(5);
    for (int i = 0; i < 200000; ++i) {
      const VectorXd theta = fit.transform(normal_vector(bits, 2));
      const walk_move move = propose_fitted(bits, scale, fit, theta);
      const VectorXd gap = move.theta - fit.mean;
      moments[0].push_back(gap(0));
      moments[1].push_back(gap(1));
      moments[2].push_back(gap(0) * gap(0));
      moments[3].push_back(gap(1) * gap(1));
      moments[4].push_back(gap(0) * gap(1));
    }
    const double expected[] = {0, 0, 4, 0.25, 0.6};
    for (int j = 0; j < 5; ++j) {
      EXPECT_LT(std::abs(z_score(moments[j], expected[j])), 5.5)
          << scale << " " << j;
    }
  }
}

TEST(ProposeFittedTest, says_how_much_denser_a_move_back_is) {
  const gaussian_fit fit = correlated_fit();
  seeded_random bits(6, 0);
  for (int i = 0; i < 20; ++i) {
    const VectorXd theta = 2 * normal_vector(bits, 2);
    const walk_move move = propose_fitted(bits, 0.7, fit, theta);
    EXPECT_NEAR(move.log_return,
                log_density(fit, theta) - log_density(fit, move.theta), 1e-9);
  }
}

/** The noise of a test, root mean square over moves, is what was asked for. */
TEST(FittedScaleTest, gives_moves_whose_noise_is_two) {
  const gaussian_fit fit = correlated_fit();
  const diagonal_metric metric(Eigen::Vector2d(9, 0.25));
  for (const double noise : {4.0, 30.0, 1e4}) {
    const double scale = fitted_scale(fit, metric, noise);
    ASSERT_LT(scale, 1);
    seeded_random bits(7, 0);
    double sum = 0;
    const int moves = 20000;
    for (int i = 0; i < moves; ++i) {
      const VectorXd theta = fit.transform(normal_vector(bits, 2));
      const VectorXd gap
          = propose_fitted(bits, scale, fit, theta).theta - theta;
      sum += gap.cwiseQuotient(metric.scales()).squaredNorm();
    }
    // a mean of squares of two normals: within 1 % each, at 5 sd 4 %
    EXPECT_NEAR(noise * std::sqrt(sum / moves), 2, 0.04 * 2) << noise;
  }
}

TEST(FittedScaleTest, is_a_fresh_draw_where_noise_allows_it) {
  const diagonal_metric metric = diagonal_metric::unit(2);
  EXPECT_EQ(fitted_scale(correlated_fit(), metric, 0.1), 1);
  EXPECT_EQ(fitted_scale(correlated_fit(), metric, 0), 1);
}

}  // namespace
