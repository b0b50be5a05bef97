#ifndef STAN_DP_ROWS_CLOSED_FORM_HPP
#define STAN_DP_ROWS_CLOSED_FORM_HPP

#include <stan_dp/rows/stan_units.hpp>
#include <Eigen/Core>
#include <cmath>
#include <cstddef>
#include <deque>
#include <memory>
#include <random>
#include <utility>
#include <vector>

/** @file
 * Log likelihoods of units that a few numbers describe, so that they can be
 * evaluated without the unit's model.
 *
 * A form is recognised in two steps. That the *program* has it is seen on
 * invented rows. That a *unit* has it is seen from the values and gradients of
 * its own model at a few fixed points, which also give the numbers that
 * describe it; a unit that does not agree stays with its model. And at every
 * point of a run invented rows are compared once more with their models: where
 * one differs, all units are evaluated by theirs.
 *
 * Privacy: the form, the fixed points and the comparison during the run depend
 * on the program, on public data and on theta. A unit's numbers depend on its
 * own rows alone. So a unit's answer is still a function of its own rows and
 * theta, which is all that clipping asks for.
 */
namespace stan_dp {

/** What a form says at one point. */
class closed_point {
 public:
  virtual ~closed_point() = default;

  /**
   * A unit's log likelihood.
   *
   * @param description what `closed_form::describe` wrote
   * @param[out] gradient takes the gradient; null if it is not wanted
   */
  virtual double answer(const double* description, double* gradient) const = 0;
};

/** Answers of a few units at one point. */
struct few_answers {
  Eigen::VectorXd values;
  /** a column for each unit */
  Eigen::MatrixXd gradients;
  /** of the prior at the point */
  double prior_value = 0;
  double prior_gradient = 0;

  bool finite() const { return values.allFinite() && gradients.allFinite(); }
};

/** By their models. */
inline few_answers ask_models(const stan_units& units,
                              const std::vector<std::size_t>& which,
                              const Eigen::VectorXd& theta,
                              bool gradients = true) {
  few_answers result{
      Eigen::VectorXd(which.size()),
      Eigen::MatrixXd(gradients ? theta.size() : 0, which.size())};
  const stan_units::prior_answer prior(units.prior(), theta, gradients);
  on_this_thread([&] {
    stan_units::answers models(units, theta, prior);
    for (std::size_t k = 0; k < which.size(); ++k) {
      result.values[k] = models.answer(
          which[k], gradients ? result.gradients.col(k).data() : nullptr);
    }
  });
  result.prior_value = std::abs(prior.value);
  result.prior_gradient
      = gradients ? prior.gradient.lpNorm<Eigen::Infinity>() : 0;
  return result;
}

/**
 * The points at which a unit is looked at, and what the prior has there: a
 * likelihood is known to the rounding error of likelihood times prior.
 */
class probe_points {
 public:
  probe_points(const stan::model::model_base& prior,
               std::vector<Eigen::VectorXd> points)
      : points_(std::move(points)) {
    for (const auto& point : points_) {
      answers_.emplace_back(prior, point, true);
    }
  }

  std::size_t size() const { return points_.size(); }
  const Eigen::VectorXd& operator[](std::size_t p) const { return points_[p]; }
  const stan_units::prior_answer& prior(std::size_t p) const {
    return answers_[p];
  }
  double prior_value(std::size_t p) const {
    return std::abs(answers_[p].value);
  }
  double prior_gradient(std::size_t p) const {
    return answers_[p].gradient.lpNorm<Eigen::Infinity>();
  }

 private:
  std::vector<Eigen::VectorXd> points_;
  std::vector<stan_units::prior_answer> answers_;
};

/** Fixed points around zero, some of them far. */
inline std::vector<Eigen::VectorXd> scattered_points(std::size_t dimension,
                                                     std::size_t count) {
  std::mt19937 rng(20240603);
  std::normal_distribution<double> normal;
  std::vector<Eigen::VectorXd> points(count, Eigen::VectorXd(dimension));
  for (std::size_t p = 0; p < count; ++p) {
    for (auto& x : points[p]) {
      x = (p % 3 + 1) * 0.5 * normal(rng);
    }
  }
  return points;
}

class closed_form {
 public:
  virtual ~closed_form() = default;

  /** How many numbers describe a unit. */
  virtual std::size_t size() const = 0;

  virtual const probe_points& probes() const = 0;

  /**
   * Describes a unit.
   *
   * @param answers the unit's own, a column for each probe
   * @param[out] description takes `size()` numbers
   * @return whether the unit has this form: to `form_tolerance`, at all probes
   */
  virtual bool describe(const few_answers& answers,
                        double* description) const = 0;

  /** The form at a point; null where it has nothing to say. */
  virtual std::unique_ptr<closed_point> at(const Eigen::VectorXd& theta,
                                           bool gradients) const = 0;

  /** Invented rows that the form was not made of. */
  virtual const std::vector<std::size_t>& watched() const = 0;
};

/**
 * Relative to what enters a sum. Rounding is far below and another function far
 * above; Stan's `bernoulli_logit` is off by e^-20 = 2e-9 from where it takes
 * `inv_logit(20)` for 1.
 */
constexpr double form_tolerance = 1e-8;

/** Looks at units one after another, at all probes, on one thread. */
class unit_probe {
 public:
  /** @param units, probes outlive this */
  unit_probe(const stan_units& units, const probe_points& probes)
      : answers_{Eigen::VectorXd(probes.size()),
                 Eigen::MatrixXd(units.dimension(), probes.size())} {
    for (std::size_t p = 0; p < probes.size(); ++p) {
      models_.emplace_back(units, probes[p], probes.prior(p));
    }
  }

  /** A column for each probe. */
  const few_answers& operator()(std::size_t unit) {
    for (std::size_t p = 0; p < models_.size(); ++p) {
      answers_.values[p]
          = models_[p].answer(unit, answers_.gradients.col(p).data());
    }
    return answers_;
  }

 private:
  few_answers answers_;
  std::deque<stan_units::answers> models_;
};

}  // namespace stan_dp
#endif
