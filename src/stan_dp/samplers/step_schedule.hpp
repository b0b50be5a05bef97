#ifndef STAN_DP_SAMPLERS_STEP_SCHEDULE_HPP
#define STAN_DP_SAMPLERS_STEP_SCHEDULE_HPP

#include <cmath>

namespace stan_dp {

/** `eta_t = first ((offset + 1) / (offset + t))^power`, `t = 1, 2, ...` */
struct step_schedule {
  /** the largest step, at `t = 1` */
  double first;
  double offset;
  /** 0: constant steps */
  double power;

  double at(int t) const {
    return power == 0 ? first
                      : first * std::pow((offset + 1) / (offset + t), power);
  }
};

}  // namespace stan_dp
#endif
