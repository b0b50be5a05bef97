#ifndef STAN_DP_SAMPLERS_WARM_START_HPP
#define STAN_DP_SAMPLERS_WARM_START_HPP

#include <stan_dp/samplers/diagonal_metric.hpp>
#include <stan_dp/samplers/dpvi.hpp>
#include <stan_dp/samplers/metric_adaptation.hpp>
#include <Eigen/Core>
#include <cstddef>

namespace stan_dp {

/** What a chain gets from a warm start; released already, free to use. */
struct warm_start_result {
  /** where the chains start */
  Eigen::VectorXd mean;
  /** standard deviations of the approximation */
  Eigen::VectorXd scales;

  /** Their ratios: the overall size is for the step size to learn. */
  diagonal_metric metric() const { return ratio_metric(scales.cwiseAbs2()); }
};

/** A short mean-field run: it has to find the posterior, not to describe it. */
struct warm_start {
  static constexpr double rate = 0.05;

  static dpvi_options options() {
    return {1000, 1, 500, optimizer_kind::adam, dpvi_eta};
  }

  /** Its queries, one run for all chains; the noise is for the plan to solve.
   */
  static mechanism planned() { return dpvi_mechanism(options(), rate); }

  /**
   * @param init finite
   * @param query index of `planned` in the plan
   */
  static warm_start_result run(noisy_posterior& posterior, random_bits& bits,
                               const Eigen::VectorXd& init, std::size_t query) {
    dpvi approximation(posterior, bits, options(), {query, rate},
                       {variational_kind::mean_field, init, dpvi_first_scale});
    for (int i = 0; i < options().iter; ++i) {
      approximation.step();
    }
    const variational_family found = approximation.result();
    return {found.mean(), found.scales()};
  }
};

}  // namespace stan_dp
#endif
