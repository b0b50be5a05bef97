#ifndef STAN_DP_ROWS_STAN_UNITS_HPP
#define STAN_DP_ROWS_STAN_UNITS_HPP

#include <stan_dp/rows/guarded.hpp>
#include <stan_dp/rows/model_evaluator.hpp>
#include <stan_dp/rows/model_factory.hpp>
#include <stan_dp/rows/row_context.hpp>
#include <stan_dp/rows/row_table.hpp>
#include <stan_dp/rows/unit_groups.hpp>
#include <stan_dp/rows/unit_likelihood.hpp>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>
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
    const auto construct = [&](const tbb::blocked_range<std::size_t>& range) {
      row_context context(table);
      for (std::size_t unit = range.begin(); unit != range.end(); ++unit) {
        context.show(groups.rows(unit), groups.count(unit));
        guarded([&] { models_[unit] = make_model(factory, context); });
        if (models_[unit] && models_[unit]->num_params_r() != dimension()) {
          models_[unit].reset();
        }
      }
    };
    for_ranges(groups.size(), construct);
  }

  std::size_t num_units() const override { return models_.size(); }
  std::size_t dimension() const override { return prior_.num_params_r(); }

  /** Whether the unit has a model. Raw: for `diagnose` only. */
  bool constructed(std::size_t unit) const { return models_[unit] != nullptr; }

  void sweep(const Eigen::VectorXd& theta,
             const std::vector<std::size_t>* subset, bool gradients,
             unit_consumer& out) const override {
    const prior_answer prior(prior_, theta, gradients);
    const std::size_t count = subset ? subset->size() : models_.size();
    const sweep_task task{*this, theta, subset, gradients, prior};
    if (!threads_) {
      task.run(0, count, out);
      return;
    }
    reduction body(task, out);
    // Without isolation a thread that waits for the rest of this sweep could
    // start on another chain, and come back when that has ended.
    tbb::this_task_arena::isolate([&] {
      tbb::parallel_reduce(tbb::blocked_range<std::size_t>(0, count, grain),
                           body);
    });
  }

 private:
  static constexpr std::size_t grain = 64;
#ifdef STAN_THREADS
  static constexpr bool has_threads = true;
#else
  static constexpr bool has_threads = false;
#endif

  template <typename F>
  void for_ranges(std::size_t count, const F& body) const {
    const tbb::blocked_range<std::size_t> all(0, count, grain);
    if (threads_) {
      tbb::this_task_arena::isolate([&] { tbb::parallel_for(all, body); });
    } else {
      body(all);
    }
  }

  /** `lp_0` and its gradient at the point of a sweep. */
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

  struct sweep_task {
    const stan_units& units;
    const Eigen::VectorXd& theta;
    const std::vector<std::size_t>* subset;
    bool gradients;
    const prior_answer& prior;

    /** Evaluates units `begin` to `end` of the subset, block after block. */
    void run(std::size_t begin, std::size_t end, unit_consumer& out) const {
      const Eigen::Index d = theta.size();
      std::size_t indices[grain];
      double values[grain];
      Eigen::MatrixXd columns(gradients ? d : 0, grain);
      model_evaluator evaluate(theta);
      while (begin != end) {
        const std::size_t count = std::min(grain, end - begin);
        for (std::size_t k = 0; k < count; ++k) {
          indices[k] = subset ? (*subset)[begin + k] : begin + k;
          values[k] = answer(evaluate, indices[k],
                             gradients ? columns.data() + d * k : nullptr);
        }
        out.take(unit_block{indices, count, values,
                            gradients ? columns.data() : nullptr});
        begin += count;
      }
    }

    /** One unit's value; its gradient is written to `gradient` if not null. */
    double answer(model_evaluator& evaluate, std::size_t unit,
                  double* gradient) const {
      const auto* model = units.models_[unit].get();
      double value;
      if (!prior.ok || model == nullptr || !evaluate(*model, value, gradient)) {
        if (gradient != nullptr) {
          std::fill_n(gradient, theta.size(), not_a_number);
        }
        return not_a_number;
      }
      if (gradient != nullptr) {
        Eigen::Map<Eigen::VectorXd>(gradient, theta.size()) -= prior.gradient;
      }
      return value - prior.value;
    }
  };

  /** A body for TBB's `parallel_reduce`. */
  class reduction {
   public:
    reduction(const sweep_task& task, unit_consumer& out)
        : task_(task), out_(out) {}
    reduction(reduction& other, tbb::split)
        : task_(other.task_), own_(other.out_.split()), out_(*own_) {}
    void operator()(const tbb::blocked_range<std::size_t>& range) {
      task_.run(range.begin(), range.end(), out_);
    }
    void join(reduction& other) { out_.join(other.out_); }

   private:
    const sweep_task& task_;
    std::unique_ptr<unit_consumer> own_;
    unit_consumer& out_;
  };

  static constexpr double not_a_number
      = std::numeric_limits<double>::quiet_NaN();

  const stan::model::model_base& prior_;
  std::vector<std::unique_ptr<stan::model::model_base>> models_;
  const bool threads_;
};

}  // namespace stan_dp
#endif
