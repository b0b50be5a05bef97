#ifndef STAN_DP_SAMPLERS_ITERATE_AVERAGE_HPP
#define STAN_DP_SAMPLERS_ITERATE_AVERAGE_HPP

#include <Eigen/Core>

namespace stan_dp {

/**
 * The average of the last iterates of a run of known length (Polyak and
 * Juditsky 1992): what the noise of single steps does to them averages out.
 */
class iterate_average {
 public:
  /** @param length iterates of the run @param last how many are averaged */
  iterate_average(int length, int last) : skipped_(length - last) {}

  void add(const Eigen::VectorXd& iterate) {
    if (seen_++ < skipped_) {
      return;
    }
    const double count = seen_ - skipped_;
    mean_ = count == 1 ? iterate
                       : Eigen::VectorXd(mean_ + (iterate - mean_) / count);
  }

  /** Empty before the first iterate that counts. */
  const Eigen::VectorXd& mean() const { return mean_; }

 private:
  int skipped_;
  int seen_ = 0;
  Eigen::VectorXd mean_;
};

}  // namespace stan_dp
#endif
