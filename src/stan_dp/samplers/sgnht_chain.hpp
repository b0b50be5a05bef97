#ifndef STAN_DP_SAMPLERS_SGNHT_CHAIN_HPP
#define STAN_DP_SAMPLERS_SGNHT_CHAIN_HPP

#include <stan_dp/samplers/dp_sgnht.hpp>
#include <stan_dp/samplers/lost_steps.hpp>
#include <stan_dp/samplers/sg_plan.hpp>
#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

namespace stan_dp {

/** A chain of dp_sgnht, as a service runs it. */
class sgnht_chain {
 public:
  sgnht_chain(noisy_posterior& posterior, random_bits& bits,
              const sg_plan& plan, double rate, const Eigen::VectorXd& theta)
      : stepsize_(plan.steps.at(1)),
        most_friction_(plan.most_friction),
        query_{plan.first_query, rate},
        kernel_(posterior, bits, stepsize_, plan.thermostat,
                plan.most_friction),
        state_(kernel_.start(theta)) {}

  void warm_up() { move(); }
  void finish_warm_up() {}
  void sample() {
    move();
    ++draws_;
    draws_at_bound_ += state_.thermostat >= most_friction_ ? 1 : 0;
  }

  const Eigen::VectorXd& theta() const { return state_.theta; }
  double log_prior() const { return state_.log_prior; }
  double stepsize() const { return stepsize_; }
  Eigen::VectorXd inverse_metric() const {
    return Eigen::VectorXd::Ones(state_.theta.size());
  }

  /** What is wrong with the draws, after a run; empty if nothing is. */
  std::string complaint() const {
    const std::string lost = lost_.complaint("stepsize");
    // in equilibrium a bound that noise does not ask for is never met
    if (!lost.empty() || draws_at_bound_ <= draws_ / 10) {
      return lost;
    }
    return "had its largest friction in " + std::to_string(draws_at_bound_)
           + " of " + std::to_string(draws_)
           + " iterations after warm-up: either it was still on its way from"
             " where it started, and needs a larger num_warmup, or its draws"
             " are too wide, and it needs a smaller stepsize.";
  }

  /** Columns between `lp__` and the parameters. */
  static std::vector<std::string> names() {
    return {"accept_stat__", "stepsize__", "thermostat__", "energy__"};
  }
  std::vector<double> values() const {
    return {info_.moved ? 1.0 : 0.0, stepsize_, state_.thermostat,
            info_.energy};
  }

 private:
  void move() {
    auto next = kernel_.transition(state_, query_);
    state_ = std::move(next.first);
    info_ = next.second;
    lost_.count(info_.moved);
  }

  double stepsize_;
  double most_friction_;
  subsample_query query_;
  dp_sgnht kernel_;
  dp_sgnht::state state_;
  dp_sgnht::info info_{};
  lost_steps lost_;
  int draws_ = 0;
  int draws_at_bound_ = 0;
};

}  // namespace stan_dp
#endif
