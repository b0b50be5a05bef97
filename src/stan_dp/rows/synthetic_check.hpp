#ifndef STAN_DP_ROWS_SYNTHETIC_CHECK_HPP
#define STAN_DP_ROWS_SYNTHETIC_CHECK_HPP

#include <stan_dp/rows/forked.hpp>
#include <stan_dp/rows/prior_hint.hpp>
#include <stan_dp/rows/refusal.hpp>
#include <stan_dp/rows/row_choice.hpp>
#include <stan_dp/rows/row_product.hpp>
#include <stan_dp/rows/synthetic_rows.hpp>
#include <algorithm>
#include <cstddef>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace stan_dp {
namespace internal {

/** Enough for couplings over a dozen rows. */
constexpr std::size_t num_synthetic_rows = 32;

/** Units of invented rows: their own ids where the model reads them, else
 * threes. */
inline unit_groups synthetic_groups(const row_table& table,
                                    const std::string& unit) {
  if (unit.empty()) {
    return unit_groups(table.num_rows);
  }
  for (const auto& variable : table.variables) {
    if (variable.name == unit && variable.ints.size() == table.num_rows) {
      return unit_groups(variable.ints);
    }
  }
  std::vector<int> ids(table.num_rows);
  for (std::size_t row = 0; row < ids.size(); ++row) {
    ids[row] = static_cast<int>(row / 3);
  }
  return unit_groups(ids);
}

inline void try_synthetic_rows(model_factory factory, const row_table& table,
                               const row_choice& choice,
                               const stan::model::model_base& prior,
                               const record_writer& write) {
  synthetic_rows rows(factory, table, prior.num_params_r());
  const auto invented = rows.make(num_synthetic_rows);
  if (!invented) {
    write(rows.parameters_move() ? "parameters" : "none");
    return;
  }
  const auto groups = synthetic_groups(*invented, choice.unit);
  const auto result
      = check_row_product(factory, *invented, groups, prior, false);
  if (result.units_compared == 0) {
    write("none");
  } else if (!result.failure.empty()) {
    write("failure " + result.failure);
  } else {
    std::ostringstream error;
    error << "error " << result.error();
    write(error.str());
  }
}

}  // namespace internal

[[noreturn]] inline void refuse_moving_parameters(const std::string& rows) {
  throw refusal("The number of parameters moves with " + rows
                + ": a latent value for each row cannot be private; "
                  "marginalise it out (and size what depends on groups by "
                  "data, not by max(g)).");
}

[[noreturn]] inline void refuse_coupled_rows(const std::string& unit,
                                             const std::string& why) {
  const std::string each = unit.empty() ? "row" : "unit of " + unit;
  throw refusal("The likelihood is not a product over " + each + "s (" + why
                + "): each " + each
                + " has to contribute a term that no other one enters. Time "
                  "series, Gaussian processes, shared latent states, means "
                  "over rows and priors that use their number couple them"
                + (unit.empty() ? "; if rows belong to persons or groups that "
                                  "are independent, name these with unit=."
                                : "."));
}

/** What invented rows have shown, when they did not show that it is wrong. */
struct synthetic_result {
  /** for the user; empty if all is well */
  std::string warning;
  /** whether the model accepts invented rows, and their likelihood is a product
   * to rounding error */
  bool exact = false;
};

/**
 * Checks on invented rows that the likelihood is a product over units. Depends
 * on the model and on public data only.
 *
 * @throws refusal if the rows are coupled, or their parameters move
 */
inline synthetic_result check_synthetic_rows(
    model_factory factory, const row_table& table, const row_choice& choice,
    const stan::model::model_base& prior) {
  const auto child = run_forked([&](const record_writer& write) {
    internal::try_synthetic_rows(factory, table, choice, prior, write);
  });
  const std::string not_made
      = "The check that the likelihood is a product over rows was not made: "
        "no invented row satisfied the model. Make it on the real rows with "
        "diagnose test=row_product (its output is not for release).";
  if (child.records.empty() || child.records.front() == "none") {
    return {not_made};
  }
  const std::string& record = child.records.front();
  if (record == "parameters") {
    refuse_moving_parameters(choice.rows);
  }
  if (internal::starts_with(record, "failure ")) {
    refuse_coupled_rows(choice.unit,
                        "invented rows together fail where each alone does "
                        "not: "
                            + internal::one_line(record.substr(8)));
  }
  const double error = std::stod(record.substr(6));
  if (!(error < row_product_loose)) {
    refuse_coupled_rows(choice.unit, "relative error " + record.substr(6)
                                         + " on invented rows");
  }
  if (!(error < row_product_exact)) {
    return {
        "On invented rows the likelihood is a product over rows only to a "
        "relative error of "
        + record.substr(6) + ": solver tolerances, most likely."};
  }
  return {"", true};
}

/**
 * Models of invented rows, more of them where there are many parameters. The
 * check comes first: it tries the model on such rows in a child process.
 */
inline std::unique_ptr<stan_units> make_synthetic_units(
    model_factory factory, const row_table& table,
    const stan::model::model_base& prior) {
  const std::size_t d = prior.num_params_r();
  synthetic_rows rows(factory, table, d);
  const auto invented = rows.make(
      std::clamp<std::size_t>(4 * (d + 1), internal::num_synthetic_rows, 256));
  if (!invented) {
    return nullptr;
  }
  return std::make_unique<stan_units>(
      factory, *invented, unit_groups(invented->num_rows), prior, false);
}

}  // namespace stan_dp
#endif
