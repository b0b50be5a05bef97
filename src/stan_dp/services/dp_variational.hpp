#ifndef STAN_DP_SERVICES_DP_VARIATIONAL_HPP
#define STAN_DP_SERVICES_DP_VARIATIONAL_HPP

#include <stan_dp/samplers/budget.hpp>
#include <stan_dp/samplers/dpvi.hpp>
#include <stan_dp/services/run_chains.hpp>
#include <string>
#include <vector>

namespace stan_dp {

/**
 * The sampling rate of a variational run. Where the user does not say, 0.05:
 * with some thousands of iterations the noise on the result is what it would be
 * with all units in every step, at a twentieth of the time.
 */
inline double variational_rate(const batch_settings& s,
                               const privacy_settings& privacy,
                               std::size_t num_units) {
  constexpr double preset = 0.05;
  return s.rate == 0 && s.batch == 0 ? preset
                                     : sampling_rate(s, privacy, num_units);
}

/** What the kernel is told; zeros become its defaults. */
inline dpvi_options variational_options(const dp_variational_settings& s) {
  return {s.iter, s.grad_samples, s.average > 0 ? s.average : (s.iter + 1) / 2,
          s.optimizer, s.eta > 0 ? s.eta : dpvi_eta};
}

namespace internal {

/** The approximation after all steps. */
inline variational_family run_dpvi(dpvi& steps, int iter,
                                   const progress& report,
                                   stan::callbacks::interrupt& interrupt,
                                   stan::callbacks::logger& logger) {
  for (int m = 0; m < iter; ++m) {
    interrupt();
    if (report.due(m)) {
      logger.info(report.line(m));
    }
    steps.step();
  }
  return steps.result();
}

/**
 * The rows of the file: the mean, then draws with `log_p__` from the prior
 * alone and `log_g__`, the log density of the draw up to a constant, `-eps'eps
 * / 2`, as Stan writes it.
 */
inline void write_approximation(const variational_family& q,
                                const prior_density& prior, random_bits& bits,
                                int output_samples, chain_output& output) {
  output.draw(0, {0, 0}, q.mean());
  for (int n = 0; n < output_samples; ++n) {
    const Eigen::VectorXd eps = normal_vector(bits, q.dimension());
    const Eigen::VectorXd theta = q.transform(eps);
    Eigen::VectorXd gradient;
    const double log_p = prior.log_density(theta, gradient);
    output.draw(0, {log_p, -0.5 * eps.squaredNorm()}, theta);
  }
}

/**
 * The head of the file. Clients know two variational algorithms by name: the
 * line with the one that has this family comes last, and counts.
 */
inline std::vector<std::string> variational_header(const privacy_facts& facts,
                                                   bool full_rank) {
  std::vector<std::string> lines = privacy_header(facts);
  lines.push_back(full_rank ? "algorithm = fullrank" : "algorithm = meanfield");
  return lines;
}

/** Stan's lines about the step size; it was fixed, not adapted. */
inline void write_stepsize(double eta, stan::callbacks::writer& writer) {
  std::ostringstream text;
  text << "eta = " << eta;
  writer("Stepsize adaptation complete.");
  writer(text.str());
}

}  // namespace internal

namespace services {

/**
 * Runs private variational inference, mean field or full rank.
 *
 * The number of iterations is fixed; nothing reads the ELBO.
 *
 * @param run model without rows, units, budget
 * @param common `id`, `seed`, `refresh` and `init_radius` of the run
 * @param settings of the algorithm
 * @param init initial values; public
 * @param callbacks where messages, the mean and then draws go, for one chain;
 * nothing in them depends on a row but through noisy answers
 * @return `stan::services::error_codes`
 */
inline int dp_variational(const private_run& run, const sample_settings& common,
                          const dp_variational_settings& settings,
                          const chain_contexts& init,
                          const run_callbacks& callbacks) {
  stan::callbacks::logger& logger = callbacks.logger;
  return return_code(logger, [&] {
    check_settings(run.privacy);
    check_settings(settings);
    sample_settings single = common;
    single.num_chains = 1;
    check_callbacks(single, init, callbacks);
    const dpvi_options options = variational_options(settings);
    const double rate
        = variational_rate(settings.batch, run.privacy, run.units.num_units());
    mechanism shape = dpvi_mechanism(options, rate);
    shape.noise = 1;
    const plan planned
        = plan_within(make_budget(run.privacy, nullptr), {shape});
    const auto start = initial_points(run, single, init, callbacks);
    meter counter(planned);
    const privacy_facts facts = announce(run, planned, {}, logger);
    chain_output output(
        run.prior_model,
        stan::services::util::create_rng(common.seed, common.id),
        *callbacks.sample.front(), *callbacks.diagnostic.front());
    output.header(internal::variational_header(facts, settings.full_rank),
                  {"log_p__", "log_g__"});
    internal::write_stepsize(options.eta, *callbacks.sample.front());
    const model_prior prior(run.prior_model);
    auto bits = make_random_bits(run.privacy, common.id);
    private_likelihood likelihood(run.units, make_clips(run.privacy), counter,
                                  *bits);
    noisy_posterior posterior(prior, likelihood, 1);
    dpvi steps(posterior, *bits, options, {0, rate},
               {settings.full_rank ? variational_kind::full_rank
                                   : variational_kind::mean_field,
                start.front(), dpvi_first_scale});
    const variational_family found = internal::run_dpvi(
        steps, options.iter,
        {0, options.iter, common.refresh, 0, "(Variational Inference)"},
        callbacks.interrupt, logger);
    internal::write_approximation(found, prior, *bits, settings.output_samples,
                                  output);
    output.footer(privacy_footer(facts));
    warn_of_complaint("The approximation", steps.complaint(), logger);
    for (const std::string& line : privacy_afterword(facts)) {
      logger.info(line);
    }
  });
}

}  // namespace services
}  // namespace stan_dp
#endif
