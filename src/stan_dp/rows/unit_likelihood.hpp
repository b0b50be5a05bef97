#ifndef STAN_DP_ROWS_UNIT_LIKELIHOOD_HPP
#define STAN_DP_ROWS_UNIT_LIKELIHOOD_HPP

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <vector>

namespace stan_dp {

/**
 * Raw answers of a few units at one point: never leaves `privacy/`.
 *
 * A unit that throws, or that cannot be evaluated at all, has NaN for its
 * value and for every entry of its gradient. Nothing else is judged here: what
 * a value or a gradient that is not finite counts as is for `privacy/` to say.
 */
struct unit_block {
  /** indices of the units, `count` of them */
  const std::size_t* units;
  std::size_t count;
  /** log likelihood of each unit */
  const double* values;
  /** gradients, `dimension x count`, a column for each unit; null if only
   * values were asked for */
  const double* gradients;
};

/**
 * Takes the raw answers of a sweep, block after block.
 *
 * A sweep may run on several threads. Each works on a consumer of its own, made
 * by `split` and given back by `join`, as in TBB's `parallel_reduce`. The
 * result must not depend on how the units were divided.
 */
class unit_consumer {
 public:
  virtual ~unit_consumer() = default;
  virtual std::unique_ptr<unit_consumer> split() = 0;
  virtual void take(const unit_block& block) = 0;
  virtual void join(unit_consumer& other) = 0;
};

/**
 * The log likelihood of every privacy unit, raw: what stands behind the
 * privacy boundary.
 *
 * This is all that `privacy/` asks of `rows/`. `stan_units` implements it with
 * one Stan model for each unit; faster evaluations of special models implement
 * it too, and nothing else changes.
 */
class unit_likelihood {
 public:
  virtual ~unit_likelihood() = default;

  /** Number of privacy units. */
  virtual std::size_t num_units() const = 0;

  /** Number of unconstrained parameters. */
  virtual std::size_t dimension() const = 0;

  /**
   * Evaluates `log p(x_i | theta)` and, if `gradients`, its gradient.
   *
   * Thread safe; never throws because of a unit's data.
   *
   * @param theta unconstrained parameters
   * @param subset the units to evaluate; null for all of them
   * @param gradients whether gradients are wanted beside the values
   * @param out takes the answers; called from several threads through `split`
   */
  virtual void sweep(const Eigen::VectorXd& theta,
                     const std::vector<std::size_t>* subset, bool gradients,
                     unit_consumer& out) const = 0;
};

}  // namespace stan_dp
#endif
