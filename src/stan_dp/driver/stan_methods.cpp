#include <stan/model/model_header.hpp>
#include <stan_dp/driver/stan_methods.hpp>
#include <stan/io/stan_csv_reader.hpp>
#include <stan/services/diagnose/diagnose.hpp>
#include <stan/services/experimental/advi/fullrank.hpp>
#include <stan/services/experimental/advi/meanfield.hpp>
#include <stan/services/sample/fixed_param.hpp>
#include <stan/services/sample/hmc_nuts_dense_e.hpp>
#include <stan/services/sample/hmc_nuts_dense_e_adapt.hpp>
#include <stan/services/sample/hmc_nuts_diag_e.hpp>
#include <stan/services/sample/hmc_nuts_diag_e_adapt.hpp>
#include <stan/services/sample/hmc_nuts_unit_e.hpp>
#include <stan/services/sample/hmc_nuts_unit_e_adapt.hpp>
#include <stan/services/sample/hmc_static_dense_e.hpp>
#include <stan/services/sample/hmc_static_dense_e_adapt.hpp>
#include <stan/services/sample/hmc_static_diag_e.hpp>
#include <stan/services/sample/hmc_static_diag_e_adapt.hpp>
#include <stan/services/sample/hmc_static_unit_e.hpp>
#include <stan/services/sample/hmc_static_unit_e_adapt.hpp>
#include <stan/services/sample/standalone_gqs.hpp>
#include <stan/services/util/create_unit_e_dense_inv_metric.hpp>
#include <stan/services/util/create_unit_e_diag_inv_metric.hpp>
#include <iostream>

