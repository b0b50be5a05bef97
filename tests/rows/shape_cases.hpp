#ifndef TESTS_ROWS_SHAPE_CASES_HPP
#define TESTS_ROWS_SHAPE_CASES_HPP

#include <tests/rows/test_models.hpp>
#include <stan_dp/rows/row_choice.hpp>
#include <cmath>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

/** @file
 * A model for each shape that data can have.
 */
namespace stan_dp {
namespace test {

struct shape_case {
  std::string name;
  model_factory factory;
  std::string json;
  row_choice choice;
};

inline void PrintTo(const shape_case& c, std::ostream* out) { *out << c.name; }

inline std::string tuple_data(int n) {
  return "{\"N\":" + std::to_string(n) + ",\"K\":3,\"of_arrays\":{\"1\":"
         + reals(n) + ",\"2\":" + reals(n, 3, 1) + "},\"array_of\":"
         + array(n,
                 [](int i) {
                   return "{\"1\":" + std::to_string(wave(i)) + ",\"2\":"
                          + reals(3, i) + ",\"3\":" + ints(2, 0, 4, i) + "}";
                 })
         + ",\"with_matrix\":"
         + array(n,
                 [](int i) {
                   return "{\"1\":" + std::to_string((3 * i) % 5)
                          + ",\"2\":" + reals(3, 2, 5 * i) + "}";
                 })
         + ",\"inner\":"
         + array(2,
                 [n](int j) {
                   return "{\"1\":" + ints(n, 0, 3, j) + ",\"2\":" + reals(n, j)
                          + "}";
                 })
         + "}";
}

inline std::string cube_data(int n) {
  const auto matrices = [](int outer, int rows, int columns) {
    return array(outer, [=](int i) { return reals(rows, columns, 11 * i); });
  };
  return "{\"N\":" + std::to_string(n) + ",\"a\":" + matrices(n, 3, 2)
         + ",\"b\":" + matrices(2, n, 3) + ",\"c\":" + matrices(2, 3, n) + "}";
}

inline std::string complex_data(int n) {
  return "{\"N\":" + std::to_string(n) + ",\"z\":" + reals(n, 2, 1)
         + ",\"w\":" + reals(n, 2, 2) + ",\"v\":"
         + array(2, [n](int i) { return reals(n, 2, 3 + i); }) + "}";
}

inline std::string simplexes(int n) {
  return array(n, [](int i) {
    const double a = 0.2 + 0.02 * (i % 7);
    const double b = 0.3 + 0.01 * (i % 5);
    std::ostringstream out;
    out.precision(17);
    out << "[" << a << "," << b << "," << 1 - a - b << "]";
    return out.str();
  });
}

inline std::string positive(int n, int salt) {
  return array(n, [salt](int i) { return 0.5 + std::abs(wave(i + salt)); });
}

inline std::vector<shape_case> shape_cases() {
  const std::string n = "{\"N\":40,";
  return {
      {"vector", new_model_normal_vector, n + "\"y\":" + reals(40) + "}", {}},
      {"glm",
       new_model_logistic,
       n + "\"K\":4,\"x\":" + reals(40, 4, 1) + ",\"y\":" + ints(40, 0, 1)
           + "}",
       {}},
      {"matrix_with_rows_second",
       new_model_wide,
       n + "\"K\":3,\"x\":" + reals(3, 40, 1) + ",\"y\":" + reals(40, 2, 2)
           + ",\"Sigma\":[[2,0.3],[0.3,1]]}",
       {"N", "", {"Sigma"}}},
      {"integer_arrays",
       new_model_counts,
       n + "\"T\":3,\"counts\":"
           + array(40, [](int i) { return ints(3, 0, 9, i); }) + ",\"trials\":"
           + ints(40, 5, 9) + ",\"successes\":" + ints(40, 0, 5, 2)
           + ",\"exposure\":" + positive(40, 3) + "}",
       {}},
      {"three_axes", new_model_cube, cube_data(17), {}},
      {"complex", new_model_complex_rows, complex_data(13), {}},
      {"tuples", new_model_tuples, tuple_data(12), {}},
      {"grouped_units",
       new_model_panel,
       n + "\"P\":9,\"person\":" + ints(40, 1, 9) + ",\"y\":" + reals(40) + "}",
       {"N", "person", {}}},
      {"varying_intercepts",
       new_model_varying,
       n + "\"J\":5,\"group\":" + ints(40, 1, 5) + ",\"x\":" + reals(40, 1)
           + ",\"y\":" + reals(40, 2) + ",\"u\":" + reals(5, 3) + "}",
       {"N", "", {"u"}}},
      {"varying_intercepts_by_group",
       new_model_varying,
       n + "\"J\":5,\"group\":" + ints(40, 1, 5) + ",\"x\":" + reals(40, 1)
           + ",\"y\":" + reals(40, 2) + ",\"u\":" + reals(5, 3) + "}",
       {"N", "group", {"u"}}},
      {"ordered_and_simplex",
       new_model_ordinal,
       n + "\"C\":4,\"grade\":" + ints(40, 1, 4)
           + ",\"shares\":" + simplexes(40) + ",\"x\":" + reals(40) + "}",
       {}},
      {"mixture", new_model_mixture, n + "\"y\":" + reals(40, 2, 1) + "}", {}},
      {"ode",
       new_model_decay,
       "{\"N\":6,\"t\":" + positive(6, 1) + ",\"start\":" + positive(6, 2)
           + ",\"y\":" + positive(6, 3) + "}",
       {}},
      {"proper_twin_of_the_refused",
       new_model_refusals,
       n + "\"wrong\":0,\"order\":1,\"min_rows\":0,\"x\":" + reals(40)
           + ",\"longer\":" + reals(40) + ",\"twice\":" + reals(40)
           + ",\"square_matrix\":" + reals(40, 1, 1) + "}",
       {}},
  };
}

}  // namespace test
}  // namespace stan_dp
#endif
