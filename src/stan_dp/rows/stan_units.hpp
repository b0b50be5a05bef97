#ifndef STAN_DP_ROWS_STAN_UNITS_HPP
#define STAN_DP_ROWS_STAN_UNITS_HPP

#include <stan_dp/rows/guarded.hpp>
#include <stan_dp/rows/model_evaluator.hpp>
#include <stan_dp/rows/model_factory.hpp>
#include <stan_dp/rows/row_context.hpp>
#include <stan_dp/rows/row_table.hpp>
#include <stan_dp/rows/unit_groups.hpp>
#include <stan_dp/rows/unit_likelihood.hpp>
#include <stan_dp/rows/unit_sweep.hpp>
#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace stan_dp {

/**
 * The log likelihood of each unit of an unmodified Stan program: one model for
 * each unit, built from that unit's rows alone.
 *
 * `l_i(theta) = lp_i(theta) - lp_0(theta)`, where `lp_0` is the density of the
 * model without rows; and the same for gradients.
 *
 * A unit whose constructor throws, or that has another number of parameters
 * than the model without rows, has no model: it answers NaN. No message.
 */
class stan_units : public unit_likelihood {
 public:
  /**
   * Without STAN_THREADS autodiff has one tape, and there is one thread.
   *
   * @param factory `new_model` of the program
   * @param table the data; not kept
   * @param groups rows of each unit; not kept
   * @param prior the model without rows, which has to outlive this
   * @param threads whether to use TBB: not in a forked child, which has none of
   * its parent's threads
   */
  stan_units(model_factory factory, const row_table& table,
             const unit_groups& groups, const stan::model::model_base& prior,
             bool threads = true)
      : prior_(prior),
        models_(groups.size()),
        threads_(threads && has_threads) {
    const auto construct = [&](std::size_t begin, std::size_t end) {
      row_context context(table);
      for (std::size_t unit = begin; unit != end; ++unit) {
        context.show(groups.rows(unit), groups.count(unit));
        const bool made
            = guarded([&] { models_[unit] = make_model(factory, context); });
        if (!made || models_[unit]->num_params_r() != dimension()) {
          models_[unit].reset();
        }
      }
    };
    for_unit_ranges(groups.size(), threads_, construct);
  }

  std::size_t num_units() const override { return models_.size(); }
  std::size_t dimension() const override { return prior_.num_params_r(); }

  /** Whether the unit has a model. Raw: for `diagnose` only. */
  bool constructed(std::size_t unit) const { return models_[unit] != nullptr; }

  void sweep(const Eigen::VectorXd& theta,
             const std::vector<std::size_t>* subset, bool gradients,
             unit_consumer& out) const override {
    const prior_answer prior(prior_, theta, gradients);
    sweep_units(
        {subset, num_units(), dimension(), gradients, threads_ ? grain : 0},
        [&] { return answers(*this, theta, prior); }, out);
  }

  /** `lp_0` and its gradient at a point. */
  struct prior_answer {
    prior_answer(const stan::model::model_base& prior,
                 const Eigen::VectorXd& theta, bool gradients)
        : gradient(gradients ? theta.size() : 0) {
      model_evaluator evaluate(theta);
      ok = evaluate(prior, value, gradients ? gradient.data() : nullptr);
    }
    bool ok;
    double value = 0;
    Eigen::VectorXd gradient;
  };

  /** Answers of units at one point, on one thread. */
  class answers {
   public:
    /** @param units, prior outlive this */
    answers(const stan_units& units, const Eigen::VectorXd& theta,
            const prior_answer& prior)
        : units_(units), prior_(prior), evaluate_(theta) {}

    void expect(std::size_t) {}

    /** One unit's value; its gradient is written to `gradient` if not null. */
    double answer(std::size_t unit, double* gradient) {
      const auto d = static_cast<Eigen::Index>(units_.dimension());
      const auto* model = units_.models_[unit].get();
      double value;
      if (!prior_.ok || model == nullptr
          || !evaluate_(*model, value, gradient)) {
        if (gradient != nullptr) {
          std::fill_n(gradient, d, not_a_number);
        }
        return not_a_number;
      }
      if (gradient != nullptr) {
        Eigen::Map<Eigen::VectorXd>(gradient, d) -= prior_.gradient;
      }
      return value - prior_.value;
    }

   private:
    const stan_units& units_;
    const prior_answer& prior_;
    model_evaluator evaluate_;
  };

  /** The model without rows. */
  const stan::model::model_base& prior() const { return prior_; }

  /** Whether sweeps use several threads. */
  bool threads() const { return threads_; }

 private:
  static constexpr std::size_t grain = 64;
#ifdef STAN_THREADS
  static constexpr bool has_threads = true;
#else
  static constexpr bool has_threads = false;
#endif

  static constexpr double not_a_number
      = std::numeric_limits<double>::quiet_NaN();

  const stan::model::model_base& prior_;
  std::vector<std::unique_ptr<stan::model::model_base>> models_;
  const bool threads_;
};

}  // namespace stan_dp
#endif
