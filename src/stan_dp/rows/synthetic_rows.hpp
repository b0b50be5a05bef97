#ifndef STAN_DP_ROWS_SYNTHETIC_ROWS_HPP
#define STAN_DP_ROWS_SYNTHETIC_ROWS_HPP

#include <stan_dp/rows/guarded.hpp>
#include <stan_dp/rows/model_factory.hpp>
#include <stan_dp/rows/prior_trial.hpp>
#include <stan_dp/rows/row_context.hpp>
#include <stan_dp/rows/row_table.hpp>
#include <stan_dp/rows/synthetic_values.hpp>
#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace stan_dp {
namespace internal {

/** A row context that remembers which variable was asked for last. */
class tracing_context : public row_context {
 public:
  using row_context::row_context;
  void validate_dims(const std::string& stage, const std::string& name,
                     const std::string& base_type,
                     const dimensions& declared) const override {
    last_ = name;
    row_context::validate_dims(stage, name, base_type, declared);
  }
  const std::string& last() const { return last_; }

 private:
  mutable std::string last_;
};

}  // namespace internal

/**
 * Invents rows that a model accepts, by trial, from a small palette.
 *
 * It sees the model, public data, and the shapes of the rows' variables; no
 * value of a row.
 */
class synthetic_rows {
 public:
  /** @param table the data; values of variables with rows are not read */
  synthetic_rows(model_factory factory, const row_table& table,
                 std::size_t num_params)
      : factory_(factory), num_params_(num_params) {
    row_.rows_name = table.rows_name;
    row_.num_rows = 1;
    for (const auto& source : table.variables) {
      row_.variables.push_back(source.has_rows() ? one_row_of(source) : source);
      if (source.has_rows()) {
        moving_.push_back(row_.variables.size() - 1);
      }
    }
    patterns_.resize(row_.variables.size());
  }

  /** A table of invented rows, or nothing if the model accepts none. */
  std::optional<row_table> make(std::size_t num_rows) {
    if (!find_first() && !find_first(false)) {
      return {};
    }
    find_alternatives();
    row_table table = row_;
    table.num_rows = num_rows;
    for (auto v : moving_) {
      resize(table.variables[v], num_rows);
    }
    for (std::size_t row = 0; row < num_rows; ++row) {
      draw_accepted_row();
      for (auto v : moving_) {
        copy_row(row_.variables[v], table.variables[v], row, num_rows);
      }
    }
    return table;
  }

  /** Whether rows were found that have other parameters than the prior. */
  bool parameters_move() const { return parameters_move_; }

 private:
  static row_variable one_row_of(const row_variable& source) {
    row_variable variable;
    variable.name = source.name;
    variable.integer = source.integer;
    variable.dims = source.dims_with(1);
    variable.row_axis = source.row_axis;
    variable.lower = source.lower;
    variable.upper = source.upper;
    return variable;
  }

  std::size_t palette_size(std::size_t v) const {
    return row_.variables[v].integer ? integer_palette().size()
                                     : real_palette().size();
  }

  void draw(std::size_t v, std::size_t pattern) {
    auto& variable = row_.variables[v];
    dimensions dims = variable.dims;
    dims.erase(dims.begin() + variable.row_axis);
    if (variable.integer) {
      variable.ints = draw_row(integer_palette()[pattern], rng_, dims);
    } else {
      variable.reals = draw_row(real_palette()[pattern], rng_, dims);
    }
  }

  /** Whether the model accepts the row as it is now; if not, which variable it
   * had read last. */
  bool accepted(bool evaluate, std::string& culprit) {
    const std::size_t row = 0;
    internal::tracing_context context(row_);
    context.show(&row, 1);
    std::unique_ptr<stan::model::model_base> model;
    const bool made = guarded([&] { model = make_model(factory_, context); });
    culprit = context.last();
    if (!made) {
      return false;
    }
    if (model->num_params_r() != num_params_) {
      parameters_move_ = true;
      return false;
    }
    Eigen::VectorXd theta;
    std::string why;
    return !evaluate || internal::find_finite(*model, theta, why);
  }

  /**
   * Turns the pattern of the variable that was refused, and of the one before
   * it when all of its own were, until the model accepts the row.
   *
   * @param evaluate whether its density has to be finite too
   */
  bool find_first(bool evaluate = true) {
    std::vector<std::size_t> choice(row_.variables.size(), 0);
    for (auto v : moving_) {
      draw(v, 0);
    }
    for (int tries = 0; tries < 2000; ++tries) {
      std::string culprit;
      if (accepted(evaluate, culprit)) {
        first_ = choice;
        return true;
      }
      if (!advance(choice, culprit)) {
        return false;
      }
    }
    return false;
  }

  bool advance(std::vector<std::size_t>& choice, const std::string& culprit) {
    std::size_t m = moving_.size();
    while (m > 1 && row_.variables[moving_[m - 1]].name != culprit) {
      --m;
    }
    if (row_.variables[moving_[m - 1]].name != culprit) {
      m = moving_.size();
    }
    for (; m > 0; --m) {
      const std::size_t v = moving_[m - 1];
      choice[v] = (choice[v] + 1) % palette_size(v);
      draw(v, choice[v]);
      if (choice[v] != 0) {
        return true;
      }
    }
    return false;
  }

  /** Other patterns that the model accepts while all else stays. */
  void find_alternatives() {
    for (auto v : moving_) {
      patterns_[v] = {first_[v]};
      for (std::size_t p = 0; p < palette_size(v); ++p) {
        std::string culprit;
        draw(v, p);
        if (p != first_[v] && accepted(true, culprit)) {
          patterns_[v].push_back(p);
        }
      }
      draw(v, first_[v]);
    }
  }

  /** Draws a new row from the accepted patterns; from the first ones, if no
   * mixture of the others is accepted. */
  void draw_accepted_row() {
    std::string culprit;
    for (int tries = 0; tries < 20; ++tries) {
      for (auto v : moving_) {
        std::uniform_int_distribution<std::size_t> pick(
            0, patterns_[v].size() - 1);
        draw(v, patterns_[v][tries < 10 ? pick(rng_) : 0]);
      }
      if (accepted(true, culprit)) {
        return;
      }
    }
  }

  static void resize(row_variable& variable, std::size_t num_rows) {
    variable.dims = variable.dims_with(num_rows);
    variable.ints.resize(variable.integer ? num_elements(variable.dims) : 0);
    variable.reals.resize(variable.integer ? 0 : num_elements(variable.dims));
  }

  static void copy_row(const row_variable& from, row_variable& to,
                       std::size_t row, std::size_t num_rows) {
    for (std::size_t u = 0; u < to.upper; ++u) {
      const std::size_t target = (u * num_rows + row) * to.lower;
      if (to.integer) {
        std::copy_n(from.ints.begin() + u * to.lower, to.lower,
                    to.ints.begin() + target);
      } else {
        std::copy_n(from.reals.begin() + u * to.lower, to.lower,
                    to.reals.begin() + target);
      }
    }
  }

  model_factory factory_;
  std::size_t num_params_;
  row_table row_;
  /** indices of the variables with rows */
  std::vector<std::size_t> moving_;
  std::vector<std::size_t> first_;
  std::vector<std::vector<std::size_t>> patterns_;
  bool parameters_move_ = false;
  synthetic_rng rng_{20240602};
};

}  // namespace stan_dp
#endif
