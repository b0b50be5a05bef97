#ifndef STAN_DP_DRIVER_DP_REQUEST_HPP
#define STAN_DP_DRIVER_DP_REQUEST_HPP

#include <stan_dp/driver/dp_options.hpp>
#include <stan_dp/services/settings.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace stan_dp {

/** A private run, as both front ends hand it over: everything but the data. */
struct dp_request {
  std::string algorithm;
  privacy_settings privacy;
  /** of a variational run only `id`, `refresh`, `seed` and `init_radius` */
  sample_settings sample;
  adapt_settings adapt;
  dp_settings settings;

  bool variational() const {
    return std::holds_alternative<dp_variational_settings>(settings);
  }
};

/** CmdStan's arguments of `variational`, as they were given. */
struct variational_arguments {
  int iter = 10000;
  int grad_samples = 1;
  int elbo_samples = 100;
  double eta = 1;
  /** whether the command line says so: it is CmdStan's preset too */
  bool adapt_engaged = false;
  int adapt_iter = 50;
  double tol_rel_obj = 0.01;
  int eval_elbo = 100;
  int output_samples = 1000;
};

/**
 * Whether a command line gives `name=` in a group of arguments. Parsed
 * arguments do not tell what was given from what is preset.
 *
 * @param words the command line
 * @param group the word that opens the group, such as `adapt`
 */
inline bool is_given(const std::vector<std::string>& words,
                     const std::string& group, const std::string& name) {
  std::string open;
  for (const std::string& word : words) {
    if (word.find('=') == std::string::npos) {
      open = word;
    } else if (open == group && word.rfind(name + "=", 0) == 0) {
      return true;
    }
  }
  return false;
}

namespace internal {

inline void refuse_elbo(bool given, const char* name,
                        const std::string& algorithm) {
  if (given) {
    throw std::invalid_argument(
        std::string(name) + " is refused with algorithm=" + algorithm
        + ": it reads the ELBO, which the data would show through; a private "
          "run makes exactly iter iterations with the step size eta.");
  }
}

}  // namespace internal

/**
 * Adds CmdStan's arguments to the settings of a variational run. CmdStan's
 * presets stand for "not given": its `eta` of 1 for the optimizer's own.
 *
 * @throws std::invalid_argument if ADVI's adaptation or its stopping rule was
 * asked for
 */
inline void add_variational_arguments(const variational_arguments& given,
                                      dp_request& request) {
  const variational_arguments preset;
  const std::string& algorithm = request.algorithm;
  internal::refuse_elbo(given.elbo_samples != preset.elbo_samples,
                        "elbo_samples", algorithm);
  internal::refuse_elbo(given.adapt_engaged, "adapt engaged=1", algorithm);
  internal::refuse_elbo(given.adapt_iter != preset.adapt_iter, "adapt iter",
                        algorithm);
  internal::refuse_elbo(given.tol_rel_obj != preset.tol_rel_obj, "tol_rel_obj",
                        algorithm);
  internal::refuse_elbo(given.eval_elbo != preset.eval_elbo, "eval_elbo",
                        algorithm);
  auto& s = std::get<dp_variational_settings>(request.settings);
  s.iter = given.iter;
  s.grad_samples = given.grad_samples;
  s.output_samples = given.output_samples;
  s.eta = given.eta == preset.eta ? 0 : given.eta;
}

/** CmdStan's `adapt delta` if it was given; its preset is for exact gradients.
 */
inline double dp_target_acceptance(double delta,
                                   const std::vector<std::string>& words) {
  return is_given(words, "adapt", "delta") ? delta : adapt_settings().delta;
}

/** @throws std::invalid_argument if the arguments contradict each other */
inline void check_dp_request(const dp_request& request,
                             const std::string& diagnostic_file,
                             bool save_metric) {
  if (!diagnostic_file.empty()) {
    throw std::invalid_argument(
        "output diagnostic_file is refused with algorithm=" + request.algorithm
        + ": its gradients come from the rows; leave it out.");
  }
  if (save_metric) {
    throw std::invalid_argument(
        "adapt save_metric is refused with algorithm=" + request.algorithm
        + ": the metric stands in the CSV file, below its header.");
  }
  bool adapts
      = request.algorithm == "dp_hmc" || request.algorithm == "dp_penalty";
  if (adapts && request.adapt.engaged && request.sample.num_warmup == 0) {
    throw std::invalid_argument(
        "The number of warmup samples (num_warmup) must be greater than zero "
        "if adaptation is enabled.");
  }
}

}  // namespace stan_dp
#endif
