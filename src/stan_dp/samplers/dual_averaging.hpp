#ifndef STAN_DP_SAMPLERS_DUAL_AVERAGING_HPP
#define STAN_DP_SAMPLERS_DUAL_AVERAGING_HPP

#include <algorithm>
#include <cmath>

namespace stan_dp {

/** The constants of dual averaging, named as in CmdStan's `adapt`. */
struct dual_averaging_options {
  double gamma = 0.05;
  /** target of the acceptance probability */
  double delta = 0.3;
  double kappa = 0.75;
  double t0 = 10;
};

/**
 * Step size from acceptance probabilities by dual averaging (Nesterov 2009;
 * Hoffman and Gelman 2014, section 3.2).
 *
 * It reads the probability that the penalty test released, and nothing else:
 * free post-processing.
 *
 * Steps count in the average as far as they were accepted. Where little noise
 * is in the test, acceptance falls off a cliff at the integrator's limit; the
 * iterates jump from side to side, with a low target mostly beyond it, and a
 * plain average would end there.
 */
class dual_averaging {
 public:
  dual_averaging(dual_averaging_options options, double stepsize)
      : options_(options) {
    restart(stepsize);
  }

  /** Begins anew, drawn towards ten times `stepsize`. */
  void restart(double stepsize) {
    centre_ = std::log(10 * stepsize);
    log_step_ = std::log(stepsize);
    log_average_ = log_step_;
    error_ = 0;
    count_ = 0;
  }

  /** Takes an acceptance probability, gives the step to use next. */
  double learn(double probability) {
    ++count_;
    const double accepted = std::min(1.0, probability);
    const double share = std::pow(count_, -options_.kappa)
                         * std::min(1.0, accepted / options_.delta);
    log_average_ += share * (log_step_ - log_average_);
    error_ += (options_.delta - accepted - error_) / (count_ + options_.t0);
    log_step_ = centre_ - error_ * std::sqrt(count_) / options_.gamma;
    return std::exp(log_step_);
  }

  /** The averaged step, for the iterations after warm-up. */
  double average() const { return std::exp(log_average_); }

 private:
  dual_averaging_options options_;
  double centre_ = 0;
  double log_step_ = 0;
  double log_average_ = 0;
  double error_ = 0;
  double count_ = 0;
};

}  // namespace stan_dp
#endif
