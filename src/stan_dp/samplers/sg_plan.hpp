#ifndef STAN_DP_SAMPLERS_SG_PLAN_HPP
#define STAN_DP_SAMPLERS_SG_PLAN_HPP

#include <stan_dp/samplers/budget.hpp>
#include <stan_dp/samplers/run_length.hpp>
#include <stan_dp/samplers/sg_noise.hpp>
#include <stan_dp/samplers/step_schedule.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

/** @file
 * Step sizes and noise of the stochastic gradient methods, before the run.
 *
 * Where the number of units is not public (neighbours add or remove one), no
 * number here depends on it: `stepsize=0` is then the largest step that privacy
 * allows, the bound on minibatch noise is left to the user, and a general
 * sentence says so whenever the rate is below one.
 */
namespace stan_dp {

/** A plan for a stochastic gradient method, with what else it decides. */
struct sg_plan {
  stan_dp::plan plan;
  step_schedule steps;
  /** index of the first mechanism */
  std::size_t first_query;
  /** whether every iteration has a mechanism of its own */
  bool query_for_each_step = false;
  /** dp_sghmc: steps between two draws of the momentum */
  int num_leapfrog = 1;
  /** dp_sghmc */
  double friction = 0;
  /** dp_sgnht: where the thermostat starts */
  double thermostat = 0;
  /** dp_sgnht: where it ends */
  double most_friction = 1;
  /** factor on the posterior's variance that noise may bring; 1: none */
  double inflation = 1;
  std::vector<std::string> warnings;

