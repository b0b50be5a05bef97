#ifndef STAN_DP_PRIVACY_PRIVATE_LIKELIHOOD_HPP
#define STAN_DP_PRIVACY_PRIVATE_LIKELIHOOD_HPP

#include <stan_dp/privacy/discrete_gaussian.hpp>
#include <stan_dp/privacy/kept_values.hpp>
#include <stan_dp/privacy/lattice.hpp>
#include <stan_dp/privacy/log_ratio.hpp>
#include <stan_dp/privacy/meter.hpp>
#include <stan_dp/privacy/plan.hpp>
#include <stan_dp/privacy/poisson_sampler.hpp>
#include <stan_dp/privacy/random_bits.hpp>
#include <stan_dp/rows/unit_likelihood.hpp>
#include <Eigen/Core>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace stan_dp {

/** Bounds that make sensitivity finite. */
struct clip_bounds {
  /** norm of a unit's gradient */
  double gradient;
  /** a unit's difference of log likelihoods, per unit of distance */
  double ratio;
};

/**
 * The smallest standard deviation, in lattice steps, for which the argument in
 * `lattice_noise` is made.
 */
constexpr std::uint64_t min_private_sigma = std::uint64_t{1} << 20;

/** Length of the vector that a mechanism releases. */
inline std::size_t query_dimension(const mechanism& m, std::size_t dimension) {
  return m.kind == query_kind::gradient ? dimension : 1;
}

/**
 * Standard deviation of a mechanism's noise, in lattice steps: `ceil(z Delta_1)
 * + 1`, or 0 if z is.
 *
 * The accountants are about the continuous Gaussian. To draw `c ~ N(v, sigma^2
 * - 16)` and to round it by a discrete Gaussian of variance 16 gives the
 * discrete Gaussian at v with variance sigma^2, up to a factor of e^(+-1e-136)
 * in each coordinate. So ours is a post-processed continuous one, of variance
 * `sigma^2 - 16`. The one step added makes that at least `(z Delta_1)^2`: to
 * account with the planned z is right as it stands.
 */
inline std::uint64_t lattice_noise(const mechanism& m, std::size_t dimension) {
  const std::uint64_t sigma = noise_sigma(
      m.noise, lattice_sensitivity(query_dimension(m, dimension)));
  return sigma > 0 ? sigma + 1 : 0;
}

/**
 * Refuses a mechanism for which the privacy argument does not hold.
 *
 * @throws std::invalid_argument
 */
inline void require_provable(const mechanism& m, bool engaged,
                             std::size_t dimension) {
  const auto require = [](bool holds, const char* message) {
    if (!holds) {
      throw std::invalid_argument(message);
    }
  };
  require(m.rate > 0 && m.rate <= 1,
          "A planned sampling rate must be in (0, 1].");
  require(m.kind == query_kind::gradient || m.rate == 1,
          "A planned log ratio must have a sampling rate of 1.");
  require(m.count >= 0, "A planned number of queries must not be negative.");
  require(m.noise >= 0 && std::isfinite(m.noise),
          "A planned noise multiplier must be finite and not negative.");
  require(!engaged || lattice_noise(m, dimension) >= min_private_sigma,
          "A planned noise multiplier is below 0.001, where the proof of"
          " privacy ends: use a smaller epsilon.");
}

/**
 * The privacy boundary: the only object that touches `rows/`, and all that it
 * offers is noisy.
 *
 * One for each chain: it keeps unit values of the last points (raw, inside) and
 * a generator. Chains share the units and the meter, which are thread safe.
 *
 * Privacy. Each answer is a Gaussian mechanism: a sum over units (lattice.hpp:
 * one unit contributes at most Delta_1 lattice steps in norm) plus the
 * discrete Gaussian with `sigma > z Delta_1` in every coordinate, so its noise
 * multiplier is at least the planned z. With a rate below one the sum goes over
 * a Poisson subsample, and an empty one is answered like any other. Scaling
 * back is post-processing. The meter is charged before anything is evaluated;
 * that points, scales and the choice of queries depend on earlier answers is
 * adaptive composition, which the accountants cover. Which points are kept
 * depends on the arguments of the queries alone.
 */
class private_likelihood {
 public:
  /**
   * @param units, meter, bits outlive this
   * @throws std::invalid_argument if a clip bound is not finite and positive or
   * a mechanism of the meter's plan is not provable
   */
  private_likelihood(const unit_likelihood& units, clip_bounds clips,
                     meter& meter, random_bits& bits);
  private_likelihood(const private_likelihood&) = delete;
  private_likelihood& operator=(const private_likelihood&) = delete;

