#ifndef STAN_DP_TESTS_SAMPLERS_SG_TEST_HPP
#define STAN_DP_TESTS_SAMPLERS_SG_TEST_HPP

#include <tests/samplers/support.hpp>
#include <vector>

namespace stan_dp_test {

/** A prior that says nothing: the posterior is the likelihood. */
inline function_prior flat_prior(std::size_t size) {
  return function_prior(size, [](const VectorXd&, VectorXd&) { return 0.0; });
}

/**
 * Forty units of precision `w` in two dimensions around zero, at radius one,
 * in directions that are spread evenly: `sum x x' = 20 I`.
 */
inline std::vector<density> ring_units(double w, double radius = 1) {
  std::vector<VectorXd> x;
  for (int i = 0; i < 40; ++i) {
    const double angle = 2 * M_PI * i / 40;
    x.push_back(radius * Eigen::Vector2d(std::cos(angle), std::sin(angle)));
  }
  return gaussian_units(x, w);
}

/** z-score of the second moment of coordinate j against `expected`. */
inline double second_moment_z(const std::vector<VectorXd>& draws, int j,
                              double expected) {
  return z_score(
      map_draws(draws, [j](const VectorXd& x) { return x(j) * x(j); }),
      expected);
}

inline double mean_z(const std::vector<VectorXd>& draws, int j) {
  return z_score(map_draws(draws, [j](const VectorXd& x) { return x(j); }), 0);
}

inline double second_moment(const std::vector<VectorXd>& draws) {
  return mean_of(map_draws(
      draws, [](const VectorXd& x) { return x.squaredNorm() / x.size(); }));
}

}  // namespace stan_dp_test
#endif
