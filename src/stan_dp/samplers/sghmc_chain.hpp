#ifndef STAN_DP_SAMPLERS_SGHMC_CHAIN_HPP
#define STAN_DP_SAMPLERS_SGHMC_CHAIN_HPP

#include <stan_dp/samplers/dp_sghmc.hpp>
#include <stan_dp/samplers/lost_steps.hpp>
#include <stan_dp/samplers/sg_plan.hpp>
#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

namespace stan_dp {

/** A chain of dp_sghmc with its schedule, as a service runs it. */
class sghmc_chain {
 public:
  /** @param plan outlives this */
  sghmc_chain(noisy_posterior& posterior, random_bits& bits,
              const sg_plan& plan, double rate, const Eigen::VectorXd& theta)
      : plan_(plan),
        rate_(rate),
        kernel_(posterior, bits, plan.num_leapfrog, plan.friction),
        state_(kernel_.start(theta)) {}

  void warm_up() { sample(); }
  void finish_warm_up() {}
  void sample() {
    ++iteration_;
    auto next = kernel_.transition(state_, stepsize(),
                                   {plan_.query(iteration_), rate_});
    state_ = std::move(next.first);
    info_ = next.second;
    lost_.count(info_.moved);
  }

  const Eigen::VectorXd& theta() const { return state_.theta; }
  double log_prior() const { return state_.log_prior; }
  double stepsize() const { return plan_.steps.at(iteration_); }
  Eigen::VectorXd inverse_metric() const {
    return Eigen::VectorXd::Ones(state_.theta.size());
  }

  /** What is wrong with the draws, after a run; empty if nothing is. */
  std::string complaint() const { return lost_.complaint("stepsize"); }

  /** Columns between `lp__` and the parameters. */
  static std::vector<std::string> names() {
    return {"accept_stat__", "stepsize__", "n_leapfrog__", "energy__"};
  }
  std::vector<double> values() const {
    return {info_.moved ? 1.0 : 0.0, stepsize(),
            static_cast<double>(plan_.num_leapfrog), info_.energy};
  }

 private:
  const sg_plan& plan_;
  double rate_;
  dp_sghmc kernel_;
  dp_sghmc::state state_;
  dp_sghmc::info info_{};
  int iteration_ = 0;
  lost_steps lost_;
};

}  // namespace stan_dp
#endif
