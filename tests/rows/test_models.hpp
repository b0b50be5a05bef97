#ifndef TESTS_ROWS_TEST_MODELS_HPP
#define TESTS_ROWS_TEST_MODELS_HPP

#include <stan/model/model_header.hpp>
#include <stan_dp/rows/data_file.hpp>
#include <stan_dp/rows/model_factory.hpp>
#include <sstream>
#include <string>
#include <vector>

/** Declares the factory of tests/models/NAME.stan. */
#define TEST_MODEL(NAME)                                \
  extern "C" stan::model::model_base& new_model_##NAME( \
      stan::io::var_context&, unsigned int, std::ostream*)

TEST_MODEL(normal_vector);
TEST_MODEL(logistic);
TEST_MODEL(wide);
TEST_MODEL(counts);
TEST_MODEL(cube);
TEST_MODEL(complex_rows);
TEST_MODEL(tuples);
TEST_MODEL(panel);
TEST_MODEL(varying);
TEST_MODEL(ordinal);
TEST_MODEL(mixture);
TEST_MODEL(decay);
TEST_MODEL(refusals);
TEST_MODEL(totals);
TEST_MODEL(throws);

namespace stan_dp {
namespace test {

inline data_file json(const std::string& text) {
  std::istringstream in(text);
  return parse_json(in);
}

/** A JSON array of whatever `element(i)` writes. */
template <typename F>
std::string array(int size, F element) {
  std::ostringstream out;
  out << "[";
  for (int i = 0; i < size; ++i) {
    out << (i ? "," : "") << element(i);
  }
  out << "]";
  return out.str();
}

/** Numbers that look irregular, so that a mixed-up index shows. */
inline double wave(int i) { return std::sin(1.7 * i + 0.3) + 0.01 * i; }

inline std::string reals(int size, int salt = 0) {
  return array(size, [salt](int i) { return wave(i + 31 * salt); });
}

inline std::string reals(int rows, int columns, int salt) {
  return array(rows, [=](int i) { return reals(columns, i + 7 * salt); });
}

inline std::string ints(int size, int low, int high, int salt = 0) {
  return array(size, [=](int i) {
    return low + ((i + salt) * 7919 + 13) % (high - low + 1);
  });
}

}  // namespace test
}  // namespace stan_dp
#endif
