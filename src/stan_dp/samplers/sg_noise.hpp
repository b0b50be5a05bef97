#ifndef STAN_DP_SAMPLERS_SG_NOISE_HPP
#define STAN_DP_SAMPLERS_SG_NOISE_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace stan_dp {

/**
 * The noise of a stochastic gradient, a coordinate: from privacy, and from the
 * subsample. Both are variances of `(T/q) sum`, the estimate of the gradient of
 * the log likelihood.
 */
struct sg_noise {
  /** sampling rate `q` */
  double rate;
  /** `T` */
  double tempering;
  /** `C` */
  double clip;
  std::size_t dimension;
  /**
   * Number of units `n`, where it is public. Where it is not, nothing here
   * depends on it: then only privacy bounds a step.
   */
  std::optional<double> units;

  /** `(z T C / q)^2`, for the noise multiplier `z` */
  double privacy(double z) const {
    const double sd = z * tempering * clip / rate;
    return sd * sd;
  }

  /**
   * `(T/q)^2 q (1 - q) n C^2 / d`: what a Poisson subsample adds when every
   * gradient has the norm `C` and no direction is preferred.
   */
  double minibatch() const {
    return tempering * tempering * (1 - rate) / rate * gradient_squares();
  }

  /**
   * `1 + T n C^2 / d`: the Fisher information a coordinate, bounded through the
   * clip in the same way, and a prior of unit scale.
   */
  double curvature() const { return 1 + tempering * gradient_squares(); }

 private:
  double gradient_squares() const {
    return units.value_or(0) * clip * clip / dimension;
  }
};

/** Minibatch noise and discretisation may each add this part of the variance.
 */
constexpr double sg_tolerance = 0.1;

/** dp_sgld: the largest step whose Langevin noise has multiplier `z`. */
inline double sgld_private_stepsize(const sg_noise& noise, double z) {
  return 4 / noise.privacy(z);
}

/**
 * dp_sgld: the largest step for which minibatch noise and the error of
 * discretisation (`eta h / 4` of the variance at curvature `h`) stay within the
 * tolerance.
 */
inline double sgld_accurate_stepsize(const sg_noise& noise) {
  return 4 * sg_tolerance / std::max(noise.minibatch(), noise.curvature());
}

/** dp_sgld: factor by which the posterior's variance may be inflated. */
inline double sgld_inflation(const sg_noise& noise, double stepsize, double z) {
  return std::max(1.0, stepsize * noise.privacy(z) / 4)
         + stepsize * noise.minibatch() / 4;
}

/** dp_sghmc: the smallest friction that makes privacy noise the right noise. */
inline double sghmc_min_friction(const sg_noise& noise, double stepsize,
                                 double z) {
  return 0.5 * stepsize * noise.privacy(z);
}

/**
 * dp_sghmc: ten times the smallest friction, or as much as keeps minibatch
 * noise within the tolerance; not above what the integrator bears.
 */
inline double sghmc_friction(const sg_noise& noise, double stepsize, double z) {
  const double wanted = 0.5 / sg_tolerance * stepsize
                        * std::max(noise.privacy(z), noise.minibatch());
  return std::min(std::max(wanted, 1.0), 0.5 / stepsize);
}

/**
 * dp_sghmc: the largest step for which that friction is `eta F <= 0.1` and the
 * error of discretisation (`eta^2 h / 4` of the variance) within the tolerance.
 */
inline double sghmc_stepsize(const sg_noise& noise, double z) {
  const double injected = std::max(noise.privacy(z), noise.minibatch());
  const double by_noise = std::sqrt(0.2 * sg_tolerance / injected);
  const double by_curvature = std::sqrt(4 * sg_tolerance / noise.curvature());
  return std::min({by_noise, by_curvature, 0.1});
}

/**
 * dp_sghmc: temperature of the draws, which is the factor on the posterior's
 * variance, for steps that are small beside the posterior.
 *
 * Over a trajectory of J steps the position moves by `a p_0 + sum_k b_k n_k + m
 * f`: fresh momentum, injected noises of variance s_k^2 and a constant force.
 * Langevin dynamics of temperature `(a^2 + sum b_k^2 s_k^2) / (2 m)`.
 */
