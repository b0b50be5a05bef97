#ifndef STAN_DP_TESTS_SAMPLERS_EXACTNESS_HPP
#define STAN_DP_TESTS_SAMPLERS_EXACTNESS_HPP

#include <tests/samplers/support.hpp>
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace stan_dp_test {

/** A posterior whose draws are known in closed form. */
struct known_posterior {
  function_prior prior;
  function_units units;
  /** independent normal coordinates behind the draws */
  VectorXd mean;
  VectorXd sd;
  /** from theta to those coordinates, and back */
  std::function<VectorXd(const VectorXd&)> to_normal;
  std::function<VectorXd(const VectorXd&)> from_normal;
};

/** Nothing is clipped: the largest gradients that these tests meet are ~10. */
constexpr double wide_clip = 100;

/**
 * Two parameters, eight units of precision 1/2, prior precision 1: posterior
 * precision 5, mean 4/5 of the units' mean.
 */
inline known_posterior conjugate_gaussian(double tempering = 1) {
  const auto x = spread_points(8, 2, 0.7, 1.0);
  const double likelihood_precision = tempering * 8 * 0.5;
  const double precision = likelihood_precision + 1;
  VectorXd mean = VectorXd::Zero(2);
  for (const VectorXd& point : x) {
    mean += point * (likelihood_precision / precision / 8);
  }
  const auto same = [](const VectorXd& theta) { return theta; };
  return {gaussian_prior(2, 1),
          function_units(2, gaussian_units(x, 0.5)),
          mean,
          VectorXd::Constant(2, 1 / std::sqrt(precision)),
          same,
          same};
}

/**
 * Normal in `(a, y)`, seen through `theta = (a, y + a^2)`, whose Jacobian is
 * one: a banana. Units and prior are normal in (a, y).
 */
inline known_posterior banana() {
  const auto to_normal = [](const VectorXd& theta) {
    VectorXd n = theta;
    n(1) -= theta(0) * theta(0);
    return n;
  };
  const auto from_normal = [](const VectorXd& n) {
    VectorXd theta = n;
    theta(1) += n(0) * n(0);
    return theta;
  };
  // value and gradient of -(w/2) |to_normal(theta) - x|^2
  const auto term = [](VectorXd x, double w) {
    return [x, w](const VectorXd& theta, VectorXd& gradient) {
      const double a = theta(0);
      const double ra = x(0) - a;
      const double ry = x(1) - (theta(1) - a * a);
      gradient(0) = w * (ra - 2 * a * ry);
      gradient(1) = w * ry;
      return -0.5 * w * (ra * ra + ry * ry);
    };
  };
  const auto x = spread_points(8, 2, 0.5, 0.8);
  std::vector<density> units;
  VectorXd mean = VectorXd::Zero(2);
  for (const VectorXd& point : x) {
    units.push_back(term(point, 0.25));
    mean += point * (2.0 / 3.0 / 8);
  }
  // eight units of precision 1/4, prior precision 1: 3
  return {function_prior(2, term(VectorXd::Zero(2), 1)),
          function_units(2, units),
          mean,
          VectorXd::Constant(2, 1 / std::sqrt(3.0)),
          to_normal,
          from_normal};
}

/** A statement about draws and how far the draws are from it. */
struct check {
  std::string name;
  /** in units of `limit`: passes below one */
  double excess;
};

/**
 * Mean, variance, quantiles and a two-sample test for each coordinate of the
 * normal scale and of theta.
 *
 * z-scores come from 50 batch means, so they are t distributed with 49 degrees
 * of freedom: |t| > 5.5 has probability 1.4e-6, and with 24 statements a run
 * of a right sampler fails with 3e-5. The two-sample test uses draws that lie
 * two autocorrelation times apart and the distance that is passed with
 * probability 1e-6.
 */
inline std::vector<check> compare(const known_posterior& target,
                                  const std::vector<VectorXd>& draws) {
  constexpr double z_limit = 5.5;
  std::vector<check> checks;
  const auto z = [&](const std::string& name, std::vector<double> series,
                     double expected) {
    checks.push_back({name, std::abs(z_score(series, expected)) / z_limit});
  };
  std::mt19937_64 generator(20240501);
  std::normal_distribution<double> normal;
  std::vector<VectorXd> exact(20000, VectorXd(2));
  for (VectorXd& draw : exact) {
    for (int j = 0; j < 2; ++j) {
      draw(j) = target.mean(j) + target.sd(j) * normal(generator);
    }
    draw = target.from_normal(draw);
  }
  for (int j = 0; j < 2; ++j) {
    const std::string at = "[" + std::to_string(j) + "]";
    const auto standard = map_draws(draws, [&](const VectorXd& theta) {
      return (target.to_normal(theta)(j) - target.mean(j)) / target.sd(j);
    });
    z("mean" + at, standard, 0);
    std::vector<double> squares, series;
    for (const double s : standard) {
      squares.push_back(s * s);
    }
    z("variance" + at, squares, 1);
    for (const double q : {-1.5, -0.5, 0.5, 1.5}) {
      series.clear();
      for (const double s : standard) {
        series.push_back(s < q);
      }
      z("quantile" + std::to_string(q) + at, series, normal_cdf(q));
    }
    const auto theta_j = [j](const VectorXd& t) { return t(j); };
    const auto coordinate = map_draws(draws, theta_j);
    const double time = std::max(autocorrelation_time(coordinate),
                                 autocorrelation_time(squares));
    const auto few
        = thinned(coordinate, static_cast<std::size_t>(std::ceil(2 * time)));
    checks.push_back({"two samples" + at,
                      ks_distance(few, map_draws(exact, theta_j))
                          / ks_threshold(few.size(), exact.size(), 1e-6)});
  }
  return checks;
}

inline double worst(const std::vector<check>& checks) {
  double excess = 0;
  for (const check& c : checks) {
    excess = std::max(excess, c.excess);
  }
  return excess;
}

inline void expect_exact(const known_posterior& target,
                         const std::vector<VectorXd>& draws) {
  for (const check& c : compare(target, draws)) {
    EXPECT_LT(c.excess, 1) << c.name;
  }
  EXPECT_LT(target.units.largest_gradient(), wide_clip);
}

}  // namespace stan_dp_test
#endif
