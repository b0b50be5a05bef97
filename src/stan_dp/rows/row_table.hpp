#ifndef STAN_DP_ROWS_ROW_TABLE_HPP
#define STAN_DP_ROWS_ROW_TABLE_HPP

#include <stan_dp/rows/shape.hpp>
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace stan_dp {

/**
 * Values of a data variable, flattened as Stan's readers deliver them.
 *
 * However the axes are ordered in memory, the row axis has `lower` elements
 * below it and `upper` above it: element `(u, row, l)` lies at
 * `(u * rows + row) * lower + l`. That is all a slice needs to know.
 */
struct row_variable {
  std::string name;
  bool integer = false;
  /** in the data file */
  dimensions dims;
  /** -1 if the variable has no row axis: every unit sees all of it */
  int row_axis = -1;
  std::size_t lower = 1;
  std::size_t upper = 1;
  /** one of the two is filled */
  std::vector<int> ints;
  std::vector<double> reals;

  bool has_rows() const { return row_axis >= 0; }

  /** Dimensions of a slice of `n` rows. */
  dimensions dims_with(std::size_t n) const {
    dimensions sliced = dims;
    if (has_rows()) {
      sliced[row_axis] = n;
    }
    return sliced;
  }

  /** Whether a slice of `n` rows has these dimensions. */
  bool has_dims(const dimensions& declared, std::size_t n) const {
    if (declared.size() != dims.size()) {
      return false;
    }
    for (std::size_t axis = 0; axis < dims.size(); ++axis) {
      const bool rows = static_cast<int>(axis) == row_axis;
      if (declared[axis] != (rows ? n : dims[axis])) {
        return false;
      }
    }
    return true;
  }

  /**
   * Sets the row axis and where its elements lie: axes are column-major, but
   * the axis of an array of tuples varies slowest.
   *
   * @param axis the row axis
   * @param array_of_tuples whether the first axis belongs to such an array
   */
  void set_row_axis(int axis, bool array_of_tuples = false) {
    row_axis = axis;
    lower = 1;
    upper = 1;
    const auto place = [array_of_tuples, n = dims.size()](std::size_t a) {
      return array_of_tuples && a == 0 ? n : a;
    };
    for (std::size_t a = 0; a < dims.size(); ++a) {
      if (place(a) < place(axis)) {
        lower *= dims[a];
      } else if (place(a) > place(axis)) {
        upper *= dims[a];
      }
    }
  }

  /** The elements of some rows, in their order, laid out as a smaller file
   * would have them. */
  template <typename T>
  std::vector<T> slice(const std::vector<T>& values, std::size_t num_rows,
                       const std::size_t* rows, std::size_t count) const {
    if (!has_rows()) {
      return values;
    }
    std::vector<T> sliced(upper * count * lower);
    auto out = sliced.begin();
    for (std::size_t u = 0; u < upper; ++u) {
      for (std::size_t k = 0; k < count; ++k) {
        const auto from = values.begin() + (u * num_rows + rows[k]) * lower;
        out = std::copy(from, from + lower, out);
      }
    }
    return sliced;
  }
};

/** All data of a model, and which of it belongs to rows. */
struct row_table {
  /** name of the variable that counts the rows */
  std::string rows_name;
  std::size_t num_rows = 0;
  /** in the order in which the model's constructor reads them, without the
   * row count */
  std::vector<row_variable> variables;

  std::vector<std::string> names(bool with_rows) const {
    std::vector<std::string> selected;
    for (const auto& v : variables) {
      if (v.has_rows() == with_rows) {
        selected.push_back(v.name);
      }
    }
    return selected;
  }
};

}  // namespace stan_dp
#endif
