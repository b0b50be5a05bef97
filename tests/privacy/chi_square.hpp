#ifndef TESTS_PRIVACY_CHI_SQUARE_HPP
#define TESTS_PRIVACY_CHI_SQUARE_HPP

#include <boost/math/distributions/chi_squared.hpp>
#include <cstddef>
#include <vector>

/** The p-value of Pearson's test; every expected count should be above 10. */
inline double chi_square_p(const std::vector<double>& observed,
                           const std::vector<double>& expected) {
  double statistic = 0;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    const double difference = observed[i] - expected[i];
    statistic += difference * difference / expected[i];
  }
  const boost::math::chi_squared law(static_cast<double>(observed.size() - 1));
  return boost::math::cdf(boost::math::complement(law, statistic));
}

#endif
