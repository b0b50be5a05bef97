#ifndef STAN_DP_SAMPLERS_HMC_PLAN_HPP
#define STAN_DP_SAMPLERS_HMC_PLAN_HPP

#include <stan_dp/samplers/budget.hpp>
#include <stan_dp/samplers/run_length.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace stan_dp {

/** A plan for dp_hmc or dp_penalty and the indices of its queries. */
struct hmc_plan {
  stan_dp::plan plan;
  /** dp_hmc */
  std::size_t gradient_query;
  std::size_t ratio_query;
};

/**
 * `k L + 1` gradients and `k` ratios a chain, and a gradient more at each
 * change of the metric.
 *
 * A Gaussian query costs `m^2 / (2 z^2)`, and costs add up. So `z^2` in
 * proportion to the number of queries over the share gives `ratio_share` of the
 * cost to the ratios; the common factor is solved for the budget.
 */
inline hmc_plan plan_hmc(const budget& b, const run_length& length,
                         int num_leapfrog, std::size_t metric_changes,
                         double ratio_share) {
  const std::int64_t ratios = length.num_chains * length.iterations();
  const std::int64_t gradients
      = length.num_chains
        * (length.iterations() * num_leapfrog + 1
           + static_cast<std::int64_t>(metric_changes));
  const std::size_t first = b.fixed.size();
  return {plan_within(b, {{query_kind::gradient, 1,
                           std::sqrt(gradients / (1 - ratio_share)), gradients},
                          {query_kind::log_ratio, 1,
                           std::sqrt(ratios / ratio_share), ratios}}),
          first, first + 1};
}

/** dp_penalty: one ratio an iteration, and no gradient. */
inline hmc_plan plan_penalty(const budget& b, const run_length& length) {
  return {plan_within(b, {{query_kind::log_ratio, 1, 1,
                           length.num_chains * length.iterations()}}),
          b.fixed.size(), b.fixed.size()};
}

/**
 * How far, in posterior standard deviations, ratio noise lets a chain diffuse
 * in a whole run: at most about this.
 *
 * A test accepts with a fair chance while its noise `T z b |move|` is below 2,
 * so a run of k tests wanders `2 sqrt(k) / (T z b)`. Through the clip the
 * information of n units is at most `T n b^2 / d` a coordinate, with a prior of
 * unit scale one more, and the posterior is at least as wide as that says.
 */
inline double penalty_reach(double noise, double tempering, double ratio_clip,
                            const run_length& length, double units,
                            std::size_t dimension) {
  const double distance
      = 2 * std::sqrt(length.iterations()) / (tempering * noise * ratio_clip);
  const double information
      = 1 + tempering * units * ratio_clip * ratio_clip / dimension;
  return distance * std::sqrt(information);
}

/** A chain that reaches less than this has not seen the posterior. */
constexpr double least_reach = 3;

/** What to say of a chain's reach; empty if it will do. */
inline std::vector<std::string> reach_warnings(double reach) {
  if (reach >= least_reach) {
    return {};
  }
  std::ostringstream text;
  text.precision(2);
  text << "With this budget a chain diffuses over about " << reach
       << " posterior standard deviations in the whole run, so its draws will"
          " still show where it started: a larger epsilon, more units, fewer"
          " chains or a warm start help.";
  return {text.str()};
}

}  // namespace stan_dp
#endif
