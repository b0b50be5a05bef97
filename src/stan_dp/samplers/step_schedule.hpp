#ifndef STAN_DP_SAMPLERS_STEP_SCHEDULE_HPP
#define STAN_DP_SAMPLERS_STEP_SCHEDULE_HPP

#include <cmath>

namespace stan_dp {

/** `eta_t = scale (offset + t)^-power`, `t = 1, 2, ...` */
struct step_schedule {
  double scale;
  double offset;
  /** 0: constant steps */
  double power;

  double at(int t) const {
    return power == 0 ? scale : scale * std::pow(offset + t, -power);
  }

  /** The schedule of the same shape whose first, and largest, step this is. */
  step_schedule starting_at(double first) const {
    return {scale * (first / at(1)), offset, power};
  }
};

}  // namespace stan_dp
#endif
