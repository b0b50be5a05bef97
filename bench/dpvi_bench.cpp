// DPVI on data of the size of Adult, 39,074 x 14, at rate 0.005. Prints JSON.
//   dpvi_bench                    the whole job, calibration included
//   dpvi_bench step               microseconds of a step, for the peer in
//   dpvi_jax_bench.py dpvi_bench forms DATA.json    error of the product's form
//   over that with noise on all 2d numbers, same budget
#include <tests/rows/test_models.hpp>
#include <bench/joint_dpvi.hpp>
#include <bench/report.hpp>
#include <bench/simulated_tables.hpp>
#include <stan_dp/rows/load_rows.hpp>
#include <stan_dp/samplers/budget.hpp>
#include <stan_dp/services/model_prior.hpp>
#include <stan/math/prim/core/init_threadpool_tbb.hpp>
#include <cmath>
#include <iostream>
#include <memory>
#include <string>

namespace {

using namespace stan_dp;

constexpr double rate = 0.005;
constexpr double clip = 3;
const dpvi_options options{2000, 1, 1000, optimizer_kind::adam, dpvi_eta};

struct problem {
  std::unique_ptr<stan::model::model_base> model;
  std::unique_ptr<unit_likelihood> units;
};

problem simulated_problem() {
  const row_table table = bench::logistic_table(39074, 14);
  row_context context(table);
  context.show(nullptr, 0);
  problem p;
  p.model = make_model(new_model_logistic, context);
  p.units = with_closed_form(
      std::make_unique<stan_units>(new_model_logistic, table,
                                   unit_groups(table.num_rows), *p.model),
      make_synthetic_units(new_model_logistic, table, *p.model));
  return p;
}

plan calibrated() {
  mechanism shape = dpvi_mechanism(options, rate);
  shape.noise = 1;
  return plan_within({true, 1, 1e-3, neighbors::add_remove, {}}, {shape});
}

/** The product's form. */
variational_family aligned_dpvi(const prior_density& prior,
                                const unit_likelihood& units, const plan& plan,
                                double bound, random_bits& bits) {
  meter counter(plan);
  private_likelihood likelihood(units, {bound, bound}, counter, bits);
  noisy_posterior posterior(prior, likelihood, 1);
  dpvi run(posterior, bits, options, {0, plan.mechanisms[0].rate},
           {variational_kind::mean_field,
            Eigen::VectorXd::Zero(units.dimension()), dpvi_first_scale});
  for (int i = 0; i < options.iter; ++i) {
    run.step();
  }
  return run.result();
}

double step_microseconds(const problem& p, const plan& plan) {
  const model_prior prior(*p.model);
  system_random bits;
  return bench::seconds(
             [&] { aligned_dpvi(prior, *p.units, plan, clip, bits); })
         / options.iter * 1e6;
}

void whole_job() {
  bench::report report;
  std::unique_ptr<problem> p;
  const double seconds = bench::seconds([&] {
    p = std::make_unique<problem>(simulated_problem());
    step_microseconds(*p, calibrated());
  });
  report.add("DPVI, 39,074 x 14, 2000 steps, calibration included (s)", seconds,
             0, bench::at_most);
  report.print(std::cout);
}

/** Root mean square difference of the log scales. */
double scale_error(const variational_family& q,
                   const variational_family& reference) {
  const Eigen::ArrayXd difference
      = (q.scales().array() / reference.scales().array()).log();
  return std::sqrt(difference.square().mean());
}

/** Kullback-Leibler divergence to the reference, both mean field. */
double divergence(const variational_family& q,
                  const variational_family& reference) {
  const Eigen::ArrayXd ratio
      = (q.scales().array() / reference.scales().array()).square();
  const Eigen::ArrayXd shift
      = (q.mean() - reference.mean()).array() / reference.scales().array();
  return 0.5 * (ratio - 1.0 - ratio.log() + shift.square()).sum();
}

void compare_forms(const std::string& file) {
  const loaded_rows rows
      = load_rows(new_model_logistic, read_data_file(file), {});
  const model_prior prior(*rows.prior);
  const plan plan = calibrated();
  stan_dp::plan public_plan = plan;
  public_plan.engaged = false;
  public_plan.mechanisms[0].noise = 0;
  public_plan.mechanisms[0].rate = 1;
  system_random bits;
  const variational_family reference
      = aligned_dpvi(prior, *rows.units, public_plan, 1000, bits);
  std::vector<double> scales, divergences;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const auto ours = aligned_dpvi(prior, *rows.units, plan, clip, bits);
    const auto joint
        = bench::joint_dpvi(prior, *rows.units, options, plan, clip, bits);
    scales.push_back(scale_error(ours, reference)
                     / scale_error(joint, reference));
    divergences.push_back(divergence(ours, reference)
                          / divergence(joint, reference));
  }
  bench::report report;
  report.add("DPVI, noise on d numbers / on 2d, error of log scales",
             bench::median(scales), 1, bench::at_most);
  report.add("DPVI, noise on d numbers / on 2d, KL divergence",
             bench::median(divergences), 1, bench::at_most);
  report.print(std::cout);
}

}  // namespace

int main(int argc, char** argv) {
  stan::math::init_threadpool_tbb(2);
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "step") {
    std::cout << step_microseconds(simulated_problem(), calibrated()) << "\n";
  } else if (mode == "forms" && argc > 2) {
    compare_forms(argv[2]);
  } else {
    whole_job();
  }
}
