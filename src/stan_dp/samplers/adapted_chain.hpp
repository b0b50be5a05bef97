#ifndef STAN_DP_SAMPLERS_ADAPTED_CHAIN_HPP
#define STAN_DP_SAMPLERS_ADAPTED_CHAIN_HPP

#include <stan_dp/samplers/adaptation_windows.hpp>
#include <stan_dp/samplers/dual_averaging.hpp>
#include <stan_dp/samplers/metric_adaptation.hpp>
#include <Eigen/Core>
#include <cmath>
#include <utility>

namespace stan_dp {

/** How warm-up tunes a chain. */
struct adaptation_options {
  /** false: step size and metric stay as they were given */
  bool engaged = true;
  dual_averaging_options stepsize;
  /** when the metric is learned; none for a metric that stays */
  adaptation_windows windows;
};

/**
 * A chain of a Metropolis kernel (`dp_hmc`, `dp_penalty`) and its warm-up: the
 * step size by dual averaging, the metric from the draws of each window.
 *
 * Both read what the kernel has released, and nothing else. How often the
 * metric changes is fixed by the windows, so the plan knows the queries that
 * this costs.
 */
template <class Kernel>
class adapted_chain {
 public:
  using state = typename Kernel::state;
  using info = typename Kernel::info;

  adapted_chain(Kernel kernel, adaptation_options options,
                const Eigen::VectorXd& theta)
      : kernel_(std::move(kernel)),
        options_(std::move(options)),
        stepsize_(options_.stepsize, kernel_.stepsize()),
        metric_(theta.size()),
        state_(kernel_.start(theta)) {}

  const state& current() const { return state_; }
  const info& last() const { return info_; }
  const Kernel& kernel() const { return kernel_; }

  /** One transition, and what warm-up learns from it. */
  void warm_up() {
    sample();
    if (!options_.engaged) {
      return;
    }
    learn_stepsize();
    if (options_.windows.contains(iteration_)) {
      metric_.add(state_.theta);
    }
    if (options_.windows.ends_at(iteration_)) {
      state_ = kernel_.set_metric(metric_.finish(kernel_.metric()), state_);
      stepsize_.restart(kernel_.stepsize());
    }
    ++iteration_;
  }

  /** Ends warm-up: the step size becomes the average of what was learned. */
  void finish_warm_up() {
    if (options_.engaged && iteration_ > 0) {
      kernel_.set_stepsize(usable(stepsize_.average()));
    }
  }

  /** One transition. */
  void sample() {
    auto next = kernel_.transition(state_);
    state_ = std::move(next.first);
    info_ = next.second;
  }

 private:
  void learn_stepsize() {
    kernel_.set_stepsize(usable(stepsize_.learn(info_.accept_probability)));
  }

  /** Keeps the last step where the new one left the range of numbers. */
  double usable(double stepsize) const {
    return std::isnormal(stepsize) ? stepsize : kernel_.stepsize();
  }

  Kernel kernel_;
  adaptation_options options_;
  dual_averaging stepsize_;
  metric_adaptation metric_;
  state state_;
  info info_{};
  int iteration_ = 0;
};

}  // namespace stan_dp
#endif
