#ifndef STAN_DP_PRIVACY_KEPT_VALUES_HPP
#define STAN_DP_PRIVACY_KEPT_VALUES_HPP

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

namespace stan_dp {

/**
 * Raw unit values at a few points, so that an acceptance test needs no sweep of
 * its own: never leaves `privacy/`.
 *
 * Two points are held: those of the last acceptance test, one of which is where
 * the chain is now, whatever the trajectory after it visits. A third place is
 * for the last point swept. Before the first test the first point swept is
 * held, because a chain begins there.
 */
class kept_values {
 public:
  /** The values at `theta`, or null. */
  const std::vector<double>* find(const Eigen::VectorXd& theta) const {
    for (const slot& s : slots_) {
      if (same(s, theta)) {
        return &s.values;
      }
    }
    return nullptr;
  }

  /**
   * A place for `count` values at `theta`, to be filled by the caller; what was
   * at the last point swept is gone.
   */
  std::vector<double>& renew(const Eigen::VectorXd& theta, std::size_t count,
                             double fill) {
    slot& s = place_for(theta);
    s.theta = theta;
    s.used = true;
    s.values.assign(count, fill);
    return s.values;
  }

  /**
   * Holds the values at `theta`, if they are here, in one of the two places
   * that `renew` spares.
   *
   * @param place 0 or 1
   */
  void hold(const Eigen::VectorXd& theta, std::size_t place) {
    for (slot& s : slots_) {
      if (same(s, theta)) {
        std::swap(s, slots_[place]);
        return;
      }
    }
  }

 private:
  struct slot {
    bool used = false;
    Eigen::VectorXd theta;
    std::vector<double> values;
  };

  /** To the bit: 0 and -0 are different points. */
  static bool same(const slot& s, const Eigen::VectorXd& theta) {
    return s.used && s.theta.size() == theta.size()
           && std::memcmp(s.theta.data(), theta.data(),
                          sizeof(double) * theta.size())
                  == 0;
  }

  slot& place_for(const Eigen::VectorXd& theta) {
    for (slot& s : slots_) {
      if (same(s, theta)) {
        return s;
      }
    }
    return slots_[0].used ? slots_[2] : slots_[0];
  }

  std::array<slot, 3> slots_;
};

}  // namespace stan_dp
#endif
