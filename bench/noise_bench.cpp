/** @file
 * What noise, clipping and subsampling cost. Prints one JSON object:
 * exact discrete Gaussian samples per second at sigma = 2^31 (to be at least
 * 100,000 on one core), those of `std::normal_distribution` for comparison,
 * nanoseconds to clip a unit's gradient and add it up, microseconds for a
 * Poisson subsample of 39,074 units at rate 0.005.
 */
#include <bench/report.hpp>
#include <stan_dp/privacy/discrete_gaussian.hpp>
#include <stan_dp/privacy/lattice.hpp>
#include <stan_dp/privacy/poisson_subsample.hpp>
#include <stan_dp/privacy/random_bits.hpp>
#include <time.h>
#include <algorithm>
#include <iostream>
#include <numeric>
#include <random>
#include <vector>

namespace {

/** Seconds of processor time, also in the kernel, that this thread had. */
double processor_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec)
         + 1e-9 * static_cast<double>(now.tv_nsec);
}

/** Processor time that an action takes: the best of five. */
template <class Action>
double seconds(const Action& action) {
  double best = 1e300;
  for (int i = 0; i < 5; ++i) {
    const double start = processor_seconds();
    action();
    best = std::min(best, processor_seconds() - start);
  }
  return best;
}

volatile double sink;

double noise_per_second() {
  const int n = 200000;
  stan_dp::system_random source;
  const stan_dp::discrete_gaussian law(std::uint64_t{1} << 31);
  return n / seconds([&] {
           stan_dp::bit_stream bits(source);
           for (int i = 0; i < n; ++i) {
             sink = static_cast<double>(law(bits));
           }
         });
}

double floating_per_second() {
  const int n = 200000;
  std::mt19937_64 engine(1);
  std::normal_distribution<double> law;
  return n / seconds([&] {
           for (int i = 0; i < n; ++i) {
             sink = law(engine);
           }
         });
}

/** Half of the units are clipped. */
double clip_nanoseconds(Eigen::Index d) {
  const std::size_t n = 1000;
  const int sweeps = 50;
  Eigen::MatrixXd gradients = Eigen::MatrixXd::Random(d, n);
  for (std::size_t i = 0; i < n; ++i) {
    gradients.col(i) *= (i % 2 ? 0.5 : 2) / gradients.col(i).norm();
  }
  std::vector<std::size_t> units(n);
  std::iota(units.begin(), units.end(), 0);
  const std::vector<double> values(n, 0);
  const stan_dp::lattice_clip clip(Eigen::VectorXd::Ones(d));
  std::vector<double> kept(n);
  stan_dp::gradient_sum sum(clip, &kept);
  const double time = seconds([&] {
    for (int i = 0; i < sweeps; ++i) {
      sum.take({units.data(), n, values.data(), gradients.data()});
    }
  });
  sink = static_cast<double>(sum.sum()[0]);
  return time / (sweeps * static_cast<double>(n)) * 1e9;
}

double subsample_microseconds() {
  stan_dp::system_random bits;
  return 1e4 * seconds([&] {
           for (int i = 0; i < 100; ++i) {
             sink = static_cast<double>(
                 stan_dp::poisson_subsample(bits, 39074, 0.005).size());
           }
         });
}

}  // namespace

int main() {
  bench::report report;
  report.add("exact discrete Gaussian, sigma = 2^31, samples per second",
             noise_per_second(), 100000, bench::at_least);
  report.add("floating-point normal, samples per second", floating_per_second(),
             0, bench::at_least);
  report.add("clip and sum of a unit, d = 15 (ns)", clip_nanoseconds(15), 0,
             bench::at_most);
  report.add("clip and sum of a unit, d = 100 (ns)", clip_nanoseconds(100), 0,
             bench::at_most);
  report.add("Poisson subsample, 39,074 units at 0.005, bit by bit (us)",
             subsample_microseconds(), 0, bench::at_most);
  report.print(std::cout);
}
