#ifndef STAN_DP_ROWS_PRIOR_TRIAL_HPP
#define STAN_DP_ROWS_PRIOR_TRIAL_HPP

#include <stan_dp/rows/forked.hpp>
#include <stan_dp/rows/model_evaluator.hpp>
#include <stan_dp/rows/model_factory.hpp>
#include <stan_dp/rows/refusal.hpp>
#include <stan_dp/rows/row_choice.hpp>
#include <stan_dp/rows/shape.hpp>
#include <stan/io/var_context.hpp>
#include <stan/services/util/create_rng.hpp>
#include <cmath>
#include <complex>
#include <cstddef>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace stan_dp {
namespace internal {

/**
 * Claims that there are no rows, or one, and records what a model's constructor
 * declares.
 *
 * Integer scalars and variables named public have their values from the file.
 * All other elements have an invented value: nobody looks at the rows, nor at
 * a variable that will be refused.
 */
class declaration_context : public stan::io::var_context {
 public:
  declaration_context(const stan::io::var_context& file,
                      const row_choice& choice, int claimed_rows,
                      int invented = 0)
      : file_(file),
        choice_(choice),
        claimed_rows_(claimed_rows),
        invented_(invented) {}

  const std::vector<declared_variable>& declared() const { return declared_; }

  void validate_dims(const std::string& stage, const std::string& name,
                     const std::string& base_type,
                     const dimensions& dims) const override {
    declared_.push_back({name, base_type == "int", dims, {}});
    if (name != choice_.rows && shown(declared_.back())) {
      file_.validate_dims(stage, name, base_type, dims);
    }
  }

  std::vector<int> vals_i(const std::string& name) const override {
    if (name == choice_.rows) {
      return {claimed_rows_};
    }
    const auto& variable = find(name);
    return shown(variable)
               ? file_.vals_i(name)
               : std::vector<int>(num_elements(variable.dims), invented_);
  }

  std::vector<double> vals_r(const std::string& name) const override {
    const auto& variable = find(name);
    return shown(variable)
               ? file_.vals_r(name)
               : std::vector<double>(num_elements(variable.dims), invented_);
  }

  std::vector<std::complex<double>> vals_c(
      const std::string& name) const override {
    const auto& variable = find(name);
    return shown(variable) ? file_.vals_c(name)
                           : std::vector<std::complex<double>>(
                               num_elements(variable.dims) / 2, invented_);
  }

  bool contains_r(const std::string& name) const override {
    return file_.contains_r(name);
  }
  bool contains_i(const std::string& name) const override {
    return file_.contains_i(name);
  }
  dimensions dims_r(const std::string& name) const override {
    return find(name).dims;
  }
  dimensions dims_i(const std::string& name) const override {
    return find(name).dims;
  }
  void names_r(std::vector<std::string>& names) const override {
    file_.names_r(names);
  }
  void names_i(std::vector<std::string>& names) const override {
    file_.names_i(names);
  }

 private:
  bool shown(const declared_variable& variable) const {
    return num_elements(variable.dims) > 0
           && file_.dims_r(variable.name) == variable.dims
           && (variable.integer_scalar() || choice_.is_public(variable.name));
  }

  /** The constructor declares a variable just before it reads it (components
   * of a tuple: a few before). */
  const declared_variable& find(const std::string& name) const {
    for (auto it = declared_.rbegin(); it != declared_.rend(); ++it) {
      if (it->name == name) {
        return *it;
      }
    }
    throw std::logic_error("data variable " + name
                           + " is read but not declared");
  }

  const stan::io::var_context& file_;
  const row_choice& choice_;
  const int claimed_rows_;
  const int invented_;
  mutable std::vector<declared_variable> declared_;
};

}  // namespace internal

/** What the model without rows declares, and whether it works. */
struct prior_trial {
  enum class stage { constructor, density, draws, done };

  std::vector<declared_variable> declared;
  /** where it stopped */
  stage reached = stage::constructor;
  /** why: an exception's text; empty if it died or all is well */
  std::string problem;
  /** the signal that killed it, or 0 */
  int signal = 0;
  /** why generated quantities cannot be computed; empty if they can */
  std::string quantities_problem;
};

