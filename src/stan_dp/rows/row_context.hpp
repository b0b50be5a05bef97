#ifndef STAN_DP_ROWS_ROW_CONTEXT_HPP
#define STAN_DP_ROWS_ROW_CONTEXT_HPP

#include <stan_dp/rows/row_table.hpp>
#include <stan/io/var_context.hpp>
#include <complex>
#include <stdexcept>
#include <string>
#include <vector>

namespace stan_dp {

/**
 * Shows some rows of a table to a model's constructor, as if the data file
 * held these and no others.
 *
 * Constructors call `validate_dims` and then one of `vals_i`, `vals_r`,
 * `vals_c` for each variable, in the order of declaration, and do not check
 * lengths: so `validate_dims` has to guarantee the count.
 */
class row_context : public stan::io::var_context {
 public:
  explicit row_context(const row_table& table) : table_(table) {}

  /** Shows these rows from now on; the caller keeps them alive. */
  void show(const std::size_t* rows, std::size_t count) {
    rows_ = rows;
    count_ = count;
    next_ = 0;
  }

  void validate_dims(const std::string&, const std::string& name,
                     const std::string& base_type,
                     const dimensions& declared) const override {
    if (name == table_.rows_name || num_elements(declared) == 0) {
      return;
    }
    const row_variable* variable = find(name);
    if (variable == nullptr || !variable->has_dims(declared, count_)
        || (base_type == "int" && !variable->integer)) {
      throw std::runtime_error("data variable " + name
                               + " does not have its declared shape");
    }
  }

  std::vector<int> vals_i(const std::string& name) const override {
    if (name == table_.rows_name) {
      return {static_cast<int>(count_)};
    }
    const row_variable* variable = find(name);
    return variable == nullptr ? std::vector<int>()
                               : sliced(*variable, variable->ints);
  }

  std::vector<double> vals_r(const std::string& name) const override {
    const row_variable* variable = find(name);
    if (variable == nullptr) {
      return {};
    }
    if (!variable->integer) {
      return sliced(*variable, variable->reals);
    }
    const auto ints = sliced(*variable, variable->ints);
    return std::vector<double>(ints.begin(), ints.end());
  }

  /** The last axis holds real and imaginary parts, and varies slowest. */
  std::vector<std::complex<double>> vals_c(
      const std::string& name) const override {
    const auto parts = vals_r(name);
    std::vector<std::complex<double>> values(parts.size() / 2);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = {parts[i], parts[i + values.size()]};
    }
    return values;
  }

  bool contains_r(const std::string& name) const override {
    return contains_i(name) || find(name) != nullptr;
  }

  bool contains_i(const std::string& name) const override {
    const row_variable* variable = find(name);
    return name == table_.rows_name
           || (variable != nullptr && variable->integer);
  }

  dimensions dims_r(const std::string& name) const override {
    const row_variable* variable = find(name);
    return variable == nullptr ? dimensions() : variable->dims_with(count_);
  }

  dimensions dims_i(const std::string& name) const override {
    return contains_i(name) ? dims_r(name) : dimensions();
  }

  void names_r(std::vector<std::string>& names) const override {
    collect_names(names, false);
  }

  void names_i(std::vector<std::string>& names) const override {
    collect_names(names, true);
    names.push_back(table_.rows_name);
  }

 private:
  template <typename T>
  std::vector<T> sliced(const row_variable& variable,
                        const std::vector<T>& values) const {
    return variable.slice(values, table_.num_rows, rows_, count_);
  }

  /** Constructors ask in the order of the table: the next variable, or the same
   * again, is nearly always the one. */
  const row_variable* find(const std::string& name) const {
    const auto& variables = table_.variables;
    for (std::size_t tried = 0; tried < variables.size(); ++tried, ++next_) {
      if (next_ >= variables.size()) {
        next_ = 0;
      }
      if (variables[next_].name == name) {
        return &variables[next_];
      }
    }
    return nullptr;
  }

  void collect_names(std::vector<std::string>& names, bool integer) const {
    names.clear();
    for (const auto& variable : table_.variables) {
      if (variable.integer == integer) {
        names.push_back(variable.name);
      }
    }
  }

  const row_table& table_;
  const std::size_t* rows_ = nullptr;
  std::size_t count_ = 0;
  mutable std::size_t next_ = 0;
};

}  // namespace stan_dp
#endif
