#ifndef STAN_DP_ROWS_ROW_PRODUCT_HPP
#define STAN_DP_ROWS_ROW_PRODUCT_HPP

#include <stan_dp/rows/model_evaluator.hpp>
#include <stan_dp/rows/model_factory.hpp>
#include <stan_dp/rows/prior_trial.hpp>
#include <stan_dp/rows/row_context.hpp>
#include <stan_dp/rows/row_table.hpp>
#include <stan_dp/rows/stan_units.hpp>
#include <stan_dp/rows/unit_groups.hpp>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

/** @file
 * Is the likelihood a product over units? Compares the log density of many
 * units together with the sum of what they say alone.
 *
 * Everything here is raw. `diagnose` uses it on real rows, for the person who
 * holds them; a private run uses it on invented rows.
 */
namespace stan_dp {

/** Relative errors below the first pass, below the second pass with a warning
 * (tolerances of solvers), above it the rows are coupled. */
constexpr double row_product_exact = 1e-9;
constexpr double row_product_loose = 1e-4;

struct row_product_result {
  /** units that took part; 0 means that none could be evaluated */
  std::size_t units_compared = 0;
  std::size_t points = 0;
  /** largest of all subsets and points */
  double value_error = 0;
  double gradient_error = 0;
  /** why the units could not be evaluated together though each alone could */
  std::string failure;
  std::size_t units_not_constructed = 0;
  std::size_t units_not_evaluated = 0;
  /** whether a unit has another number of parameters than the prior */
  bool parameters_move = false;
  /** why the first of these failed; may quote a row */
  std::string first_problem;

  double error() const { return std::max(value_error, gradient_error); }
  bool coupled() const {
    return !failure.empty() || !(error() < row_product_loose);
  }
  bool loose() const { return !coupled() && !(error() < row_product_exact); }
};

namespace internal {

/** A unit's values and gradients at one point. */
struct unit_answers : unit_consumer {
  unit_answers(std::size_t units, std::size_t dimension)
      : values(units), gradients(dimension, units) {}

  /** Blocks are disjoint: all threads write to one place. */
  struct part : unit_consumer {
    explicit part(unit_answers& whole) : whole(whole) {}
    std::unique_ptr<unit_consumer> split() override {
      return std::make_unique<part>(whole);
    }
    void take(const unit_block& block) override { whole.take(block); }
    void join(unit_consumer&) override {}
    unit_answers& whole;
  };

  std::unique_ptr<unit_consumer> split() override {
    return std::make_unique<part>(*this);
  }
  void take(const unit_block& block) override {
    const auto d = gradients.rows();
    for (std::size_t k = 0; k < block.count; ++k) {
      values[block.units[k]] = block.values[k];
      gradients.col(block.units[k])
          = Eigen::Map<const Eigen::VectorXd>(block.gradients + d * k, d);
    }
  }
  void join(unit_consumer&) override {}

  bool finite(std::size_t unit) const {
    return std::isfinite(values[unit]) && gradients.col(unit).allFinite();
  }
  std::size_t num_finite() const {
    std::size_t count = 0;
    for (std::size_t unit = 0; unit < values.size(); ++unit) {
      count += finite(unit);
    }
    return count;
  }

