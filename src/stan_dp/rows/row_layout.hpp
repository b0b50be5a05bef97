#ifndef STAN_DP_ROWS_ROW_LAYOUT_HPP
#define STAN_DP_ROWS_ROW_LAYOUT_HPP

#include <stan_dp/rows/data_file.hpp>
#include <stan_dp/rows/refusal.hpp>
#include <stan_dp/rows/row_choice.hpp>
#include <stan_dp/rows/row_table.hpp>
#include <stan_dp/rows/shape.hpp>
#include <stan_dp/rows/unit_groups.hpp>
#include <stan/io/var_context.hpp>
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

/** @file
 * Learns the row axis of every data variable from the model itself: the
 * declared size that is zero without rows, where the data file has as many
 * elements as there are rows.
 */
namespace stan_dp {
namespace internal {

inline std::vector<std::string> integer_scalars(
    const stan::io::var_context& file) {
  std::vector<std::string> names;
  file.names_i(names);
  names.erase(std::remove_if(names.begin(), names.end(),
                             [&](const std::string& name) {
                               return !file.dims_i(name).empty();
                             }),
              names.end());
  return names;
}

/** The value of the row count in the data file. */
inline std::size_t read_num_rows(const stan::io::var_context& file,
                                 const std::string& rows) {
  if (!file.contains_i(rows) || !file.dims_i(rows).empty()) {
    throw refusal("rows=" + rows + " is not an integer scalar in the data"
                  + "; integer scalars there: " + listed(integer_scalars(file))
                  + "; name the one that counts the rows with rows=.");
  }
  const int value = file.vals_i(rows).front();
  if (value < 0) {
    throw refusal("rows=" + rows + " is negative in the data.");
  }
  return static_cast<std::size_t>(value);
}

/** Values of a variable, fetched once: Stan's reader copies at each call. */
inline void fetch_values(const stan::io::var_context& file,
                         row_variable& variable) {
  if (variable.integer) {
    variable.ints = file.vals_i(variable.name);
  } else {
    variable.reals = file.vals_r(variable.name);
  }
}

inline void require_type(const stan::io::var_context& file,
                         const declared_variable& declared) {
  if (!file.contains_r(declared.name)) {
    throw refusal("The data file has no variable " + declared.name
                  + ", which the model declares.");
  }
  if (declared.integer && !file.contains_i(declared.name)) {
    throw refusal("Data variable " + declared.name
                  + " is declared as integer, but the data file holds values "
                    "that are not integers.");
  }
}

/** How a size that is `base` without rows and `actual` in the file moves, or
 * an empty text if it does not look like a multiple of the number of rows. */
inline std::string other_movement(std::size_t base, std::size_t actual,
                                  std::size_t num_rows,
                                  const std::string& rows) {
  if (num_rows == 0 || actual <= base || (actual - base) % num_rows != 0) {
    return "";
  }
  const std::size_t factor = (actual - base) / num_rows;
  return (factor == 1 ? "" : std::to_string(factor) + " * ") + rows
         + (base == 0 ? "" : " + " + std::to_string(base));
}

/** Whether a size follows the number of rows: learned from the model at one
 * row if its constructor came that far, else from the file. */
inline bool moves(const declared_variable& declared, std::size_t axis,
                  const dimensions& actual, std::size_t num_rows) {
  if (!declared.dims_of_one.empty()) {
    return declared.dims_of_one[axis] != declared.dims[axis];
  }
  return declared.dims[axis] == 0
         && (num_rows == 0
             || (axis < actual.size() && actual[axis] == num_rows));
}

[[noreturn]] inline void refuse_movement(const declared_variable& declared,
                                         std::size_t axis,
                                         const std::string& rows) {
  throw refusal("Data variable " + declared.name + " has a size that moves with "
                + rows + ", from " + std::to_string(declared.dims[axis])
                + " at " + rows + " = 0 to "
                + std::to_string(declared.dims_of_one[axis]) + " at " + rows
                + " = 1: its elements cannot be divided among the rows; give "
                  "it "
                + rows + " elements, one for each row.");
}

/** The row axis, or -1. */
inline int find_row_axis(const declared_variable& declared,
                         const dimensions& actual, std::size_t num_rows,
                         const std::string& rows) {
  int row_axis = -1;
  for (std::size_t axis = 0; axis < declared.dims.size(); ++axis) {
    if (!moves(declared, axis, actual, num_rows)) {
      continue;
    }
    if (declared.dims[axis] != 0
        || (!declared.dims_of_one.empty() && declared.dims_of_one[axis] != 1)) {
      refuse_movement(declared, axis, rows);
    }
    if (row_axis >= 0 && num_rows > 0) {
      throw refusal("Two axes of data variable " + declared.name
                    + " have size " + rows
                    + ": it relates rows to each other and cannot be divided "
                      "among them; a model with independent rows has no such "
                      "variable.");
    }
    row_axis = row_axis >= 0 ? row_axis : static_cast<int>(axis);
  }
  return row_axis;
}

inline void require_shape(const declared_variable& declared,
                          const dimensions& expected, const dimensions& actual,
                          int row_axis, std::size_t num_rows,
                          const std::string& rows) {
  if (expected.size() != actual.size()) {
    throw refusal("Data variable " + declared.name + " is declared with "
                  + std::to_string(expected.size())
                  + " dimensions, but the data file has "
                  + std::to_string(actual.size()) + ".");
  }
  for (std::size_t axis = 0; axis < actual.size(); ++axis) {
    if (actual[axis] == expected[axis]) {
      continue;
    }
    const auto movement
        = other_movement(declared.dims[axis], actual[axis], num_rows, rows);
    if (declared.dims_of_one.empty() && !movement.empty()) {
      throw refusal("Data variable " + declared.name
                    + " seems to have a size that moves with " + rows + " as "
                    + movement
                    + ": its elements cannot be divided among the rows; give "
                      "it "
                    + rows + " elements, one for each row.");
    }
    if (static_cast<int>(axis) == row_axis || declared.dims[axis] == 0) {
      throw refusal(rows + " = " + std::to_string(num_rows)
                    + " in the data, but " + declared.name + " has "
                    + std::to_string(actual[axis]) + " elements along axis "
                    + std::to_string(axis + 1)
                    + ": make them agree (a size that depends on the rows' "
                      "values cannot be divided among them).");
    }
    throw refusal("Data variable " + declared.name + " is declared with size "
                  + to_string(expected) + ", but the data file has "
                  + to_string(actual) + ".");
  }
}

/** Array levels above a component of a tuple; 0 for anything else. */
inline std::size_t tuple_levels(const data_file& data,
                                const std::string& name) {
  const auto found = data.tuple_levels.find(name);
  const std::size_t levels
      = found == data.tuple_levels.end() ? 0 : found->second;
  if (levels > 1) {
    throw refusal("Data variable " + name
                  + " lies below two levels of arrays of tuples, which Stan "
                    "2.35 reads in another order than the file has them: use "
                    "one level, or a tuple of arrays.");
  }
  return levels;
}

inline row_variable describe(const data_file& data,
                             const declared_variable& declared,
                             std::size_t num_rows, const std::string& rows) {
  const auto& file = *data.context;
  const auto actual = file.dims_r(declared.name);
  const bool nothing
      = !declared.dims.empty()
        && (!file.contains_r(declared.name) || num_elements(actual) == 0);
  row_variable variable;
  variable.name = declared.name;
  variable.integer = declared.integer;
  variable.dims = declared.dims;
  const int axis = find_row_axis(declared, nothing ? dimensions() : actual,
                                 num_rows, rows);
  if (axis >= 0) {
    variable.dims[axis] = num_rows;
    variable.set_row_axis(axis, tuple_levels(data, declared.name) == 1);
  }
  if (nothing && num_elements(variable.dims) == 0) {
    // Stan's readers cannot tell the shape of [], and let it be missing.
    return variable;
  }
  require_type(file, declared);
  require_shape(declared, variable.dims, actual, axis, num_rows, rows);
  fetch_values(file, variable);
  return variable;
}

/** Every variable without rows is an integer scalar or named public. */
inline void require_public(const row_table& table, const row_choice& choice) {
  std::vector<std::string> exposed;
  for (const auto& v : table.variables) {
    const bool integer_scalar = v.integer && v.dims.empty();
    if (!v.has_rows() && !integer_scalar && num_elements(v.dims) > 0
        && !choice.is_public(v.name)) {
      exposed.push_back(v.name);
    }
  }
  if (exposed.empty()) {
    return;
  }
  const bool one = exposed.size() == 1;
  std::string option = "public=";
  for (const auto& name : exposed) {
    option += (&name == &exposed.front() ? "" : ",") + name;
  }
  throw refusal("Data variable" + std::string(one ? " " : "s ")
                + listed(exposed) + (one ? " has" : " have") + " no axis of size "
                + choice.rows
                + ": every unit would see all of it and nothing would protect "
                  "it; if it is public knowledge say "
                + option + ", otherwise give it one entry for each row.");
}

inline void require_known_names(const data_file& data,
                                const row_choice& choice) {
  for (const auto& name : choice.public_names) {
    if (!data.context->contains_r(name)) {
      std::vector<std::string> names;
      std::vector<std::string> ints;
      data.context->names_r(names);
      data.context->names_i(ints);
      names.insert(names.end(), ints.begin(), ints.end());
      throw refusal("public=" + name
                    + " is not a variable of the data; it has: " + listed(names)
                    + ".");
    }
  }
}

}  // namespace internal

/**
 * Reads all data of the model, and finds out which of it belongs to rows.
 *
 * @param data the data file
 * @param choice what the user said about it
 * @param declared what the model declares without rows and, as far as its
 * constructor came, with one
 * @throws refusal where the data cannot be divided among rows
 */
inline row_table make_row_table(
    const data_file& data, const row_choice& choice,
    const std::vector<declared_variable>& declared) {
  row_table table;
  table.rows_name = choice.rows;
  table.num_rows = internal::read_num_rows(*data.context, choice.rows);
  internal::require_known_names(data, choice);
  bool counted = false;
  std::vector<std::string> scalars;
  for (const auto& variable : declared) {
    if (variable.integer_scalar()) {
      scalars.push_back(variable.name);
    }
    if (variable.name == choice.rows) {
      counted = variable.integer_scalar();
    } else {
      table.variables.push_back(
          internal::describe(data, variable, table.num_rows, choice.rows));
    }
  }
  if (!counted) {
    throw refusal("rows=" + choice.rows
                  + " is not an integer scalar among the model's data; its "
                    "integer scalars: "
                  + listed(scalars)
                  + "; name the one that counts the rows with rows=.");
  }
  internal::require_public(table, choice);
  if (table.names(true).empty()) {
    throw refusal("No data variable has an axis of size " + choice.rows
                  + ", so nothing would be protected (counts and other "
                    "summaries of the rows cannot be): pass the rows "
                    "themselves.");
  }
  return table;
}

/**
 * The rows of each unit.
 *
 * @throws refusal if unit= does not name an integer for each row
 */
inline unit_groups make_unit_groups(const data_file& data,
                                    const row_choice& choice,
                                    std::size_t num_rows) {
  if (choice.unit.empty()) {
    return unit_groups(num_rows);
  }
  const auto& file = *data.context;
  if (!file.contains_r(choice.unit)) {
    throw refusal("unit=" + choice.unit + " is not a variable of the data.");
  }
  const auto dims = file.dims_r(choice.unit);
  if (!file.contains_i(choice.unit) && num_elements(dims) > 0) {
    throw refusal("unit=" + choice.unit
                  + " has to be an array of integers, one id for each row.");
  }
  if (dims.size() != 1 || dims[0] != num_rows) {
    throw refusal("unit=" + choice.unit + " has size " + to_string(dims)
                  + ", but needs one id for each of the " + choice.rows
                  + " rows.");
  }
  return unit_groups(file.vals_i(choice.unit));
}

}  // namespace stan_dp
#endif
