#ifndef STAN_DP_TESTS_SAMPLERS_SUPPORT_HPP
#define STAN_DP_TESTS_SAMPLERS_SUPPORT_HPP

#include <stan_dp/privacy/private_likelihood.hpp>
#include <stan_dp/privacy/seeded_random.hpp>
#include <stan_dp/rows/unit_likelihood.hpp>
#include <stan_dp/samplers/noisy_posterior.hpp>
#include <stan_dp/samplers/prior_density.hpp>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <mutex>
#include <vector>

namespace stan_dp_test {

using Eigen::VectorXd;

/** Value and gradient of a log density at theta. */
using density = std::function<double(const VectorXd&, VectorXd&)>;

class function_prior : public stan_dp::prior_density {
 public:
  function_prior(std::size_t size, density f) : size_(size), f_(std::move(f)) {}
  std::size_t dimension() const override { return size_; }
  double log_density(const VectorXd& theta, VectorXd& gradient) const override {
    gradient = VectorXd::Zero(size_);
    const double value = f_(theta, gradient);
    if (!std::isfinite(value)) {
      gradient.setZero();
      return -std::numeric_limits<double>::infinity();
    }
    return value;
  }

 private:
  std::size_t size_;
  density f_;
};

/** Units given by functions; remembers the largest gradient that it gave. */
class function_units : public stan_dp::unit_likelihood {
 public:
  function_units(std::size_t size, std::vector<density> units)
      : size_(size), units_(std::move(units)) {}
  std::size_t num_units() const override { return units_.size(); }
  std::size_t dimension() const override { return size_; }

  void sweep(const VectorXd& theta, const std::vector<std::size_t>* subset,
             bool gradients, stan_dp::unit_consumer& out) const override {
    std::lock_guard<std::mutex> lock(mutex_);
    const std::size_t count = subset ? subset->size() : units_.size();
    VectorXd gradient(size_);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = subset ? (*subset)[k] : k;
      gradient.setZero();
      const double value = units_[i](theta, gradient);
      if (std::isfinite(value)) {
        largest_ = std::max(largest_, gradient.norm());
      }
      out.take({&i, 1, &value, gradients ? gradient.data() : nullptr});
    }
    evaluations_ += count;
  }

  double largest_gradient() const { return largest_; }
  std::size_t evaluations() const { return evaluations_; }

 private:
  std::size_t size_;
  std::vector<density> units_;
  mutable std::mutex mutex_;
  mutable double largest_ = 0;
  mutable std::size_t evaluations_ = 0;
};

/** `n` units `-(x_i - theta)'(x_i - theta) w / 2`, their x_i given. */
inline std::vector<density> gaussian_units(const std::vector<VectorXd>& x,
                                           double w = 1) {
  std::vector<density> units;
  for (const VectorXd& point : x) {
    units.push_back([point, w](const VectorXd& theta, VectorXd& gradient) {
      gradient = w * (point - theta);
      return -0.5 * w * (point - theta).squaredNorm();
    });
  }
  return units;
}

/** `N(0, I / precision)` */
inline function_prior gaussian_prior(std::size_t size, double precision) {
  return function_prior(size,
                        [precision](const VectorXd& theta, VectorXd& gradient) {
                          gradient = -precision * theta;
                          return -0.5 * precision * theta.squaredNorm();
                        });
}

/** Points spread along a line, the same in every run. */
inline std::vector<VectorXd> spread_points(std::size_t n, std::size_t size,
                                           double centre, double width) {
  std::vector<VectorXd> x;
  for (std::size_t i = 0; i < n; ++i) {
    const double u = n > 1 ? 2.0 * i / (n - 1) - 1 : 0;
    VectorXd point(size);
    for (std::size_t j = 0; j < size; ++j) {
      point(j) = centre * (j % 2 ? -1 : 1) + width * u * (j % 3 ? -1 : 1);
    }
    x.push_back(point);
  }
  return x;
}

inline stan_dp::plan make_plan(std::vector<stan_dp::mechanism> mechanisms,
                               bool engaged = true) {
  stan_dp::plan p;
  p.engaged = engaged;
  p.delta = 1e-6;
  p.mechanisms = std::move(mechanisms);
  return p;
}