  /** Number of unconstrained parameters. */
  std::size_t dimension() const { return units_.dimension(); }

  /**
   * Clipping, noise and distances live in the coordinates `phi = theta /
   * scales` (`scales` is the square root of Stan's inverse metric). Ones by
   * default.
   *
   * @param scales finite and positive
   */
  void set_scales(const Eigen::VectorXd& scales);

  /**
   * Clipped noisy gradient of the log likelihood with respect to theta, from
   * all units or, if the planned rate is below one, the *sum over a Poisson
   * subsample* (not divided by the rate). Charges mechanism `query`.
   *
   * Where theta is not finite no unit is evaluated: the answer is noise around
   * zero, and is charged.
   *
   * @throws unplanned_query if the plan has no such query left: nothing is
   * evaluated then.
   */
  Eigen::VectorXd gradient(const Eigen::VectorXd& theta, std::size_t query);

  struct noisy_ratio {
    /** R + xi */
    double value;
    /** standard deviation of xi */
    double sd;
  };

  /**
   * `R + xi`: the clipped noisy log likelihood ratio of `to` over `from`, and
   * the standard deviation of xi. Unit values that a full-data `gradient` swept
   * at these very points are used again.
   *
   * If the points are the same the answer is 0, and if `to` is not finite (or
   * so far that the distance is not) it is minus infinity: exact, from the
   * arguments alone. The query is forfeited then: charged like any other.
   *
   * @param from finite
   * @throws unplanned_query if the plan has no such query left
   */
  noisy_ratio log_ratio(const Eigen::VectorXd& from, const Eigen::VectorXd& to,
                        std::size_t query);

  /** Standard deviation of the noise on a gradient, in phi coordinates. */
  double gradient_noise_sd(std::size_t query) const;

 private:
  const mechanism& planned(std::size_t query, query_kind kind) const;
  void require_point(const Eigen::VectorXd& theta) const;
  lattice_clip gradient_clip(const Eigen::VectorXd& scales) const;
  lattice_sum full_gradient(const Eigen::VectorXd& theta);
  lattice_sum sampled_gradient(const Eigen::VectorXd& theta, double rate);
  const std::vector<double>& values_at(const Eigen::VectorXd& theta);
  lattice_sum ratio_sum(const Eigen::VectorXd& from, const Eigen::VectorXd& to,
                        double bound);
  Eigen::VectorXd release(const lattice_sum& sum, const mechanism& m,
                          double bound);

  const unit_likelihood& units_;
  clip_bounds clips_;
  meter& meter_;
  random_bits& bits_;
  Eigen::VectorXd scales_;
  lattice_clip clip_;
  kept_values kept_;
  /** one for each planned rate */
  std::map<double, poisson_sampler> samplers_;
};

namespace internal {

/** The clip bounds, if sensitivity is finite with them. */
inline clip_bounds provable(const clip_bounds& clips) {
  for (const double clip : {clips.gradient, clips.ratio}) {
    if (!(clip > 0 && std::isfinite(clip))) {
      throw std::invalid_argument(
          "clip and ratio_clip must be finite and above zero.");
    }
  }
  return clips;
}

}  // namespace internal

inline private_likelihood::private_likelihood(const unit_likelihood& units,
                                              clip_bounds clips, meter& meter,
                                              random_bits& bits)
    : units_(units),
      clips_(internal::provable(clips)),
      meter_(meter),
      bits_(bits),
      scales_(Eigen::VectorXd::Ones(units.dimension())),
      clip_(gradient_clip(scales_)) {
  const plan& planned = meter.plan();
  for (const mechanism& m : planned.mechanisms) {
    require_provable(m, planned.engaged, units.dimension());
    samplers_.try_emplace(m.rate, m.rate);
  }
}

/** A gradient in phi is one in theta times the scales. */
inline lattice_clip private_likelihood::gradient_clip(
    const Eigen::VectorXd& scales) const {
  return lattice_clip(scales / clips_.gradient);
}

inline void private_likelihood::set_scales(const Eigen::VectorXd& scales) {
  if (static_cast<std::size_t>(scales.size()) != dimension()
      || !scales.allFinite() || !(scales.array() > 0).all()) {
    throw std::invalid_argument(
        "The metric must have a finite and positive element for each"
        " parameter.");
  }
  clip_ = gradient_clip(scales);
  scales_ = scales;
}

