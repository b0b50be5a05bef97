// What dp_hmc adds to the sweeps that it makes: one iteration with ten leapfrog
// steps against eleven clipped sweeps over all units. Prints JSON.
#include <tests/rows/test_models.hpp>
#include <bench/report.hpp>
#include <bench/simulated_tables.hpp>
#include <stan_dp/privacy/private_likelihood.hpp>
#include <stan_dp/rows/stan_units.hpp>
#include <stan_dp/samplers/dp_hmc.hpp>
#include <stan_dp/services/model_prior.hpp>
#include <stan/math/prim/core/init_threadpool_tbb.hpp>
#include <iostream>

int main() {
  stan::math::init_threadpool_tbb(2);
  const auto table = bench::logistic_table(50000, 15);
  stan_dp::row_context context(table);
  context.show(nullptr, 0);
  const auto prior_model = stan_dp::make_model(new_model_logistic, context);
  const stan_dp::stan_units units(new_model_logistic, table,
                                  stan_dp::unit_groups(table.num_rows),
                                  *prior_model);
  const Eigen::Index d = units.dimension();

  stan_dp::plan plan;
  plan.delta = 1e-6;
  plan.mechanisms = {{stan_dp::query_kind::gradient, 1, 1000, 1000000},
                     {stan_dp::query_kind::log_ratio, 1, 1000, 1000000}};
  stan_dp::meter meter(plan);
  stan_dp::system_random bits;
  stan_dp::private_likelihood likelihood(units, {2, 2}, meter, bits);
  const stan_dp::model_prior prior(*prior_model);
  stan_dp::noisy_posterior posterior(prior, likelihood, 1);
  stan_dp::dp_hmc kernel(posterior, bits, {10, 0, 0, 1}, 1e-4,
                         stan_dp::diagonal_metric(Eigen::VectorXd::Ones(d)));
  auto state = kernel.start(Eigen::VectorXd::Zero(d));

  const stan_dp::lattice_clip clip(Eigen::VectorXd::Constant(d, 0.5));
  std::vector<double> values(units.num_units());
  bench::report report;
  report.add(
      "dp_hmc iteration (L = 10) / 11 sweeps, logistic 50,000 x 15",
      bench::median_ratio([&] { state = kernel.transition(state).first; },
                          [&] {
                            for (int i = 0; i < 11; ++i) {
                              stan_dp::gradient_sum sum(clip, &values);
                              units.sweep(state.theta, nullptr, true, sum);
                            }
                          }),
      1.15, bench::at_most);
  report.print(std::cout);
}
