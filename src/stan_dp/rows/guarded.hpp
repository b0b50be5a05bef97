#ifndef STAN_DP_ROWS_GUARDED_HPP
#define STAN_DP_ROWS_GUARDED_HPP

#include <stan_dp/rows/arithmetic_trap.hpp>
#include <exception>
#include <string>

namespace stan_dp {

/**
 * Runs code of the user's model on a unit's data. Its exceptions are caught,
 * and an integer division by zero counts as one.
 *
 * @param body what to run
 * @param[out] what the exception's text, unless null. It may quote a row: it
 * must not leave a run that is private.
 * @return whether the body came to its end
 */
template <typename F>
inline bool guarded(F&& body, std::string* what = nullptr) {
  const internal::arithmetic_guard guard;
  internal::divided_by_zero() = 0;
  std::string problem;
  try {
    body();
    if (!internal::divided_by_zero()) {
      return true;
    }
    problem = "integer division by zero";
  } catch (const std::exception& e) {
    problem
        = internal::divided_by_zero() ? "integer division by zero" : e.what();
  } catch (...) {
    problem = "an exception without a text";
  }
  if (what != nullptr) {
    *what = problem;
  }
  return false;
}

}  // namespace stan_dp
#endif
