#ifndef STAN_DP_SAMPLERS_PENALTY_CHAIN_HPP
#define STAN_DP_SAMPLERS_PENALTY_CHAIN_HPP

#include <stan_dp/samplers/adapted_chain.hpp>
#include <stan_dp/samplers/dp_penalty.hpp>
#include <Eigen/Core>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace stan_dp {

/** A chain of dp_penalty with its warm-up, as a service runs it. */
class penalty_chain {
 public:
  penalty_chain(noisy_posterior& posterior, random_bits& bits,
                dp_penalty_options options, double scale,
                diagonal_metric metric, adaptation_options adaptation,
                const Eigen::VectorXd& theta)
      : fitted_(options.proposal == proposal_kind::fitted),
        chain_(dp_penalty(posterior, bits, std::move(options), scale,
                          std::move(metric)),
               std::move(adaptation), theta),
        used_(scale) {}

  void warm_up() {
    used_ = stepsize();
    chain_.warm_up();
  }
  void finish_warm_up() { chain_.finish_warm_up(); }
  void sample() {
    used_ = stepsize();
    chain_.sample();
    if (fitted_) {
      renewals_ += chain_.last().accept_probability * fitted_renewal(used_);
    }
  }

  const Eigen::VectorXd& theta() const { return chain_.current().theta; }
  double log_prior() const { return chain_.current().log_prior; }
  double stepsize() const { return chain_.kernel().stepsize(); }
  Eigen::VectorXd inverse_metric() const {
    return chain_.kernel().metric().inverse();
  }

  /**
   * Says after a run, from what was released, that its draws are few in fact.
   * Of a random walk it cannot be said: nobody knows how far it has to go.
   */
  std::string complaint() const {
    constexpr double fewest = 20;
    if (!fitted_ || renewals_ >= fewest) {
      return "";
    }
    std::ostringstream text;
    text.precision(2);
    text << "is worth about " << renewals_
         << " independent draws: its spread is not the posterior's. A larger"
            " epsilon or more units help; dp_fullrank shows the fit itself.";
    return text.str();
  }

  /** Columns between `lp__` and the parameters. */
  static std::vector<std::string> names() {
    return {"accept_stat__", "stepsize__"};
  }
  std::vector<double> values() const {
    return {chain_.last().accept_probability, used_};
  }

 private:
  bool fitted_;
  adapted_chain<dp_penalty> chain_;
  /** the scale of the last transition */
  double used_;
  /** how often the chain has forgotten where it was, around a fit */
  double renewals_ = 0;
};

}  // namespace stan_dp
#endif
