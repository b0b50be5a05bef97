#ifndef BENCH_SIMULATED_TABLES_HPP
#define BENCH_SIMULATED_TABLES_HPP

#include <stan_dp/rows/row_table.hpp>
#include <random>
#include <string>

/** @file
 * Simulated data for benchmarks, as the rows of a data file.
 */
namespace bench {

inline stan_dp::row_variable reals(const std::string& name,
                                   const stan_dp::dimensions& dims,
                                   int row_axis) {
  static std::mt19937_64 rng(1);
  std::normal_distribution<double> normal;
  stan_dp::row_variable v;
  v.name = name;
  v.dims = dims;
  v.reals.resize(stan_dp::num_elements(dims));
  for (auto& x : v.reals) {
    x = normal(rng);
  }
  if (row_axis >= 0) {
    v.set_row_axis(row_axis);
  }
  return v;
}

inline stan_dp::row_variable ints(const std::string& name,
                                  const stan_dp::dimensions& dims, int low,
                                  int high, int row_axis) {
  static std::mt19937_64 rng(2);
  std::uniform_int_distribution<int> uniform(low, high);
  stan_dp::row_variable v;
  v.name = name;
  v.integer = true;
  v.dims = dims;
  v.ints.resize(stan_dp::num_elements(dims));
  for (auto& x : v.ints) {
    x = uniform(rng);
  }
  if (row_axis >= 0) {
    v.set_row_axis(row_axis);
  }
  return v;
}

inline stan_dp::row_table logistic_table(std::size_t n, std::size_t k) {
  const int columns = static_cast<int>(k);
  return {"N",
          n,
          {ints("K", {}, columns, columns, -1), reals("x", {n, k}, 0),
           ints("y", {n}, 0, 1, 0)}};
}

}  // namespace bench
#endif
