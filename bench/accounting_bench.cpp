/*
 * Epsilon of 2000 subsampled steps with 200 noise multipliers, and the seconds
 * it takes, as JSON. dp_accounting_bench.py runs it in turns with its peer,
 * which computes the same.
 */
#include <stan_dp/privacy/accountant.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

int main() {
  std::vector<stan_dp::accounted_step> steps;
  for (int t = 1; t <= 200; ++t) {
    double eta = 3 * std::pow(t, -1.0 / 3);
    steps.push_back({0.01, std::sqrt(2 / (eta * 0.7 * 0.7)), 10});
  }
  double epsilon = 0;
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 5; ++i) {
    auto start = std::chrono::steady_clock::now();
    epsilon
        = stan_dp::epsilon_bound(steps, 1e-5, stan_dp::neighbors::add_remove);
    std::chrono::duration<double> time
        = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
  }
  std::printf(
      "{\"name\": \"accounting_2000_steps\", \"epsilon\": %.6f, "
      "\"seconds\": %.6f}\n",
      epsilon, best);
}
