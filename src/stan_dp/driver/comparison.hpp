#ifndef STAN_DP_DRIVER_COMPARISON_HPP
#define STAN_DP_DRIVER_COMPARISON_HPP

#include <stan_dp/driver/draws_file.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace stan_dp {

/** One marginal distribution in numbers. */
struct marginal {
  double mean;
  double sd;
  double q05;
  double q50;
  double q95;
};

/** A parameter in both runs. */
struct parameter_comparison {
  std::string name;
  marginal reference;
  marginal candidate;
  /** difference of means in sds of the reference */
  double shift;
  /** sd of the candidate over that of the reference */
  double sd_ratio;
};

/** Linear interpolation between order statistics, as R and NumPy do it. */
inline double quantile(const std::vector<double>& sorted, double p) {
  double at = p * static_cast<double>(sorted.size() - 1);
  std::size_t below = static_cast<std::size_t>(at);
  std::size_t above = std::min(below + 1, sorted.size() - 1);
  double weight = at - static_cast<double>(below);
  return sorted[below] + weight * (sorted[above] - sorted[below]);
}

inline marginal summarize(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  double n = static_cast<double>(x.size());
  double mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
  double squares = 0;
  for (double v : x) {
    squares += (v - mean) * (v - mean);
  }
  return {mean, std::sqrt(squares / (n - 1)), quantile(x, 0.05),
          quantile(x, 0.5), quantile(x, 0.95)};
}

inline parameter_comparison compare_parameter(
    const std::string& name, const std::vector<double>& reference,
    const std::vector<double>& candidate) {
  marginal a = summarize(reference);
  marginal b = summarize(candidate);
  return {name, a, b, (b.mean - a.mean) / a.sd, b.sd / a.sd};
}

/** Draws as points: a row for each draw. */
using point_set = std::vector<std::vector<double>>;

/** At most `limit` draws, evenly spaced, with these columns. */
inline point_set to_points(const draws& d,
                           const std::vector<std::string>& names,
                           std::size_t limit) {
  std::size_t count = std::min(limit, d.size());
  point_set points(count, std::vector<double>(names.size()));
  for (std::size_t j = 0; j < names.size(); ++j) {
    const std::vector<double>& column = *d.find(names[j]);
    for (std::size_t i = 0; i < count; ++i) {
      points[i][j] = column[i * d.size() / count];
    }
  }
  return points;
}

inline double squared_distance(const std::vector<double>& x,
                               const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    sum += (x[j] - y[j]) * (x[j] - y[j]);
  }
  return sum;
}

/**
 * The width of the kernel: the median of the distances between the points of
 * subsamples of size 50, with replacement, from both sets (Gretton et al. 2012,
 * with the subsampling for sets of different sizes). A point is not compared
 * with itself. The subsamples are the same at every call.
 */
inline double median_distance(const point_set& x, const point_set& y) {
  std::mt19937_64 random(50);
  std::vector<const std::vector<double>*> points;
  for (const point_set* set : {&x, &y}) {
    for (int i = 0; i < 50; ++i) {
      points.push_back(&(*set)[random() % set->size()]);
    }
  }
  std::vector<double> distances;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (points[i] != points[j]) {
        distances.push_back(
            std::sqrt(squared_distance(*points[i], *points[j])));
      }
    }
  }
  std::sort(distances.begin(), distances.end());
  return distances.empty() ? 0 : quantile(distances, 0.5);
}

/**
 * Maximum mean discrepancy with the kernel `exp(-|x - y|^2 / (2 width^2))`:
 * the square root of the unbiased estimate, zero where that is negative.
 */
inline double mmd(const point_set& x, const point_set& y, double width) {
  auto mean_kernel = [width](const point_set& a, const point_set& b) {
    bool same = &a == &b;
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < (same ? i : b.size()); ++j) {
        sum += std::exp(-squared_distance(a[i], b[j]) / (2 * width * width));
      }
    }
    double n = static_cast<double>(a.size());
    double m = static_cast<double>(b.size());
    return same ? 2 * sum / (n * (n - 1)) : sum / (n * m);
  };
  double squared
      = mean_kernel(x, x) + mean_kernel(y, y) - 2 * mean_kernel(x, y);
  return std::sqrt(std::max(0.0, squared));
}

/** Two runs side by side. */
struct comparison {
  std::vector<parameter_comparison> parameters;
  double mmd;
  double kernel_width;
  /** of the reference's even draws against its odd ones: what chance does */
  double mmd_of_halves;
  /** draws of each run that the MMD looked at */
  std::size_t reference_points;
  std::size_t candidate_points;
  /** columns of one run that the other has not */
  std::vector<std::string> only_reference;
  std::vector<std::string> only_candidate;
  /** columns that are constant or not finite, and were left out */
  std::vector<std::string> left_out;
};

namespace internal {

inline bool varies(const std::vector<double>& x) {
  auto finite = [](double v) { return std::isfinite(v); };
  return std::all_of(x.begin(), x.end(), finite)
         && *std::max_element(x.begin(), x.end())
                > *std::min_element(x.begin(), x.end());
}

inline std::pair<point_set, point_set> even_and_odd(const point_set& x) {
  std::pair<point_set, point_set> halves;
  for (std::size_t i = 0; i < x.size(); ++i) {
    (i % 2 == 0 ? halves.first : halves.second).push_back(x[i]);
  }
  return halves;
}

}  // namespace internal

/**
 * @throws std::runtime_error if the runs have no parameter in common
 */
inline comparison compare_draws(const draws& reference, const draws& candidate,
                                std::size_t mmd_points = 2000) {
  comparison c{};
  std::vector<std::string> names;
  for (const auto& name : reference.names) {
    const std::vector<double>* other = candidate.find(name);
    if (other == nullptr) {
      c.only_reference.push_back(name);
    } else if (!internal::varies(*reference.find(name))
               || !internal::varies(*other)) {
      c.left_out.push_back(name);
    } else {
      names.push_back(name);
      c.parameters.push_back(
          compare_parameter(name, *reference.find(name), *other));
    }
  }
  for (const auto& name : candidate.names) {
    if (reference.find(name) == nullptr) {
      c.only_candidate.push_back(name);
    }
  }
  if (names.empty()) {
    throw std::runtime_error(
        "The runs have no parameter in common that varies in both: they are "
        "not of the same model, or a chain never moved.");
  }
  point_set x = to_points(reference, names, mmd_points);
  point_set y = to_points(candidate, names, mmd_points);
  c.kernel_width = median_distance(x, y);
  c.mmd = mmd(x, y, c.kernel_width);
  auto halves = internal::even_and_odd(x);
  if (halves.second.size() > 1) {
    c.mmd_of_halves = mmd(halves.first, halves.second, c.kernel_width);
  }
  c.reference_points = x.size();
  c.candidate_points = y.size();
  return c;
}

}  // namespace stan_dp
#endif