  std::vector<double> values;
  Eigen::MatrixXd gradients;
};

/** Rows of some units, in the order of the file. */
inline std::vector<std::size_t> rows_of(const unit_groups& groups,
                                        const std::vector<std::size_t>& units) {
  std::vector<std::size_t> rows;
  for (auto unit : units) {
    rows.insert(rows.end(), groups.rows(unit),
                groups.rows(unit) + groups.count(unit));
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

/** All units, half of them, and a few: small sets miss couplings at a distance,
 * large ones drown a weak one. */
inline std::vector<std::vector<std::size_t>> subsets(
    const std::vector<std::size_t>& units) {
  const auto head = [&](std::size_t count) {
    return std::vector<std::size_t>(units.begin(), units.begin() + count);
  };
  std::vector<std::vector<std::size_t>> sets{units};
  if (units.size() > 3) {
    sets.push_back(head(units.size() / 2));
  }
  if (units.size() > 6) {
    sets.push_back(head(3));
  }
  return sets;
}

class row_product_check {
 public:
  row_product_check(model_factory factory, const row_table& table,
                    const unit_groups& groups,
                    const stan::model::model_base& prior, bool threads)
      : factory_(factory),
        table_(table),
        groups_(groups),
        prior_(prior),
        units_(factory, table, groups, prior, threads) {}

  row_product_result run() {
    evaluate_units();
    const auto good = comparable_units();
    result_.units_compared = good.size();
    result_.points = points_.size();
    if (!good.empty()) {
      for (const auto& subset : subsets(good)) {
        compare(subset);
      }
    }
    return result_;
  }

 private:
  /** Keeps the points where at least half as many units can be evaluated as
   * at the best one: elsewhere the model rejects. */
  void evaluate_units() {
    std::size_t best = 1;
    for (const auto& point : trial_points(prior_.num_params_r())) {
      unit_answers answers(units_.num_units(), units_.dimension());
      units_.sweep(point, nullptr, true, answers);
      best = std::max(best, answers.num_finite());
      points_.push_back(point);
      answers_.push_back(std::move(answers));
    }
    for (std::size_t p = points_.size(); p-- > 0;) {
      if (2 * answers_[p].num_finite() < best) {
        points_.erase(points_.begin() + p);
        answers_.erase(answers_.begin() + p);
      }
    }
  }

  std::vector<std::size_t> comparable_units() {
    std::vector<std::size_t> good;
    for (std::size_t unit = 0; unit < units_.num_units(); ++unit) {
      const bool finite = !answers_.empty()
                          && std::all_of(answers_.begin(), answers_.end(),
                                         [unit](const auto& answer) {
                                           return answer.finite(unit);
                                         });
      if (finite) {
        good.push_back(unit);
        continue;
      }
      if (units_.constructed(unit)) {
        ++result_.units_not_evaluated;
      } else {
        ++result_.units_not_constructed;
      }
      if (result_.first_problem.empty()) {
        result_.first_problem = explain(unit);
      }
    }
    return good;
  }

  /** Tries a unit that failed once more, to hear why. */
  std::string explain(std::size_t unit) {
    std::string why;
    row_context context(table_);
    context.show(groups_.rows(unit), groups_.count(unit));
    std::unique_ptr<stan::model::model_base> model;
    if (!guarded([&] { model = make_model(factory_, context); }, &why)) {
      return why;
    }
    if (model->num_params_r() != prior_.num_params_r()) {
      result_.parameters_move = true;
      return "it has " + std::to_string(model->num_params_r())
             + " parameters instead of "
             + std::to_string(prior_.num_params_r());
    }
    Eigen::VectorXd theta;
    find_finite(*model, theta, why);
    return why.empty() ? "its log density is not finite" : why;
  }

  void compare(const std::vector<std::size_t>& subset) {
    const auto rows = rows_of(groups_, subset);
    row_context context(table_);
    context.show(rows.data(), rows.size());
    std::unique_ptr<stan::model::model_base> together;
    std::string why;
    if (!guarded([&] { together = make_model(factory_, context); }, &why)) {
      result_.failure = why;
      return;
    }
    if (together->num_params_r() != prior_.num_params_r()) {
      result_.failure = "the number of parameters moves with the rows";
      return;
    }
    for (std::size_t p = 0; p < points_.size() && result_.failure.empty();
         ++p) {
      compare_at(*together, subset, p);
    }
  }

  void compare_at(const stan::model::model_base& together,
                  const std::vector<std::size_t>& subset, std::size_t p) {
    model_evaluator evaluate(points_[p]);
    const auto d = units_.dimension();
    double value, prior_value;
    Eigen::VectorXd gradient(d), prior_gradient(d);
    std::string why;
    if (!evaluate(prior_, prior_value, prior_gradient.data(), &why)
        || !evaluate(together, value, gradient.data(), &why)
        || !std::isfinite(value) || !gradient.allFinite()) {
      result_.failure = why.empty() ? "the log density is not finite" : why;
      return;
    }
    double sum = prior_value;
    double size = std::abs(prior_value);
    Eigen::VectorXd gradient_sum = prior_gradient;
    double gradient_size = prior_gradient.lpNorm<Eigen::Infinity>();
    for (auto unit : subset) {
      sum += answers_[p].values[unit];
      size += std::abs(answers_[p].values[unit]);
      gradient_sum += answers_[p].gradients.col(unit);
      gradient_size
          += answers_[p].gradients.col(unit).lpNorm<Eigen::Infinity>();
    }
    result_.value_error
        = std::max(result_.value_error, relative(value - sum, size));
    result_.gradient_error
        = std::max(result_.gradient_error,
                   relative((gradient - gradient_sum).lpNorm<Eigen::Infinity>(),
                            gradient_size));
  }

  static double relative(double difference, double size) {
    return difference == 0 ? 0 : std::abs(difference) / size;
  }

  model_factory factory_;
  const row_table& table_;
  const unit_groups& groups_;
  const stan::model::model_base& prior_;
  stan_units units_;
  std::vector<Eigen::VectorXd> points_;
  std::vector<unit_answers> answers_;
  row_product_result result_;
};

}  // namespace internal

/** Compares units alone with units together, at a few points. */
inline row_product_result check_row_product(
    model_factory factory, const row_table& table, const unit_groups& groups,
    const stan::model::model_base& prior, bool threads = true) {
  return internal::row_product_check(factory, table, groups, prior, threads)
      .run();
}

}  // namespace stan_dp
#endif