namespace internal {

inline void write_declared(const record_writer& write, const std::string& head,
                           const std::vector<declared_variable>& declared) {
  for (const auto& variable : declared) {
    std::string record = head + " ";
    record += variable.integer ? "i " : "r ";
    record += variable.name;
    for (auto size : variable.dims) {
      record += " " + std::to_string(size);
    }
    write(record);
  }
}

inline declared_variable read_declared(const std::string& record) {
  std::istringstream in(record);
  std::string word;
  std::string type;
  declared_variable variable;
  in >> word >> type >> variable.name;
  variable.integer = type == "i";
  for (std::size_t size; in >> size;) {
    variable.dims.push_back(size);
  }
  return variable;
}

inline void merge_one_row(const declared_variable& one,
                          std::vector<declared_variable>& declared) {
  for (auto& variable : declared) {
    if (variable.name == one.name && variable.dims.size() == one.dims.size()) {
      variable.dims_of_one = one.dims;
    }
  }
}

/** Points around zero at two scales: fixed, so that a check gives the same
 * answer twice. */
inline std::vector<Eigen::VectorXd> trial_points(std::size_t dimension) {
  std::mt19937 rng(20240601);
  std::vector<Eigen::VectorXd> points;
  for (double scale : {0.1, 0.1, 0.5, 1.0, 1.0, 1.0}) {
    std::normal_distribution<double> normal(0, scale);
    Eigen::VectorXd theta(dimension);
    for (auto& x : theta) {
      x = normal(rng);
    }
    points.push_back(theta);
  }
  return points;
}

/** The first point where the density and its gradient are finite; otherwise
 * the text says why not. */
inline bool find_finite(const stan::model::model_base& model,
                        Eigen::VectorXd& theta, std::string& why) {
  Eigen::VectorXd gradient(model.num_params_r());
  for (const auto& point : trial_points(model.num_params_r())) {
    double value;
    model_evaluator evaluate(point);
    if (!evaluate(model, value, gradient.data(), &why)) {
      continue;
    }
    if (std::isfinite(value) && gradient.allFinite()) {
      theta = point;
      return true;
    }
    why = "the log density or its gradient is not finite";
  }
  return false;
}

/** What the constructor declares for one row, as far as it comes with invented
 * values. */
inline void declare_one_row(model_factory factory,
                            const stan::io::var_context& file,
                            const row_choice& choice,
                            const record_writer& write) {
  for (int invented : {0, 1}) {
    declaration_context context(file, choice, 1, invented);
    guarded([&] { make_model(factory, context); });
    write_declared(write, "one", context.declared());
  }
}

inline void try_without_rows(model_factory factory,
                             const stan::io::var_context& file,
                             const row_choice& choice,
                             const record_writer& write) {
  declaration_context context(file, choice, 0);
  std::string why;
  std::unique_ptr<stan::model::model_base> model;
  try {
    model = make_model(factory, context);
  } catch (const std::exception& e) {
    why = e.what();
  }
  write_declared(write, "declared", context.declared());
  if (!model) {
    write("problem " + why);
    return;
  }
  write("constructed");
  Eigen::VectorXd theta;
  if (!find_finite(*model, theta, why)) {
    write("problem " + why);
    return;
  }
  write("evaluated");
  auto rng = stan::services::util::create_rng(0, 1);
  Eigen::VectorXd draw;
  try {
    model->write_array(rng, theta, draw, true, false, nullptr);
  } catch (const std::exception& e) {
    write(std::string("problem ") + e.what());
    return;
  }
  try {
    model->write_array(rng, theta, draw, true, true, nullptr);
  } catch (const std::exception& e) {
    write(std::string("quantities ") + e.what());
  }
  write("drawn");
  declare_one_row(factory, file, choice, write);
}

inline bool starts_with(const std::string& text, const std::string& head) {
  return text.compare(0, head.size(), head) == 0;
}

}  // namespace internal

/**
 * Constructs the model without rows, evaluates its density and writes a draw,
 * in a child process: integer division by the number of rows kills it.
 */
inline prior_trial try_prior(model_factory factory,
                             const stan::io::var_context& file,
                             const row_choice& choice) {
  const auto result = run_forked([&](const record_writer& write) {
    internal::try_without_rows(factory, file, choice, write);
  });
  prior_trial trial;
  trial.signal = result.signal;
  for (const auto& record : result.records) {
    if (internal::starts_with(record, "declared ")) {
      trial.declared.push_back(internal::read_declared(record));
    } else if (internal::starts_with(record, "one ")) {
      internal::merge_one_row(internal::read_declared(record), trial.declared);
    } else if (record == "constructed") {
      trial.reached = prior_trial::stage::density;
    } else if (record == "evaluated") {
      trial.reached = prior_trial::stage::draws;
    } else if (record == "drawn") {
      trial.reached = prior_trial::stage::done;
    } else if (internal::starts_with(record, "problem ")) {
      trial.problem = record.substr(8);
    } else if (internal::starts_with(record, "quantities ")) {
      trial.quantities_problem = record.substr(11);
    }
  }
  return trial;
}

}  // namespace stan_dp
#endif
