#ifndef STAN_DP_SERVICES_RUN_CHAINS_HPP
#define STAN_DP_SERVICES_RUN_CHAINS_HPP

#include <stan/model/model_base.hpp>
#include <stan_dp/privacy/meter.hpp>
#include <stan_dp/privacy/private_likelihood.hpp>
#include <stan_dp/privacy/random_bits.hpp>
#include <stan_dp/privacy/seeded_random.hpp>
#include <stan_dp/samplers/budget.hpp>
#include <stan_dp/samplers/hmc_plan.hpp>
#include <stan_dp/samplers/noisy_posterior.hpp>
#include <stan_dp/samplers/random_vector.hpp>
#include <stan_dp/samplers/run_length.hpp>
#include <stan_dp/samplers/warm_start.hpp>
#include <stan_dp/services/chain_output.hpp>
#include <stan_dp/services/check_settings.hpp>
#include <stan_dp/services/initial_values.hpp>
#include <stan_dp/services/model_prior.hpp>
#include <stan_dp/services/privacy_report.hpp>
#include <stan_dp/services/private_run.hpp>
#include <stan_dp/services/progress.hpp>
#include <stan/services/error_codes.hpp>
#include <stan/services/util/create_rng.hpp>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace stan_dp {

/** The source of noise of stream `stream`: the system's, or a seeded one. */
inline std::unique_ptr<random_bits> make_random_bits(
    const privacy_settings& settings, std::uint64_t stream) {
  if (settings.noise_seed) {
    return std::make_unique<seeded_random>(*settings.noise_seed, stream);
  }
  return std::make_unique<system_random>();
}

inline clip_bounds make_clips(const privacy_settings& settings) {
  return {settings.clip, internal::ratio_clip(settings)};
}

inline run_length make_length(const sample_settings& s) {
  return {s.num_warmup, s.num_samples, s.num_chains};
}

/** The budget, with what a warm start already planned. */
inline budget make_budget(const privacy_settings& s,
                          const warm_start_source* warm) {
  budget b{s.engaged, s.epsilon, s.delta, s.relation, {}};
  if (warm != nullptr) {
    b.fixed = warm->mechanisms;
  }
  return b;
}

/**
 * Warns where ratio noise keeps chains from moving; only where the number of
 * units is public.
 */
inline std::vector<std::string> ratio_noise_warnings(const private_run& run,
                                                     double noise,
                                                     double tempering,
                                                     const run_length& length) {
  if (!run.privacy.engaged || !units_are_public(run.privacy)) {
    return {};
  }
  return reach_warnings(penalty_reach(
      noise, tempering, internal::ratio_clip(run.privacy), length,
      static_cast<double>(run.units.num_units()), run.units.dimension()));
}

/** Starting points of all chains, from the user or the prior. */
inline std::vector<Eigen::VectorXd> initial_points(
    const private_run& run, const sample_settings& s,
    const chain_contexts& init, const run_callbacks& callbacks) {
  std::vector<Eigen::VectorXd> points;
  for (int k = 0; k < s.num_chains; ++k) {
    auto rng = stan::services::util::create_rng(s.seed, s.id + k);
    points.push_back(
        initial_values(run.prior_model, *init.at(k), rng, s.init_radius));
    const Eigen::VectorXd& point = points.back();
    (*callbacks.init.at(k))(
        std::vector<double>(point.data(), point.data() + point.size()));
  }
  return points;
}

/**
 * What is done once for a run: the facts, the ledger, the messages. Nothing in
 * it looks at a row.
 */
inline privacy_facts announce(const private_run& run, const plan& p,
                              const std::vector<std::string>& warnings,
                              stan::callbacks::logger& logger) {
  privacy_facts facts;
  facts.settings = run.privacy;
  facts.plan = p;
  facts.epsilon
      = p.engaged ? epsilon_bound(p) : std::numeric_limits<double>::quiet_NaN();
  facts.accountant
      = "upper bound from the closed form or privacy loss distributions";
  if (units_are_public(run.privacy)) {
    facts.units = run.units.num_units();
  }
  facts.protected_names = run.protected_names;
  if (run.reserve && p.engaged) {
    facts.ledger = run.reserve(p, facts.epsilon);
  }
  for (const std::string& line : privacy_preface(facts)) {
    logger.info(line);
  }
  for (const std::string& line : privacy_warnings(facts)) {
    logger.warn("WARNING: " + line);
  }
  for (const std::string& line : warnings) {
    logger.warn("WARNING: " + line);
  }
  logger.info("");
  return facts;
}

/** Says after a run what is wrong with what was released, from that alone. */
inline void warn_of_complaint(const std::string& who,
                              const std::string& complaint,
                              stan::callbacks::logger& logger) {
  if (!complaint.empty()) {
    logger.warn("WARNING: " + who + " " + complaint);
  }
}

/** Makes a chain's sampler at a starting point. */
template <class Chain>
using chain_maker = std::function<std::unique_ptr<Chain>(
    noisy_posterior&, random_bits&, const Eigen::VectorXd&, int chain)>;

/**
 * Runs one chain to its end. How many iterations, lines and queries there are
 * was fixed before.
 */
