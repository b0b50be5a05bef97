#ifndef STAN_DP_DRIVER_ARGUMENTS_HPP
#define STAN_DP_DRIVER_ARGUMENTS_HPP

#include <stan_dp/driver/argument.hpp>
#include <stan_dp/driver/dp_options.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

/** @file
 * CmdStan 2.35's arguments for the methods that the stand-alone driver has, and
 * those of the private algorithms from their table.
 */
namespace stan_dp {

namespace internal {

inline argument group(std::string name, std::string help,
                      std::vector<argument> below) {
  argument a{std::move(name), argument::kind::group, std::move(help),
             std::move(below)};
  return a;
}

inline argument choice(std::string name, std::string help, std::size_t preset,
                       std::vector<argument> below) {
  argument a{std::move(name), argument::kind::choice,
             std::move(help), std::move(below),
             preset,          preset};
  return a;
}

inline argument flag(std::string name, std::string help) {
  return {std::move(name), argument::kind::flag, std::move(help), {}};
}

inline argument leaf(std::string name, std::string help, option_type type,
                     std::string type_text, std::string preset,
                     std::string valid,
                     std::function<std::string(const std::string&)> read) {
  argument a{std::move(name), argument::kind::leaf, std::move(help), {}};
  a.type = type;
  a.value = a.preset = a.preset_text = std::move(preset);
  a.type_text = std::move(type_text);
  a.valid = std::move(valid);
  a.read = std::move(read);
  return a;
}

/** CmdStan's own numbers are read as its parser reads them: up to the first
 * character that is not part of one. */
inline std::string read_integer(const std::string& text, long long low,
                                long long high) {
  long long n = std::stoll(text);
  if (n < low || n > high) {
    throw std::invalid_argument("");
  }
  return std::to_string(n);
}

inline argument integer_leaf(std::string name, std::string help,
                             std::string preset, std::string valid, int low) {
  return leaf(std::move(name), std::move(help), option_type::integer, "int",
              std::move(preset), std::move(valid),
              [low](const std::string& text) {
                return read_integer(text, low, std::numeric_limits<int>::max());
              });
}

inline argument count_leaf(std::string name, std::string help,
                           std::string preset, int low) {
  std::string valid = "0 < " + name;
  return integer_leaf(std::move(name), std::move(help), std::move(preset),
                      std::move(valid), low);
}

inline argument natural_leaf(std::string name, std::string help,
                             std::string preset) {
  std::string valid = "0 < " + name;
  return leaf(
      std::move(name), std::move(help), option_type::integer, "unsigned int",
      std::move(preset), std::move(valid), [](const std::string& text) {
        return std::to_string(static_cast<unsigned int>(std::stoul(text)));
      });
}

inline argument real_leaf(std::string name, std::string help, double preset,
                          std::string valid, option_range range) {
  argument a = leaf(std::move(name), std::move(help), option_type::real,
                    "double", show_real(preset), std::move(valid),
                    [range](const std::string& text) {
                      double x = std::stod(text);
                      if (!range.holds(x)) {
                        throw std::invalid_argument("");
                      }
                      return show_real(x);
                    });
  a.preset_text = a.shown();
  return a;
}

inline argument positive_leaf(std::string name, std::string help,
                              double preset) {
  std::string valid = "0 < " + name;
  return real_leaf(std::move(name), std::move(help), preset, std::move(valid),
                   above(0));
}

inline argument bounded_leaf(std::string name, std::string help, double preset,
                             double low, double high) {
  std::string valid
      = std::to_string(low) + " <= " + name + " <= " + std::to_string(high);
  return real_leaf(std::move(name), std::move(help), preset, std::move(valid),
                   from_to(low, high));
}

inline argument truth_leaf(std::string name, std::string help, bool preset) {
  return leaf(std::move(name), std::move(help), option_type::truth, "boolean",
              preset ? "true" : "false", "[0, 1, false, true]",
              [](const std::string& text) -> std::string {
                if (text == "1" || text == "true") {
                  return "true";
                }
                if (text == "0" || text == "false") {
                  return "false";
                }
                throw std::invalid_argument("");
              });
}

inline argument text_leaf(std::string name, std::string help,
                          std::string preset, std::string preset_text,
                          std::string valid) {
  argument a = leaf(std::move(name), std::move(help), option_type::text,
                    "string", std::move(preset), std::move(valid),
                    [](const std::string& text) { return text; });
  a.preset_text = std::move(preset_text);
  return a;
}

/** A row of the private options' table as an argument. */
inline argument option_leaf(const option& o) {
  argument a = leaf(o.name, o.help,
                    o.type == option_type::choice ? option_type::text : o.type,
                    type_name(o), canonical(o, o.preset), valid_values(o),
                    [o](const std::string& text) {
                      if (auto sentence = why_invalid(o, text)) {
                        throw std::invalid_argument(*sentence);
                      }
                      return canonical(o, text);
                    });
  a.preset_text = a.preset.empty() ? "\"\"" : a.preset;
  a.strict = true;
  return a;
}

inline std::vector<argument> option_leaves(const std::vector<option>& table) {
  std::vector<argument> leaves;
  for (const auto& o : table) {
    leaves.push_back(option_leaf(o));
  }
  return leaves;
}

/** Adds the private algorithms of a method to its `algorithm=`. */
inline void add_dp_algorithms(argument& choice, const std::string& method) {
  for (const auto& algorithm : dp_algorithms()) {
    if (algorithm.method == method) {
      argument a = group(algorithm.name, algorithm.help,
                         option_leaves(algorithm.options));
      a.below.push_back(
          group("privacy", privacy_help(), option_leaves(privacy_options())));
      choice.below.push_back(std::move(a));
    }
  }
}

inline argument sample_argument() {
  argument engine = choice(
      "engine", "Engine for Hamiltonian Monte Carlo", 1,
      {group("static", "Static integration time",
             {positive_leaf("int_time",
                            "Total integration time for Hamiltonian "
                            "evolution, default is 2 * pi",
                            6.28318530717959)}),
       group("nuts", "The No-U-Turn Sampler",
             {count_leaf("max_depth", "Maximum tree depth", "10", 1)})});
  argument metric
      = choice("metric", "Geometry of base manifold", 1,
               {flag("unit_e", "Euclidean manifold with unit metric"),
                flag("diag_e", "Euclidean manifold with diag metric"),
                flag("dense_e", "Euclidean manifold with dense metric")});
  argument hmc = group(
      "hmc", "Hamiltonian Monte Carlo",
      {engine, metric,
       text_leaf("metric_file", "Input file with precomputed Euclidean metric",
                 "", "", "All"),
       positive_leaf("stepsize", "Step size for discrete evolution", 1),
       bounded_leaf("stepsize_jitter",
                    "Uniformly random jitter of the stepsize, in percent", 0, 0,
                    1)});
  argument algorithm
      = choice("algorithm", "Sampling algorithm", 0,
               {hmc, flag("fixed_param", "Fixed Parameter Sampler")});
  add_dp_algorithms(algorithm, "sample");
  argument adapt
      = group("adapt", "Warmup Adaptation",
              {truth_leaf("engaged", "Adaptation engaged?", true),
               positive_leaf("gamma", "Adaptation regularization scale", 0.05),
               bounded_leaf("delta", "Adaptation target acceptance statistic",
                            0.8, 0.1, std::nextafter(1.0, 0.0)),
               positive_leaf("kappa", "Adaptation relaxation exponent", 0.75),
               positive_leaf("t0", "Adaptation iteration offset", 10),
               natural_leaf("init_buffer",
                            "Width of initial fast adaptation interval", "75"),
               natural_leaf("term_buffer",
                            "Width of final fast adaptation interval", "50"),
               natural_leaf("window",
                            "Initial width of slow adaptation interval", "25"),
               truth_leaf("save_metric", "Save metric as JSON?", false)});
  return group(
      "sample", "Bayesian inference with Markov Chain Monte Carlo",
      {count_leaf("num_samples", "Number of sampling iterations", "1000", 0),
       count_leaf("num_warmup", "Number of warmup iterations", "1000", 0),
       truth_leaf("save_warmup", "Stream warmup samples to output?", false),
       count_leaf("thin", "Period between saved samples", "1", 1), adapt,
       algorithm, count_leaf("num_chains", "Number of chains", "1", 1)});
}

inline argument variational_argument() {
  argument algorithm
      = choice("algorithm", "Variational inference algorithm", 0,
               {group("meanfield", "mean-field approximation", {}),
                group("fullrank", "full-rank covariance", {})});
  add_dp_algorithms(algorithm, "variational");
  argument adapt
      = group("adapt", "Eta Adaptation for Variational Inference",
              {truth_leaf("engaged", "Boolean flag for eta adaptation.", true),
               count_leaf("iter", "Number of iterations for eta adaptation.",
                          "50", 1)});
  return group(
      "variational", "Variational inference",
      {algorithm,
       count_leaf("iter", "Maximum number of ADVI iterations.", "10000", 1),
       count_leaf("grad_samples",
                  "Number of Monte Carlo draws for computing the gradient.",
                  "1", 1),
       count_leaf("elbo_samples",
                  "Number of Monte Carlo draws for estimate of ELBO.", "100",
                  1),
       positive_leaf("eta", "Stepsize scaling parameter.", 1), adapt,
       positive_leaf("tol_rel_obj",
                     "Relative tolerance parameter for convergence.", 0.01),
       count_leaf("eval_elbo", "Number of iterations between ELBO evaluations",
                  "100", 1),
       count_leaf("output_samples",
                  "Number of approximate posterior output draws to save.",
                  "1000", 1)});
}

inline argument diagnose_argument() {
  argument epsilon
      = positive_leaf("epsilon", "Finite difference step size", 1e-6);
  argument error = positive_leaf("error", "Error threshold", 1e-6);
  epsilon.preset_text = error.preset_text = "1e-6";
  return group("diagnose", "Model diagnostics",
               {choice("test", "Diagnostic test", 0,
                       {group("gradient",
                              "Check model gradient against finite differences",
                              {epsilon, error}),
                        group("row_product", row_product_help(),
                              option_leaves(row_product_options()))})});
}

inline argument generate_quantities_argument() {
  return group(
      "generate_quantities", "Generate quantities of interest",
      {text_leaf("fitted_params",
                 "Input file of sample of fitted parameter values for model "
                 "conditioned on data",
                 "", "\"\"", "Path to existing file"),
       count_leaf("num_chains", "Number of chains", "1", 1)});
}

inline argument seed_leaf(const std::string& seed_of_the_clock) {
  argument a = leaf(
      "seed", "Random number generator seed", option_type::integer, "int", "-1",
      "non-negative integer < 4294967296  or -1 to generate seed from system "
      "time",
      [](const std::string& text) {
        return read_integer(text, -1, std::numeric_limits<unsigned int>::max());
      });
  a.shown_preset = seed_of_the_clock;
  return a;
}

inline argument threads_leaf(int preset) {
  argument a = leaf(
      "num_threads", "Number of threads available to the program.",
      option_type::integer, "int", std::to_string(preset),
      "num_threads > 0 || num_threads == -1", [](const std::string& text) {
        std::string n = read_integer(text, -1, std::numeric_limits<int>::max());
        if (n == "0") {
          throw std::invalid_argument("");
        }
        return n;
      });
  a.preset_text
      = "1 or the value of the STAN_NUM_THREADS environment variable if set.";
  return a;
}

inline argument output_argument() {
  argument digits = leaf(
      "sig_figs",
      "The number of significant figures used for the output CSV files.",
      option_type::integer, "int", "-1",
      "0 <= integer <= 18 or -1 to use the default number of significant "
      "figures",
      [](const std::string& text) { return read_integer(text, -1, 18); });
  return group(
      "output", "File output options",
      {text_leaf("file", "Output file", "output.csv", "output.csv",
                 "Path to existing file"),
       text_leaf("diagnostic_file",
                 "Auxiliary output file for diagnostic information", "", "\"\"",
                 "Path to existing file"),
       integer_leaf("refresh", "Number of iterations between screen updates",
                    "100", "0 <= refresh", 0),
       digits,
       text_leaf("profile_file", "File to store profiling information",
                 "profile.csv", "\"\"",
                 "Valid path and write access to the folder"),
       truth_leaf("save_cmdstan_config",
                  "Save the CmdStan configuration (parsed arguments + default "
                  "values) as JSON alongside the output files",
                  false)});
}

}  // namespace internal

/**
 * @param threads preset of `num_threads`, from the environment
 * @param clock_seed the seed that is used, and printed, if the user names none
 */
inline std::vector<argument> driver_arguments(int threads,
                                              unsigned int clock_seed) {
  using namespace internal;
  return {
      choice("method", "Analysis method (Note that method= is optional)", 0,
             {sample_argument(), variational_argument(), diagnose_argument(),
              generate_quantities_argument()}),
      integer_leaf("id", "Unique process identifier", "1", "id >= 0", 0),
      group("data", "Input data options",
            {text_leaf("file", "Input data file", "", "\"\"",
                       "Path to existing file")}),
      text_leaf("init",
                "Initialization method: \"x\" initializes randomly between "
                "[-x, x], \"0\" initializes to 0, anything else identifies a "
                "file of values",
                "2", "\"2\"", "All"),
      group("random", "Random number configuration",
            {seed_leaf(std::to_string(clock_seed))}),
      output_argument(),
      threads_leaf(threads)};
}

}  // namespace stan_dp
#endif
