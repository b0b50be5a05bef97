#include <stan_dp/privacy/gaussian_accountant.hpp>

#include <gtest/gtest.h>
#include <cmath>
#include <stdexcept>

using stan_dp::gaussian_delta;
using stan_dp::gaussian_epsilon;
using stan_dp::gaussian_mu;
using stan_dp::neighbors;

namespace {

/**
 * delta by its definition, the integral of (1 - e^(eps - l)) over the losses
 * l ~ N(mu, 2 mu) above eps, in long double by Simpson's rule.
 */
long double integrated_delta(long double mu, long double epsilon) {
  long double sd = std::sqrt(2 * mu);
  // The integrand falls from its peak near eps at least as fast as the
  // density; 14 scales of that fall hold all but e^-98 of it.
  long double distance = std::max<long double>(0, (epsilon - mu) / sd);
  long double end = std::max(mu, epsilon) + sd * 14 / std::sqrt(1 + distance);
  int n = 50000;
  long double h = (end - epsilon) / n;
  long double sum = 0;
  for (int i = 0; i <= n; ++i) {
    long double l = epsilon + h * i;
    long double z = (l - mu) / sd;
    long double f = -std::expm1(epsilon - l) * std::exp(-z * z / 2);
    sum += f * (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2);
  }
  return sum * h / 3 / (sd * 2.506628274631000502415765L);
}

}  // namespace

TEST(GaussianAccountantTest, delta_equals_the_integral_at_extremes) {
  for (double mu :
       {1e-16, 1e-8, 1e-4, 0.03, 0.2, 0.3, 1.0, 10.0, 300.0, 5000.0}) {
    for (double sds : {-3.0, -0.5, 0.0, 0.5, 2.0, 5.0, 12.0, 25.0}) {
      double epsilon = mu + sds * std::sqrt(2 * mu);
      if (epsilon < 0) {
        continue;
      }
      double expected = static_cast<double>(integrated_delta(mu, epsilon));
      EXPECT_NEAR(gaussian_delta(mu, epsilon) / expected, 1, 1e-9)
          << "mu " << mu << " epsilon " << epsilon;
    }
  }
}

TEST(GaussianAccountantTest, delta_at_zero_is_total_variation) {
  // TV of two unit normals a distance of 2 t apart is erf(t / sqrt 2), and
  // mu = (2 t)^2 / 2.
  for (double t : {1e-6, 1e-3, 0.1, 1.0, 3.0}) {
    double expected = std::erf(t / std::sqrt(2.0));
    EXPECT_NEAR(gaussian_delta(2 * t * t, 0) / expected, 1, 1e-10) << t;
  }
}

TEST(GaussianAccountantTest, epsilon_inverts_delta_from_above) {
  for (double mu : {1e-6, 0.01, 0.5, 3.0, 80.0, 5000.0}) {
    for (double delta : {1e-300, 1e-30, 1e-9, 1e-5, 1e-2}) {
      double epsilon = gaussian_epsilon(mu, delta);
      EXPECT_LE(gaussian_delta(mu, epsilon), delta);
      if (epsilon > 0) {
        EXPECT_GT(gaussian_delta(mu, epsilon * (1 - 1e-9)), delta)
            << "mu " << mu << " delta " << delta;
      }
    }
  }
}

TEST(GaussianAccountantTest, mu_within_a_budget_costs_the_budget) {
  for (double epsilon : {0.0, 0.01, 1.0, 30.0, 700.0}) {
    for (double delta : {1e-12, 1e-5, 0.1}) {
      double mu = stan_dp::gaussian_mu_within(epsilon, delta);
      EXPECT_LE(gaussian_delta(mu, epsilon), delta);
      EXPECT_GT(gaussian_delta(mu * (1 + 1e-9), epsilon), delta);
    }
  }
}

TEST(GaussianAccountantTest, meets_the_reference_figures) {
  // DESIGN, section 4: z = 4, rate 1, one step, delta = 1e-5.
  EXPECT_NEAR(gaussian_epsilon(gaussian_mu(4, 1, neighbors::add_remove), 1e-5),
              0.926, 5e-4);
  EXPECT_NEAR(gaussian_epsilon(gaussian_mu(4, 1, neighbors::substitute), 1e-5),
              1.993, 5e-4);
}

TEST(GaussianAccountantTest, refuses_subsampled_steps) {
  EXPECT_THROW(gaussian_mu({{0.5, 1, 1}}, neighbors::substitute),
               std::domain_error);
}