inline double sghmc_inflation(const sg_noise& noise, double stepsize,
                              double friction, int num_leapfrog, double z) {
  const double kept = 1 - stepsize * friction;
  double momentum = 0;
  double noises = 0;
  double force = 0;
  // from the last step to the first: what a unit of momentum, just after that
  // step's kick, adds to the position
  double reach = 0;
  for (int step = num_leapfrog; step-- > 0;) {
    reach = stepsize + kept * reach;
    const double kick = step == 0 ? 0.5 * stepsize : stepsize;
    const double variance
        = std::max(2 * friction * kick, kick * kick * noise.privacy(z))
          + kick * kick * noise.minibatch();
    noises += reach * reach * variance;
    force += reach * kick;
    momentum = (1 - kick * friction) * reach;
  }
  return (momentum * momentum + noises) / (2 * force);
}

/** dp_sgnht: where the thermostat starts: half of the noise's variance. */
inline double sgnht_thermostat(const sg_noise& noise, double stepsize,
                               double z) {
  return 0.5 * stepsize * stepsize * noise.privacy(z);
}

/** dp_sgnht: the thermostat of a run that has no privacy noise. */
constexpr double sgnht_public_thermostat = 0.05;

/** dp_sgnht: gain of the thermostat. The textbook's `eta^2` is far too slow. */
constexpr double sgnht_gain = 1e-3;

/**
 * dp_sgnht: where the thermostat settles at most: half the variance of all
 * noise. The trace of minibatch noise is bounded by the clip whatever direction
 * it prefers, and the thermostat looks at the trace.
 */
inline double sgnht_settled(const sg_noise& noise, double stepsize,
                            double thermostat) {
  return thermostat + 0.5 * stepsize * stepsize * noise.minibatch();
}

/**
 * dp_sgnht: the most friction `a` that the thermostat may ask for.
 *
 * Langevin's friction is fixed by the plan; this one is fed by the kinetic
 * energy, and that is why a step which is safe for dp_sghmc is not safe here.
 * Friction takes out `a p'p` a step and `a` grows by `kappa p'p / d`: what the
 * chain falls on its way from the start, `E`, winds the thermostat up to
 * `a = sqrt(2 kappa E / d)`, whatever the step. With all units clipped, `E` is
 * `T n C` times the way. Above `a = 1` a step gives back momentum with the
 * other sign, above 2 more than there was: the energy then feeds itself, and
 * the chain leaves the range of numbers within a few steps. The force `F = T n
 * C` holds `a` near `eta F / sqrt(d)`, which at the step below is
 * `sqrt(0.1 q n / (1 - q))` for any clip and dimension: above 2 for batches of
 * more than 40 units. A smaller step would cure that (`eta < sqrt(d) / F`) at
 * the price of a chain that moves `sqrt(0.1 q n)` times less, and could not be
 * chosen where n is not public.
 *
 * So the friction is bounded, not the step. Around its centre the thermostat
 * has a standard deviation of `sqrt(kappa / d)`; six of them above where it
 * settles the bound is not met in equilibrium, and changes nothing there. On
 * the way from the start the bound holds `p` at `eta F / a`, and afterwards the
 * thermostat, which falls by at most kappa a step, is back within
 * `6 / sqrt(kappa)`, 190 steps. Where n is not public the bound is 1, from
 * which it takes `1 / kappa` steps.
 */
inline double sgnht_most_friction(const sg_noise& noise, double stepsize,
                                  double thermostat) {
  if (!noise.units) {
    return 1;
  }
  return std::min(1.0, sgnht_settled(noise, stepsize, thermostat)
                           + 6 * std::sqrt(sgnht_gain));
}

/**
 * dp_sgnht: factor on the posterior's variance where noise asks for more
 * friction than a step may have.
 */
inline double sgnht_inflation(const sg_noise& noise, double stepsize,
                              double thermostat) {
  return std::max(1.0, sgnht_settled(noise, stepsize, thermostat)
                           / sgnht_most_friction(noise, stepsize, thermostat));
}

/**
 * dp_sgnht: the largest step for which the thermostat settles at 0.05 or less
 * and the error of discretisation stays within the tolerance.
 */
inline double sgnht_stepsize(const sg_noise& noise, double z) {
  const double variance = noise.privacy(z) + noise.minibatch();
  const double by_noise = std::sqrt(sg_tolerance / variance);
  const double by_curvature = std::sqrt(4 * sg_tolerance / noise.curvature());
  return std::min({by_noise, by_curvature, 0.1});
}

}  // namespace stan_dp
#endif