namespace stan_dp {
namespace {

namespace services = stan::services::sample;

/** A run of a method: its arguments, and all that services are called with. */
struct method_run {
  const argument_tree& arguments;
  stan::model::model_base& model;
  const method_inputs& inputs;
  stan::callbacks::interrupt& interrupt;
  stan::callbacks::logger& logger;
  method_outputs& outputs;
  std::vector<stan::callbacks::writer> inits{inputs.num_chains};
};

struct hmc_arguments {
  int num_warmup, num_samples, thin;
  bool save_warmup;
  int refresh;
  double stepsize, jitter;
};

hmc_arguments read_hmc(const argument_tree& a) {
  const std::string hmc = "method sample algorithm hmc ";
  return {a.integer("method sample num_warmup"),
          a.integer("method sample num_samples"),
          a.integer("method sample thin"),
          a.truth("method sample save_warmup"),
          a.integer("output refresh"),
          a.real(hmc + "stepsize"),
          a.real(hmc + "stepsize_jitter")};
}

struct adapt_arguments {
  double delta, gamma, kappa, t0;
  unsigned int init_buffer, term_buffer, window;
};

adapt_arguments read_adapt(const argument_tree& a) {
  const std::string adapt = "method sample adapt ";
  return {a.real(adapt + "delta"),          a.real(adapt + "gamma"),
          a.real(adapt + "kappa"),          a.real(adapt + "t0"),
          a.natural(adapt + "init_buffer"), a.natural(adapt + "term_buffer"),
          a.natural(adapt + "window")};
}

/** The metrics from `metric_file`, or the unit metric as Stan makes it. */
std::vector<context_pointer> read_metrics(const method_run& run,
                                          const std::string& metric) {
  std::string file
      = run.arguments.text("method sample algorithm hmc metric_file");
  if (!file.empty()) {
    return read_contexts(file, run.inputs.num_chains, run.inputs.id);
  }
  std::size_t d = run.model.num_params_r();
  context_pointer unit = std::make_shared<stan::io::array_var_context>(
      metric == "dense_e"
          ? stan::services::util::create_unit_e_dense_inv_metric(d)
          : stan::services::util::create_unit_e_diag_inv_metric(d));
  return std::vector<context_pointer>(run.inputs.num_chains, unit);
}

int run_nuts(method_run& run, const std::string& metric, bool adapts) {
  const auto h = read_hmc(run.arguments);
  const auto a = read_adapt(run.arguments);
  const auto& in = run.inputs;
  auto& out = run.outputs;
  int depth = run.arguments.integer(
      "method sample algorithm hmc engine nuts max_depth");
  if (metric == "unit_e") {
    return adapts ? services::hmc_nuts_unit_e_adapt(
               run.model, in.num_chains, in.inits, in.seed, in.id,
               in.init_radius, h.num_warmup, h.num_samples, h.thin,
               h.save_warmup, h.refresh, h.stepsize, h.jitter, depth, a.delta,
               a.gamma, a.kappa, a.t0, run.interrupt, run.logger, run.inits,
               out.draws, out.diagnostics, out.metrics)
                  : services::hmc_nuts_unit_e(
                      run.model, in.num_chains, in.inits, in.seed, in.id,
                      in.init_radius, h.num_warmup, h.num_samples, h.thin,
                      h.save_warmup, h.refresh, h.stepsize, h.jitter, depth,
                      run.interrupt, run.logger, run.inits, out.draws,
                      out.diagnostics);
  }
  const auto metrics = read_metrics(run, metric);
  auto adaptive = [&](auto service) {
    return service(run.model, in.num_chains, in.inits, metrics, in.seed, in.id,
                   in.init_radius, h.num_warmup, h.num_samples, h.thin,
                   h.save_warmup, h.refresh, h.stepsize, h.jitter, depth,
                   a.delta, a.gamma, a.kappa, a.t0, a.init_buffer,
                   a.term_buffer, a.window, run.interrupt, run.logger,
                   run.inits, out.draws, out.diagnostics, out.metrics);
  };
  auto fixed = [&](auto service) {
    return service(run.model, in.num_chains, in.inits, metrics, in.seed, in.id,
                   in.init_radius, h.num_warmup, h.num_samples, h.thin,
                   h.save_warmup, h.refresh, h.stepsize, h.jitter, depth,
                   run.interrupt, run.logger, run.inits, out.draws,
                   out.diagnostics);
  };
  if (metric == "dense_e") {
    return adapts ? adaptive([](auto&&... x) {
      return services::hmc_nuts_dense_e_adapt(x...);
    })
                  : fixed([](auto&&... x) {
                      return services::hmc_nuts_dense_e(x...);
                    });
  }
  return adapts ? adaptive(
             [](auto&&... x) { return services::hmc_nuts_diag_e_adapt(x...); })
                : fixed([](auto&&... x) {
                    return services::hmc_nuts_diag_e(x...);
                  });
}

/** Static HMC runs one chain. */
int run_static(method_run& run, const std::string& metric, bool adapts) {
  const auto h = read_hmc(run.arguments);
  const auto a = read_adapt(run.arguments);
  const auto& in = run.inputs;
  auto& out = run.outputs;
  double time = run.arguments.real(
      "method sample algorithm hmc engine static int_time");
  if (metric == "unit_e") {
    return adapts
               ? services::hmc_static_unit_e_adapt(
                   run.model, *in.inits[0], in.seed, in.id, in.init_radius,
                   h.num_warmup, h.num_samples, h.thin, h.save_warmup,
                   h.refresh, h.stepsize, h.jitter, time, a.delta, a.gamma,
                   a.kappa, a.t0, run.interrupt, run.logger, run.inits[0],
                   out.draws[0], out.diagnostics[0])
               : services::hmc_static_unit_e(
                   run.model, *in.inits[0], in.seed, in.id, in.init_radius,
                   h.num_warmup, h.num_samples, h.thin, h.save_warmup,
                   h.refresh, h.stepsize, h.jitter, time, run.interrupt,
                   run.logger, run.inits[0], out.draws[0], out.diagnostics[0]);
  }
  const auto metrics = read_metrics(run, metric);
  auto adaptive = [&](auto service) {
    return service(run.model, *in.inits[0], *metrics[0], in.seed, in.id,
                   in.init_radius, h.num_warmup, h.num_samples, h.thin,
                   h.save_warmup, h.refresh, h.stepsize, h.jitter, time,
                   a.delta, a.gamma, a.kappa, a.t0, a.init_buffer,
                   a.term_buffer, a.window, run.interrupt, run.logger,
                   run.inits[0], out.draws[0], out.diagnostics[0]);
  };
  auto fixed = [&](auto service) {
    return service(run.model, *in.inits[0], *metrics[0], in.seed, in.id,
                   in.init_radius, h.num_warmup, h.num_samples, h.thin,
                   h.save_warmup, h.refresh, h.stepsize, h.jitter, time,
                   run.interrupt, run.logger, run.inits[0], out.draws[0],
                   out.diagnostics[0]);
  };
  if (metric == "dense_e") {
    return adapts ? adaptive([](auto&&... x) {
      return services::hmc_static_dense_e_adapt(x...);
    })
                  : fixed([](auto&&... x) {
                      return services::hmc_static_dense_e(x...);
                    });
  }
  return adapts ? adaptive([](auto&&... x) {
    return services::hmc_static_diag_e_adapt(x...);
  })
                : fixed([](auto&&... x) {
                    return services::hmc_static_diag_e(x...);
                  });
}

int run_sample(method_run& run) {
  const argument_tree& a = run.arguments;
  const std::string algorithm = a.text("method sample algorithm");
  const bool fixed
      = run.model.num_params_r() == 0 || algorithm == "fixed_param";
  const bool adapts = a.truth("method sample adapt engaged");
  if (!fixed && adapts && a.integer("method sample num_warmup") == 0) {
    throw std::invalid_argument(
        "The number of warmup samples (num_warmup) must be greater than zero "
        "if adaptation is enabled.");
  }
  if (fixed) {
    if (algorithm != "fixed_param") {
      std::cout << "Model contains no parameters, running fixed_param sampler, "
                   "no updates to Markov chain\n";
    }
    return services::fixed_param(
        run.model, run.inputs.num_chains, run.inputs.inits, run.inputs.seed,
        run.inputs.id, run.inputs.init_radius,
        a.integer("method sample num_samples"), a.integer("method sample thin"),
        a.integer("output refresh"), run.interrupt, run.logger, run.inits,
        run.outputs.draws, run.outputs.diagnostics);
  }
  const std::string metric = a.text("method sample algorithm hmc metric");
  return a.text("method sample algorithm hmc engine") == "nuts"
             ? run_nuts(run, metric, adapts)
             : run_static(run, metric, adapts);
}

int run_variational(method_run& run) {
  const argument_tree& a = run.arguments;
  const std::string v = "method variational ";
  auto advi = [&](auto service) {
    return service(run.model, *run.inputs.inits[0], run.inputs.seed,
                   run.inputs.id, run.inputs.init_radius,
                   a.integer(v + "grad_samples"), a.integer(v + "elbo_samples"),
                   a.integer(v + "iter"), a.real(v + "tol_rel_obj"),
                   a.real(v + "eta"), a.truth(v + "adapt engaged"),
                   a.integer(v + "adapt iter"), a.integer(v + "eval_elbo"),
                   a.integer(v + "output_samples"), run.interrupt, run.logger,
                   run.inits[0], run.outputs.draws[0],
                   run.outputs.diagnostics[0]);
  };
  if (a.text(v + "algorithm") == "fullrank") {
    return advi([](auto&&... x) {
      return stan::services::experimental::advi::fullrank(x...);
    });
  }
  return advi([](auto&&... x) {
    return stan::services::experimental::advi::meanfield(x...);
  });
}

/** The parameters' columns of a fit. */
Eigen::MatrixXd read_fit(const std::string& file,
                         const std::vector<std::string>& parameters) {
  std::stringstream messages;
  std::ifstream stream = open_input(file);
  stan::io::stan_csv fit;
  stan::io::stan_csv_reader::read_metadata(stream, fit.metadata, &messages);
  if (!stan::io::stan_csv_reader::read_header(stream, fit.header, &messages,
                                              false)) {
    throw std::invalid_argument(
        "Error reading fitted param names from sample csv file \"" + file
        + "\"");
  }
  stan::io::stan_csv_reader::read_adaptation(stream, fit.adaptation, &messages);
  stan::io::stan_csv_reader::read_samples(stream, fit.samples, fit.timing,
                                          &messages);
  std::size_t first = 0;
  while (first < fit.header.size()
         && boost::algorithm::ends_with(fit.header[first], "__")) {
    ++first;
  }
  bool same = first + parameters.size() <= fit.header.size()
              && std::equal(parameters.begin(), parameters.end(),
                            fit.header.begin() + first);
  if (!same) {
    throw std::invalid_argument(
        "Mismatch between model and fitted_parameters csv file \"" + file
        + "\"");
  }
  return fit.samples.block(0, first, fit.samples.rows(), parameters.size());
}

int run_generate_quantities(method_run& run) {
  const std::string file
      = run.arguments.text("method generate_quantities fitted_params");
  if (file.empty()) {
    throw std::invalid_argument(
        "Missing fitted_params argument, cannot run generate_quantities "
        "without fitted sample.");
  }
  auto [base, suffix] = split_suffix(file);
  if (suffix != ".csv") {
    throw std::invalid_argument("Fitted params file must be a CSV file.");
  }
  std::vector<std::string> parameters;
  run.model.constrained_param_names(parameters, false, false);
  if (parameters.empty()) {
    throw std::invalid_argument("Model " + run.model.model_name()
                                + " has no parameters, nothing to estimate.");
  }
  std::vector<Eigen::MatrixXd> fits;
  for (const auto& name :
       chain_files(base, "", ".csv", run.inputs.num_chains, run.inputs.id)) {
    fits.push_back(read_fit(name, parameters));
  }
  return stan::services::standalone_generate(
      run.model, run.inputs.num_chains, fits, run.inputs.seed, run.interrupt,
      run.logger, run.outputs.draws);
}

int run_diagnose(method_run& run) {
  const std::string gradient = "method diagnose test gradient ";
  return stan::services::diagnose::diagnose(
      run.model, *run.inputs.inits[0], run.inputs.seed, run.inputs.id,
      run.inputs.init_radius, run.arguments.real(gradient + "epsilon"),
      run.arguments.real(gradient + "error"), run.interrupt, run.logger,
      run.inits[0], run.outputs.draws[0]);
}

}  // namespace

int run_stan_method(const argument_tree& arguments,
                    stan::model::model_base& model, const method_inputs& inputs,
                    stan::callbacks::interrupt& interrupt,
                    stan::callbacks::logger& logger, method_outputs& outputs) {
  method_run run{arguments, model, inputs, interrupt, logger, outputs};
  const std::string method = arguments.text("method");
  if (method == "sample") {
    return run_sample(run);
  }
  if (method == "variational") {
    return run_variational(run);
  }
  if (method == "generate_quantities") {
    return run_generate_quantities(run);
  }
  return run_diagnose(run);
}

}  // namespace stan_dp
