#ifndef STAN_DP_ROWS_MEMORY_HPP
#define STAN_DP_ROWS_MEMORY_HPP

#include <stan_dp/rows/refusal.hpp>
#include <stan_dp/rows/row_table.hpp>
#include <cstddef>
#include <fstream>
#include <limits>
#include <string>

namespace stan_dp {

/** Bytes of a variable's elements, without rows or for one row. */
inline double bytes_for_one_row(const row_variable& variable) {
  return static_cast<double>(num_elements(variable.dims_with(1)))
         * (variable.integer ? sizeof(int) : sizeof(double));
}

/**
 * Estimates what the models of all units will take.
 *
 * Every unit holds its own rows and, unavoidably, a copy of all that is public.
 * 400 bytes are the model object, its allocations and the pointer to it.
 */
inline double estimate_bytes(const row_table& table, std::size_t num_units) {
  double per_unit = 400;
  double per_row = 0;
  for (const auto& variable : table.variables) {
    (variable.has_rows() ? per_row : per_unit) += bytes_for_one_row(variable);
  }
  return per_unit * static_cast<double>(num_units)
         + per_row * static_cast<double>(table.num_rows);
}

/** Memory that the system can give; infinite where it does not say. */
inline double available_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  while (file >> name) {
    double kilobytes;
    std::string unit;
    if (name == "MemAvailable:" && file >> kilobytes >> unit) {
      return kilobytes * 1024;
    }
    std::getline(file, unit);
  }
  return std::numeric_limits<double>::infinity();
}

/** @throws refusal if the models would not fit. */
inline void require_memory(const row_table& table, std::size_t num_units,
                           double available) {
  if (estimate_bytes(table, num_units) < 0.9 * available) {
    return;
  }
  std::string largest;
  double most = 0;
  for (const auto& variable : table.variables) {
    if (!variable.has_rows() && bytes_for_one_row(variable) > most) {
      most = bytes_for_one_row(variable);
      largest = variable.name;
    }
  }
  throw refusal(
      "One model for each unit would not fit into memory"
      + (largest.empty()
             ? std::string()
             : ": every unit holds a copy of what is public, most of it "
                   + largest)
      + "; pass less public data, or the part that a row needs as data of that "
        "row.");
}

}  // namespace stan_dp
#endif
