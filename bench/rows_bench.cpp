// What one clipped sweep over all units costs, as a ratio against the full
// model's vectorised gradient, which is what NUTS pays; construction and memory
// of a unit. Prints JSON.
#include <tests/rows/test_models.hpp>
#include <bench/report.hpp>
#include <bench/simulated_tables.hpp>
#include <stan_dp/privacy/lattice.hpp>
#include <stan_dp/rows/load_rows.hpp>
#include <stan/math/prim/core/init_threadpool_tbb.hpp>
#include <malloc.h>
#include <tbb/task_arena.h>
#include <cmath>
#include <iostream>
#include <memory>
#include <random>
#include <string>

namespace {

using bench::ints;
using bench::logistic_table;
using bench::reals;
using bench::seconds;

stan_dp::row_table mixture_table(std::size_t n) {
  return {"N", n, {reals("y", {n, 2}, 0)}};
}

/** As large as posteriordb's radon_all. */
stan_dp::row_table hierarchical_table() {
  const std::size_t n = 12573;
  return {"N",
          n,
          {ints("J", {}, 386, 386, -1), ints("group", {n}, 1, 386, 0),
           reals("x", {n}, 0), reals("y", {n}, 0), reals("u", {386}, -1)}};
}

struct setup {
  setup(stan_dp::model_factory factory, const stan_dp::row_table& table)
      : groups(table.num_rows) {
    stan_dp::row_context context(table);
    context.show(nullptr, 0);
    prior = stan_dp::make_model(factory, context);
    const std::size_t before = mallinfo2().uordblks;
    construct_seconds = seconds([&] {
      tbb::task_arena(1).execute([&] {
        units = std::make_unique<stan_dp::stan_units>(factory, table, groups,
                                                      *prior);
      });
    });
    bytes = static_cast<double>(mallinfo2().uordblks - before);
    std::vector<std::size_t> rows(table.num_rows);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    context.show(rows.data(), rows.size());
    full = stan_dp::make_model(factory, context);
    invented = stan_dp::make_synthetic_units(factory, table, *prior);
  }
  stan_dp::unit_groups groups;
  std::unique_ptr<stan::model::model_base> prior, full;
  std::unique_ptr<stan_dp::stan_units> units;
  std::unique_ptr<stan_dp::stan_units> invented;
  double construct_seconds = 0;
  double bytes = 0;
};

/** Ratio of medians, sweeps and full gradients taking turns: the machine may be
 * busy with other things. */
double sweep_ratio(const setup& s, const stan_dp::unit_likelihood& units,
                   int threads) {
  const Eigen::VectorXd theta
      = Eigen::VectorXd::Constant(units.dimension(), 0.1);
  Eigen::VectorXd gradient(theta.size());
  const stan_dp::lattice_clip clip(
      Eigen::VectorXd::Constant(theta.size(), 0.2));
  std::vector<double> values(units.num_units());
  stan_dp::model_evaluator evaluate(theta);
  tbb::task_arena arena(threads);
  return bench::median_ratio(
      [&] {
        arena.execute([&] {
          stan_dp::gradient_sum sum(clip, &values);
          units.sweep(theta, nullptr, true, sum);
        });
      },
      [&] {
        double value;
        evaluate(*s.full, value, gradient.data());
      });
}

/** Units evaluated by their models, then, if there is a bar for it, by the
 * closed form. */
void measure(bench::report& report, const std::string& name, setup& s,
             double bar, double closed_bar = 0) {
  const std::string what = ", sweep / full gradient, threads = ";
  for (int threads : {1, 2}) {
    report.add(name + what + std::to_string(threads),
               sweep_ratio(s, *s.units, threads), threads == 2 ? bar : 0,
               bench::at_most);
  }
  if (closed_bar > 0) {
    const auto closed
        = stan_dp::with_closed_form(std::move(s.units), std::move(s.invented));
    for (int threads : {1, 2}) {
      report.add(name + ", closed form" + what + std::to_string(threads),
                 sweep_ratio(s, *closed, threads),
                 threads == 2 ? closed_bar : 0, bench::at_most);
    }
  }
}

}  // namespace

int main() {
  stan::math::init_threadpool_tbb(2);
  bench::report report;
  {
    setup s(new_model_logistic, logistic_table(100000, 15));
    measure(report, "logistic 100,000 x 15", s, 10, 2);
    report.add("logistic 100,000 x 15, construction of a unit (us)",
               s.construct_seconds * 1e6 / 100000, 3, bench::at_most);
    report.add("logistic 100,000 x 15, memory of a unit (bytes)",
               s.bytes / 100000, 800, bench::at_most);
  }
  {
    setup s(new_model_logistic, logistic_table(50000, 100));
    measure(report, "logistic 50,000 x 100", s, 6, 2);
  }
  {
    setup s(new_model_mixture, mixture_table(50000));
    measure(report, "mixture 50,000 x 2", s, 1.6);
  }
  {
    setup s(new_model_varying, hierarchical_table());
    measure(report, "hierarchical 12,573 rows, 386 groups", s, 0);
  }
  report.print(std::cout);
}
