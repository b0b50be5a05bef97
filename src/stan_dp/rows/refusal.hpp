#ifndef STAN_DP_ROWS_REFUSAL_HPP
#define STAN_DP_ROWS_REFUSAL_HPP

#include <stdexcept>
#include <string>
#include <vector>

namespace stan_dp {

/**
 * A model, a data file or a choice that the privacy argument does not cover.
 *
 * The text says what is wrong, where, and what to change. It depends on names,
 * shapes and types, on public data and on the model, never on a row's values.
 */
class refusal : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/** `a, b, c`, or `none`. */
inline std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text.empty() ? "none" : text;
}

}  // namespace stan_dp
#endif
