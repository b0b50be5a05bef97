#ifndef STAN_DP_PRIVACY_PRIVATE_LIKELIHOOD_HPP
#define STAN_DP_PRIVACY_PRIVATE_LIKELIHOOD_HPP

#include <stan_dp/privacy/meter.hpp>
#include <stan_dp/privacy/plan.hpp>
#include <stan_dp/privacy/random_bits.hpp>
#include <stan_dp/rows/unit_likelihood.hpp>
#include <Eigen/Core>

namespace stan_dp {

/** Bounds that make sensitivity finite. */
struct clip_bounds {
  /** norm of a unit's gradient */
  double gradient;
  /** a unit's difference of log likelihoods, per unit of distance */
  double ratio;
};

/**
 * The privacy boundary: the only object that touches `rows/`, and all that it
 * offers is noisy.
 *
 * One for each chain: it keeps unit values of the last points (raw, inside) and
 * a generator. Chains share the units and the meter, which are thread safe.
 */
class private_likelihood {
 public:
  private_likelihood(const unit_likelihood& units, clip_bounds clips,
                     meter& meter, random_bits& bits);

  std::size_t dimension() const;

  /**
   * Clipping, noise and distances live in the coordinates `phi = theta / scales`
   * (`scales` is the square root of Stan's inverse metric). Ones by default.
   */
  void set_scales(const Eigen::VectorXd& scales);

  /**
   * Clipped noisy gradient of the log likelihood with respect to theta, from
   * all units or, if the planned rate is below one, the *sum over a Poisson
   * subsample* (not divided by the rate). Charges mechanism `query`.
   *
   * @throws unplanned_query if the plan has no such query left: nothing is
   * evaluated then.
   */
  Eigen::VectorXd gradient(const Eigen::VectorXd& theta, std::size_t query);

  /**
   * `R + xi`: the clipped noisy log likelihood ratio of `to` over `from`, and
   * the standard deviation of xi. Unit values that a full-data `gradient` swept at these very
   * points are used again.
   */
  struct noisy_ratio { double value; double sd; };
  noisy_ratio log_ratio(const Eigen::VectorXd& from, const Eigen::VectorXd& to,
                        std::size_t query);

  /** Standard deviation of the noise on a gradient, in phi coordinates. */
  double gradient_noise_sd(std::size_t query) const;
};

}  // namespace stan_dp
#endif