  /** The query of iteration `t` (from 1). */
  std::size_t query(int t) const {
    return first_query + (query_for_each_step ? t - 1 : 0);
  }
};

namespace internal {

inline void warn_of_inflation(sg_plan& p, const char* remedy) {
  if (p.inflation > 1 + 1.001 * sg_tolerance) {
    std::ostringstream text;
    text.precision(3);
    text << "Noise may inflate the variance of the draws by a factor of "
         << p.inflation << ": " << remedy << ".";
    p.warnings.push_back(text.str());
  }
}

inline void warn_of_unknown_units(sg_plan& p, const sg_noise& noise,
                                  const char* bound) {
  if (!noise.units) {
    p.warnings.push_back(
        std::string("The number of units is not public with"
                    " neighbors=add_remove, so the step was not bounded by"
                    " accuracy: with n units expected, ")
        + bound
        + " keeps minibatch noise and discretisation below a tenth each.");
  }
}

inline std::vector<mechanism> sgld_mechanisms(const step_schedule& shape,
                                              const run_length& length,
                                              double rate) {
  if (shape.power == 0) {
    return {{query_kind::gradient, rate, 1,
             length.num_chains * length.iterations()}};
  }
  std::vector<mechanism> mechanisms;
  for (int t = 1; t <= length.iterations(); ++t) {
    mechanisms.push_back({query_kind::gradient, rate,
                          1 / std::sqrt(shape.at(t)), length.num_chains});
  }
  return mechanisms;
}

/** The noise of the step at `t = 1` after the budget was solved. */
inline double solved_noise(const plan& p, std::size_t first) {
  return p.engaged ? p.mechanisms[first].noise : 0;
}

}  // namespace internal

/**
 * dp_sgld: each step's Langevin noise is its privacy noise,
 * `z_t = 2q / (sqrt(eta_t) T C)`.
 *
 * The shape of the schedule fixes the ratios of the `z_t`; the smallest factor
 * that the budget allows gives the largest first step. A smaller step has more
 * noise than the budget asks for and costs less than epsilon. A larger one that
 * the user insists on keeps the noise of the largest: that is more than
 * Langevin's, and is warned of.
 *
 * @param stepsize `a` in `eta_t = a (b + t)^-gamma`, 0 to choose it
 */
inline sg_plan plan_sgld(const budget& b, const run_length& length,
                         const sg_noise& noise, double stepsize,
                         double decay_offset, double decay_power) {
  sg_plan result;
  result.first_query = b.fixed.size();
  const step_schedule shape{1, decay_offset, decay_power};
  result.query_for_each_step = decay_power > 0;
  result.plan
      = plan_within(b, internal::sgld_mechanisms(shape, length, noise.rate));
  double z = internal::solved_noise(result.plan, result.first_query);
  const double allowed = b.engaged ? sgld_private_stepsize(noise, z)
                                   : std::numeric_limits<double>::infinity();
  result.steps = stepsize > 0
                     ? step_schedule{stepsize, decay_offset, decay_power}
                     : shape.starting_at(
                         std::min(allowed, sgld_accurate_stepsize(noise)));
  const double first = result.steps.at(1);
  if (b.engaged && first < allowed) {
    const double factor = std::sqrt(allowed / first);
    for (std::size_t i = result.first_query; i < result.plan.mechanisms.size();
         ++i) {
      result.plan.mechanisms[i].noise *= factor;
    }
    z *= factor;
  }
  result.inflation = sgld_inflation(noise, first, z);
  internal::warn_of_inflation(
      result, "a smaller stepsize, a larger epsilon or rate avoid it");
  internal::warn_of_unknown_units(
      result, noise,
      "stepsize at most 0.4 d / (T n C^2) and 0.4 q d / ((1 - q) T^2 n C^2)");
  return result;
}

/**
 * dp_sghmc: the noise is solved for the budget, the friction makes it the right
 * noise.
 *
 * @param stepsize `a` in `eta_t = a (b + t)^-gamma`, 0 to choose it
 * @param friction 0 to choose it
 */
inline sg_plan plan_sghmc(const budget& b, const run_length& length,
                          const sg_noise& noise, int num_leapfrog,
                          double stepsize, double decay_offset,
                          double decay_power, double friction) {
  sg_plan result;
  result.first_query = b.fixed.size();
  result.plan = plan_within(
      b, {{query_kind::gradient, noise.rate, 1,
           length.num_chains * length.iterations() * num_leapfrog}});
  const double z = internal::solved_noise(result.plan, result.first_query);
  const step_schedule shape{1, decay_offset, decay_power};
  if (stepsize > 0) {
    result.steps = {stepsize, decay_offset, decay_power};
  } else {
    const double largest = sghmc_stepsize(noise, z);
    result.steps = shape.starting_at(
        friction > 0 ? std::min(largest, 0.1 / friction) : largest);
  }
  const double first = result.steps.at(1);
  result.num_leapfrog = num_leapfrog;
  result.friction = friction > 0 ? friction : sghmc_friction(noise, first, z);
  result.inflation
      = sghmc_inflation(noise, first, result.friction, num_leapfrog, z);
  internal::warn_of_inflation(
      result, "a smaller stepsize, more friction or a larger rate avoid it");
  internal::warn_of_unknown_units(
      result, noise,
      "stepsize at most sqrt(0.4 d / (T n C^2)) and friction at least"
      " 5 stepsize (1 - q) T^2 n C^2 / (q d)");
  return result;
}

/**
 * dp_sgnht: the noise is solved for the budget, the thermostat starts where the
 * privacy noise alone would put it, and its friction is bounded.
 *
 * @param stepsize 0 to choose it
 * @throws std::invalid_argument if a step injects more than the thermostat can
 * take out
 */
inline sg_plan plan_sgnht(const budget& b, const run_length& length,
                          const sg_noise& noise, double stepsize) {
  sg_plan result;
  result.first_query = b.fixed.size();
  result.plan = plan_within(b, {{query_kind::gradient, noise.rate, 1,
                                 length.num_chains * length.iterations()}});
  const double z = internal::solved_noise(result.plan, result.first_query);
  const double first = stepsize > 0 ? stepsize : sgnht_stepsize(noise, z);
  result.steps = {first, 0, 0};
  result.thermostat
      = b.engaged ? sgnht_thermostat(noise, first, z) : sgnht_public_thermostat;
  if (result.thermostat > 0.25) {
    std::ostringstream text;
    text << "stepsize is " << first << ", and has to be at most "
         << first * std::sqrt(0.25 / result.thermostat)
         << " for the thermostat to take out the privacy noise.";
    throw std::invalid_argument(text.str());
  }
  result.most_friction = sgnht_most_friction(noise, first, result.thermostat);
  result.inflation = sgnht_inflation(noise, first, result.thermostat);
  internal::warn_of_inflation(result,
                              "a smaller stepsize or a larger rate avoid it");
  internal::warn_of_unknown_units(result, noise,
                                  "stepsize at most sqrt(0.4 d / (T n C^2)) and"
                                  " sqrt(0.1 q d / ((1 - q) T^2 n C^2))");
  return result;
}

}  // namespace stan_dp
#endif
