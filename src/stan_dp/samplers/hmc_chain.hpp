#ifndef STAN_DP_SAMPLERS_HMC_CHAIN_HPP
#define STAN_DP_SAMPLERS_HMC_CHAIN_HPP

#include <stan_dp/samplers/adapted_chain.hpp>
#include <stan_dp/samplers/dp_hmc.hpp>
#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

namespace stan_dp {

/** A chain of dp_hmc with its warm-up, as a service runs it. */
class hmc_chain {
 public:
  hmc_chain(noisy_posterior& posterior, random_bits& bits,
            dp_hmc_options options, double stepsize, diagonal_metric metric,
            adaptation_options adaptation, const Eigen::VectorXd& theta)
      : num_leapfrog_(options.num_leapfrog),
        chain_(dp_hmc(posterior, bits, options, stepsize, std::move(metric)),
               std::move(adaptation), theta) {}

  void warm_up() { chain_.warm_up(); }
  void finish_warm_up() { chain_.finish_warm_up(); }
  void sample() { chain_.sample(); }

  const Eigen::VectorXd& theta() const { return chain_.current().theta; }
  double log_prior() const { return chain_.current().log_prior; }
  double stepsize() const { return chain_.kernel().stepsize(); }
  Eigen::VectorXd inverse_metric() const {
    return chain_.kernel().metric().inverse();
  }

  /** None: a proposal that leads nowhere is rejected like any other. */
  std::string complaint() const { return ""; }

  /** Columns between `lp__` and the parameters. */
  static std::vector<std::string> names() {
    return {"accept_stat__", "stepsize__", "n_leapfrog__", "energy__"};
  }
  std::vector<double> values() const {
    const dp_hmc::info& last = chain_.last();
    return {last.accept_probability, last.stepsize,
            static_cast<double>(num_leapfrog_), last.energy};
  }

 private:
  int num_leapfrog_;
  adapted_chain<dp_hmc> chain_;
};

}  // namespace stan_dp
#endif