template <class Chain>
void run_chain(Chain& chain, const sample_settings& s, const progress& report,
               chain_output& output, const run_callbacks& callbacks,
               std::mutex& logging) {
  const auto begin = [&](int m) {
    callbacks.interrupt();
    if (report.due(m)) {
      std::lock_guard<std::mutex> lock(logging);
      callbacks.logger.info(report.line(m));
    }
  };
  const auto write = [&](int m) {
    if (m % s.thin == 0) {
      output.draw(chain.log_prior(), chain.values(), chain.theta());
    }
  };
  for (int m = 0; m < s.num_warmup; ++m) {
    begin(m);
    chain.warm_up();
    if (s.save_warmup) {
      write(m);
    }
  }
  chain.finish_warm_up();
  output.adaptation(chain.stepsize(), chain.inverse_metric());
  for (int m = 0; m < s.num_samples; ++m) {
    begin(s.num_warmup + m);
    chain.sample();
    write(m);
  }
}

/**
 * Runs all chains of a plan in parallel: they share the units and the meter;
 * each has its own generator and writers.
 *
 * @param warm run before the chains, may be null; each chain then starts at a
 * draw of what it fitted
 * @param use_fit told what the warm start fitted before chains are made
 */
template <class Chain>
void run_chains(const private_run& run, const plan& p,
                const std::vector<std::string>& warnings,
                const sample_settings& s, double tempering,
                std::vector<Eigen::VectorXd> points,
                const run_callbacks& callbacks, const chain_maker<Chain>& make,
                const warm_start_source* warm = nullptr,
                const std::function<void(const gaussian_fit&)>& use_fit = {}) {
  meter shared(p);
  const privacy_facts facts = announce(run, p, warnings, callbacks.logger);
  const model_prior prior(run.prior_model);
  const clip_bounds clips = make_clips(run.privacy);
  if (warm != nullptr) {
    auto bits = make_random_bits(run.privacy,
                                 std::numeric_limits<std::uint64_t>::max());
    private_likelihood likelihood(run.units, clips, shared, *bits);
    const gaussian_fit fit
        = warm->run(prior, likelihood, *bits, 0, points.front());
    for (Eigen::VectorXd& point : points) {
      point = fit.transform(normal_vector(*bits, point.size()));
      if (!point.allFinite()) {
        point = fit.mean;
      }
    }
    if (use_fit) {
      use_fit(fit);
    }
  }
  std::vector<std::string> complaints(s.num_chains);
  std::mutex logging;
  const auto one = [&](int k) {
    auto bits = make_random_bits(run.privacy, s.id + k);
    private_likelihood likelihood(run.units, clips, shared, *bits);
    noisy_posterior posterior(prior, likelihood, tempering);
    chain_output output(run.prior_model,
                        stan::services::util::create_rng(s.seed, s.id + k),
                        *callbacks.sample.at(k), *callbacks.diagnostic.at(k));
    output.header(privacy_header(facts), Chain::names());
    const auto chain = make(posterior, *bits, points[k], k);
    run_chain(*chain, s,
              {s.num_warmup, s.num_samples, s.refresh,
               s.num_chains > 1 ? s.id + k : 0},
              output, callbacks, logging);
    output.footer(privacy_footer(facts));
    complaints[k] = chain->complaint();
  };
  const auto start = std::chrono::steady_clock::now();
  tbb::parallel_for(
      tbb::blocked_range<int>(0, s.num_chains, 1),
      [&one](const tbb::blocked_range<int>& range) {
        for (int k = range.begin(); k != range.end(); ++k) {
          one(k);
        }
      },
      tbb::simple_partitioner());
  const std::chrono::duration<double> elapsed
      = std::chrono::steady_clock::now() - start;
  std::ostringstream time;
  time << " Elapsed Time: " << elapsed.count() << " seconds (Total)";
  callbacks.logger.info("");
  callbacks.logger.info(time.str());
  for (int k = 0; k < s.num_chains; ++k) {
    warn_of_complaint("Chain " + std::to_string(s.id + k), complaints[k],
                      callbacks.logger);
  }
  for (const std::string& line : privacy_afterword(facts)) {
    callbacks.logger.info(line);
  }
}

/**
 * Runs a service: what was wrong with the settings becomes a message and
 * `CONFIG`, anything else `SOFTWARE`. No exception here can come from a row's
 * values: `rows/` and `privacy/` swallow those.
 */
template <class F>
int return_code(stan::callbacks::logger& logger, const F& service) {
  try {
    service();
  } catch (const std::invalid_argument& e) {
    logger.error(e.what());
    return stan::services::error_codes::CONFIG;
  } catch (const std::domain_error& e) {
    logger.error(e.what());
    return stan::services::error_codes::CONFIG;
  } catch (const std::exception& e) {
    logger.error(e.what());
    return stan::services::error_codes::SOFTWARE;
  }
  return stan::services::error_codes::OK;
}

/** There has to be a writer and a starting point for each chain. */
inline void check_callbacks(const sample_settings& s,
                            const chain_contexts& init,
                            const run_callbacks& callbacks) {
  const std::size_t wanted = s.num_chains;
  if (init.size() < wanted || callbacks.init.size() < wanted
      || callbacks.sample.size() < wanted
      || callbacks.diagnostic.size() < wanted) {
    throw std::logic_error(
        "A service was given fewer contexts or writers than num_chains.");
  }
}

}  // namespace stan_dp
#endif
