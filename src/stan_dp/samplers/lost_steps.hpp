#ifndef STAN_DP_SAMPLERS_LOST_STEPS_HPP
#define STAN_DP_SAMPLERS_LOST_STEPS_HPP

#include <string>

namespace stan_dp {

/**
 * Counts the steps of a method without a Metropolis test that led nowhere: out
 * of the range of numbers, or of the prior. The method stays where it was and
 * goes on, as its plan has it.
 *
 * What did not move shows in the draws: to say so releases nothing new.
 */
class lost_steps {
 public:
  void count(bool moved) {
    ++steps_;
    lost_ += moved ? 0 : 1;
  }

  /**
   * The rest of a sentence that begins with who took the steps; empty if none
   * was lost.
   *
   * @param option what to make smaller
   */
  std::string complaint(const std::string& option) const {
    if (lost_ == 0) {
      return "";
    }
    return "stayed where it was in " + std::to_string(lost_) + " of "
           + std::to_string(steps_)
           + " iterations, because the step led out of the range of numbers or"
             " of the prior: do not trust the draws, and give a smaller "
           + option + ".";
  }

 private:
  int steps_ = 0;
  int lost_ = 0;
};

}  // namespace stan_dp
#endif