inline const mechanism& private_likelihood::planned(std::size_t query,
                                                    query_kind kind) const {
  meter_.require_planned(query);
  const mechanism& m = meter_.plan().mechanisms[query];
  if (m.kind != kind) {
    throw unplanned_query("Query " + std::to_string(query)
                          + " is planned for another kind of answer.");
  }
  return m;
}

inline void private_likelihood::require_point(
    const Eigen::VectorXd& theta) const {
  if (static_cast<std::size_t>(theta.size()) != dimension()) {
    throw std::invalid_argument(
        "The point has the wrong number of parameters.");
  }
}

inline lattice_sum private_likelihood::full_gradient(
    const Eigen::VectorXd& theta) {
  std::vector<double>& values = kept_.renew(
      theta, units_.num_units(), std::numeric_limits<double>::quiet_NaN());
  gradient_sum consumer(clip_, &values);
  units_.sweep(theta, nullptr, true, consumer);
  return consumer.sum();
}

inline lattice_sum private_likelihood::sampled_gradient(
    const Eigen::VectorXd& theta, double rate) {
  const auto batch = samplers_.at(rate)(bits_, units_.num_units());
  gradient_sum consumer(clip_, nullptr);
  units_.sweep(theta, &batch, true, consumer);
  return consumer.sum();
}

/**
 * Adds the noise and scales back: one lattice step is `bound / 2^30`.
 */
inline Eigen::VectorXd private_likelihood::release(const lattice_sum& sum,
                                                   const mechanism& m,
                                                   double bound) {
  const std::uint64_t sigma = lattice_noise(m, dimension());
  Eigen::VectorXd result(sum.dimension());
  bit_stream bits(bits_);
  for (std::size_t j = 0; j < sum.dimension(); ++j) {
    const int128 noise = sigma > 0 ? discrete_gaussian(sigma)(bits) : 0;
    result[j] = static_cast<double>(sum[j] + noise) * (bound / lattice_unit);
  }
  return result;
}

inline Eigen::VectorXd private_likelihood::gradient(
    const Eigen::VectorXd& theta, std::size_t query) {
  const mechanism& m = planned(query, query_kind::gradient);
  require_point(theta);
  meter_.charge(query);
  lattice_sum sum(dimension());
  if (theta.allFinite()) {
    sum = m.rate < 1 ? sampled_gradient(theta, m.rate) : full_gradient(theta);
  }
  return release(sum, m, clips_.gradient).cwiseQuotient(scales_);
}

inline const std::vector<double>& private_likelihood::values_at(
    const Eigen::VectorXd& theta) {
  if (const auto* known = kept_.find(theta)) {
    return *known;
  }
  std::vector<double>& values = kept_.renew(
      theta, units_.num_units(), std::numeric_limits<double>::quiet_NaN());
  unit_values consumer(values);
  units_.sweep(theta, nullptr, false, consumer);
  return values;
}

inline lattice_sum private_likelihood::ratio_sum(const Eigen::VectorXd& from,
                                                 const Eigen::VectorXd& to,
                                                 double bound) {
  // Held before the other is swept, so that a sweep cannot push it out.
  kept_.hold(to, 1);
  kept_.hold(from, 0);
  values_at(from);
  kept_.hold(from, 0);
  values_at(to);
  kept_.hold(to, 1);
  return log_ratio_sum(values_at(from), values_at(to), bound);
}

inline private_likelihood::noisy_ratio private_likelihood::log_ratio(
    const Eigen::VectorXd& from, const Eigen::VectorXd& to, std::size_t query) {
  const mechanism& m = planned(query, query_kind::log_ratio);
  require_point(from);
  require_point(to);
  if (!from.allFinite()) {
    throw std::invalid_argument("A chain must be at a finite point.");
  }
  meter_.charge(query);
  const double distance = (to - from).cwiseQuotient(scales_).stableNorm();
  const double bound = clips_.ratio * distance;
  if (!to.allFinite() || !std::isfinite(bound)) {
    return {-std::numeric_limits<double>::infinity(), 0};
  }
  if (bound == 0) {
    return {0, 0};
  }
  const double sd = static_cast<double>(lattice_noise(m, dimension()))
                    * (bound / lattice_unit);
  return {release(ratio_sum(from, to, bound), m, bound)[0], sd};
}

inline double private_likelihood::gradient_noise_sd(std::size_t query) const {
  const mechanism& m = planned(query, query_kind::gradient);
  return static_cast<double>(lattice_noise(m, dimension()))
         * (clips_.gradient / lattice_unit);
}

}  // namespace stan_dp
#endif
