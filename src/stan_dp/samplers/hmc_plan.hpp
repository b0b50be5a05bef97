#ifndef STAN_DP_SAMPLERS_HMC_PLAN_HPP
#define STAN_DP_SAMPLERS_HMC_PLAN_HPP

#include <stan_dp/samplers/budget.hpp>
#include <stan_dp/samplers/run_length.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace stan_dp {

/** A plan for dp_hmc and the indices of its queries. */
struct hmc_plan {
  stan_dp::plan plan;
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

/** dp_penalty: one ratio an iteration; the index of the query is that of the
 * first mechanism after the budget's fixed ones. */
inline plan plan_penalty(const budget& b, const run_length& length) {
  return plan_within(b, {{query_kind::log_ratio, 1, 1,
                          length.num_chains * length.iterations()}});
}

}  // namespace stan_dp
#endif
