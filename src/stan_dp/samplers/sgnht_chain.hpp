#ifndef STAN_DP_SAMPLERS_SGNHT_CHAIN_HPP
#define STAN_DP_SAMPLERS_SGNHT_CHAIN_HPP

#include <stan_dp/samplers/dp_sgnht.hpp>
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
        query_{plan.first_query, rate},
        kernel_(posterior, bits, stepsize_, plan.thermostat,
                plan.most_friction),
        state_(kernel_.start(theta)) {}

  void warm_up() { sample(); }
  void finish_warm_up() {}
  void sample() {
    auto next = kernel_.transition(state_, query_);
    state_ = std::move(next.first);
    info_ = next.second;
    lost_ += info_.moved ? 0 : 1;
  }

  const Eigen::VectorXd& theta() const { return state_.theta; }
  double log_prior() const { return state_.log_prior; }
  double stepsize() const { return stepsize_; }
  Eigen::VectorXd inverse_metric() const {
    return Eigen::VectorXd::Ones(state_.theta.size());
  }

  /** How many steps led nowhere: the chain stayed where it was. */
  int lost() const { return lost_; }

  /** Columns between `lp__` and the parameters. */
  static std::vector<std::string> names() {
    return {"accept_stat__", "stepsize__", "thermostat__", "energy__"};
  }
  std::vector<double> values() const {
    return {info_.moved ? 1.0 : 0.0, stepsize_, state_.thermostat,
            info_.energy};
  }

 private:
  double stepsize_;
  subsample_query query_;
  dp_sgnht kernel_;
  dp_sgnht::state state_;
  dp_sgnht::info info_{};
  int lost_ = 0;
};

}  // namespace stan_dp
#endif
