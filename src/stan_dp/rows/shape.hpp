#ifndef STAN_DP_ROWS_SHAPE_HPP
#define STAN_DP_ROWS_SHAPE_HPP

#include <cstddef>
#include <string>
#include <vector>

namespace stan_dp {

using dimensions = std::vector<std::size_t>;

/** Number of elements; 1 for a scalar. */
inline std::size_t num_elements(const dimensions& dims) {
  std::size_t product = 1;
  for (auto size : dims) {
    product *= size;
  }
  return product;
}

/** `[3, 2]`, or `a scalar`. */
inline std::string to_string(const dimensions& dims) {
  if (dims.empty()) {
    return "a scalar";
  }
  std::string text;
  for (auto size : dims) {
    text += (text.empty() ? "[" : ", ") + std::to_string(size);
  }
  return text + "]";
}

/** What a model's constructor declares of a data variable. */
struct declared_variable {
  std::string name;
  bool integer;
  /** without rows */
  dimensions dims;
  /** with one row; empty for scalars, and where the constructor did not come
   * so far */
  dimensions dims_of_one;

  bool integer_scalar() const { return integer && dims.empty(); }
};

}  // namespace stan_dp
#endif
