#ifndef STAN_DP_ROWS_PRIOR_HINT_HPP
#define STAN_DP_ROWS_PRIOR_HINT_HPP

#include <stan_dp/rows/prior_trial.hpp>
#include <stan_dp/rows/refusal.hpp>
#include <csignal>
#include <string>

namespace stan_dp {
namespace internal {

inline bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/** What to change, for the usual reasons why a model fails without rows. */
inline std::string hint_without_rows(const prior_trial& trial,
                                     const std::string& rows) {
  // without the place in the program, which may contain any word
  const std::string why = trial.problem.substr(0, trial.problem.find(" (in '"));
  if (trial.signal == SIGFPE || mentions(why, "integer division by zero")) {
    return "an integer is divided by " + rows
           + ", which kills the program: divide by a real (" + rows
           + " * 1.0) or by max(" + rows + ", 1)";
  }
  if (trial.signal != 0) {
    return "it crashes (signal " + std::to_string(trial.signal)
           + "), which no check of Stan's prevented";
  }
  if (mentions(why, rows + " is 0, but must be greater than or equal to")) {
    return "declare it as int<lower=0> " + rows
           + " (brms writes lower=1; nothing else has to change)";
  }
  if (mentions(why, "accessing element out of range")
      || mentions(why, "index")) {
    return "the model reads an element such as x[1] outside of a loop over "
           "the rows: move it into a loop, or guard it with if ("
           + rows + " > 0)";
  }
  if (mentions(why, "size 0, but must have a non-zero size")
      || mentions(why, "mean") || mentions(why, "variance")
      || mentions(why, "sd:")) {
    return "a mean, sd, min or max of the rows' data is taken: compute it "
           "outside of Stan from public knowledge and pass it as data";
  }
  if (mentions(why, "times") || mentions(why, "ode_")
      || mentions(why, "initial time")) {
    return "an ODE is solved at no times: solve it inside a loop over the "
           "rows";
  }
  if (mentions(why, "not finite") || mentions(why, "inf")
      || mentions(why, "nan") || mentions(why, "must be positive")) {
    return "a prior seems to be scaled by " + rows
           + " or by a summary of the rows: give it a constant scale";
  }
  return "the prior and the generated quantities have to make sense without "
         "any row";
}

inline const char* stage_text(prior_trial::stage stage) {
  switch (stage) {
    case prior_trial::stage::constructor:
      return "cannot be constructed";
    case prior_trial::stage::density:
      return "has no finite log density";
    default:
      return "cannot write a draw";
  }
}

/** One line: Stan's messages end with the place in the program. */
inline std::string one_line(std::string text) {
  for (auto& c : text) {
    if (c == '\n') {
      c = ' ';
    }
  }
  const auto end = text.find_last_not_of(' ');
  return end == std::string::npos ? "" : text.substr(0, end + 1);
}

}  // namespace internal

/** @throws refusal if the model without rows does not work. */
inline void require_prior(const prior_trial& trial, const std::string& rows) {
  if (trial.reached == prior_trial::stage::done) {
    return;
  }
  std::string text = "With " + rows + " = 0 the model "
                     + internal::stage_text(trial.reached);
  if (!trial.problem.empty()) {
    text += " (" + internal::one_line(trial.problem) + ")";
  }
  throw refusal(text + "; a private run needs the model without rows as its "
                + "prior: " + internal::hint_without_rows(trial, rows) + ".");
}

}  // namespace stan_dp
#endif
