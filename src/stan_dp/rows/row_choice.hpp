#ifndef STAN_DP_ROWS_ROW_CHOICE_HPP
#define STAN_DP_ROWS_ROW_CHOICE_HPP

#include <algorithm>
#include <string>
#include <vector>

namespace stan_dp {

/** What the user says about the data: the options rows=, unit= and public=. */
struct row_choice {
  /** the data variable that counts the rows */
  std::string rows = "N";
  /** the integer array that names each row's unit; empty: a row is a unit */
  std::string unit;
  /** data variables that are the same for all units and need no protection */
  std::vector<std::string> public_names;

  bool is_public(const std::string& name) const {
    return std::find(public_names.begin(), public_names.end(), name)
           != public_names.end();
  }
};

}  // namespace stan_dp
#endif