constexpr auto gradient_query = stan_dp::query_kind::gradient;
constexpr auto ratio_query = stan_dp::query_kind::log_ratio;

/** A likelihood and all that it needs, for one chain. */
struct chain_bench {
  chain_bench(const stan_dp::prior_density& prior,
              const stan_dp::unit_likelihood& units, stan_dp::plan plan,
              stan_dp::clip_bounds clips, std::uint64_t seed,
              double tempering = 1)
      : meter(std::move(plan)),
        bits(seed),
        likelihood(units, clips, meter, bits),
        posterior(prior, likelihood, tempering) {}
  stan_dp::meter meter;
  stan_dp::seeded_random bits;
  stan_dp::private_likelihood likelihood;
  stan_dp::noisy_posterior posterior;
};

/**
 * How many standard errors the mean of a correlated series lies from
 * `expected`, by means of `batches` batches. Batches much longer than the
 * autocorrelation time make it a t statistic with `batches - 1` degrees.
 */
inline double z_score(const std::vector<double>& series, double expected,
                      std::size_t batches = 50) {
  const std::size_t length = series.size() / batches;
  std::vector<double> means(batches, 0.0);
  double total = 0;
  for (std::size_t b = 0; b < batches; ++b) {
    for (std::size_t i = 0; i < length; ++i) {
      means[b] += series[b * length + i] / length;
    }
    total += means[b] / batches;
  }
  double variance = 0;
  for (const double mean : means) {
    variance += (mean - total) * (mean - total) / (batches - 1.0);
  }
  return (total - expected) / std::sqrt(variance / batches);
}

/** A function of each draw. */
template <class F>
std::vector<double> map_draws(const std::vector<VectorXd>& draws, F f) {
  std::vector<double> result;
  result.reserve(draws.size());
  for (const VectorXd& draw : draws) {
    result.push_back(f(draw));
  }
  return result;
}

inline double mean_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) {
    sum += value;
  }
  return sum / x.size();
}

inline double variance_of(const std::vector<double>& x) {
  const double mean = mean_of(x);
  double sum = 0;
  for (const double value : x) {
    sum += (value - mean) * (value - mean);
  }
  return sum / (x.size() - 1);
}

/**
 * Integrated autocorrelation time (Geyer's initial positive sequence), summed
 * to lag 2000 at most: a chain that is worse fails anyhow.
 */
inline double autocorrelation_time(const std::vector<double>& x) {
  const double mean = mean_of(x);
  const double variance = variance_of(x);
  const auto correlation = [&](std::size_t lag) {
    double sum = 0;
    for (std::size_t i = 0; i + lag < x.size(); ++i) {
      sum += (x[i] - mean) * (x[i + lag] - mean);
    }
    return sum / (x.size() * variance);
  };
  double time = 1;
  for (std::size_t lag = 1; lag < 2000; lag += 2) {
    const double pair = correlation(lag) + correlation(lag + 1);
    if (pair <= 0) {
      break;
    }
    time += 2 * pair;
  }
  return time;
}

/** Two-sample Kolmogorov-Smirnov distance. */
inline double ks_distance(std::vector<double> a, std::vector<double> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  double distance = 0;
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const double x = std::min(a[i], b[j]);
    while (i < a.size() && a[i] <= x) ++i;
    while (j < b.size() && b[j] <= x) ++j;
    distance
        = std::max(distance, std::abs(static_cast<double>(i) / a.size()
                                      - static_cast<double>(j) / b.size()));
  }
  return distance;
}

/** The distance that two samples of one distribution pass with chance p. */
inline double ks_threshold(std::size_t n, std::size_t m, double p) {
  return std::sqrt(-0.5 * std::log(p / 2) * (1.0 / n + 1.0 / m));
}

inline std::vector<double> thinned(const std::vector<double>& x,
                                   std::size_t step) {
  std::vector<double> result;
  for (std::size_t i = 0; i < x.size(); i += step) {
    result.push_back(x[i]);
  }
  return result;
}

/** Phi, the normal distribution function. */
inline double normal_cdf(double x) { return 0.5 * std::erfc(-x / M_SQRT2); }

}  // namespace stan_dp_test
#endif
