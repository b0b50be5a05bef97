#ifndef STAN_DP_ROWS_LOAD_ROWS_HPP
#define STAN_DP_ROWS_LOAD_ROWS_HPP

#include <stan_dp/rows/closed_units.hpp>
#include <stan_dp/rows/data_file.hpp>
#include <stan_dp/rows/memory.hpp>
#include <stan_dp/rows/model_factory.hpp>
#include <stan_dp/rows/prior_hint.hpp>
#include <stan_dp/rows/prior_trial.hpp>
#include <stan_dp/rows/row_choice.hpp>
#include <stan_dp/rows/row_context.hpp>
#include <stan_dp/rows/row_layout.hpp>
#include <stan_dp/rows/row_table.hpp>
#include <stan_dp/rows/stan_units.hpp>
#include <stan_dp/rows/synthetic_check.hpp>
#include <stan_dp/rows/unit_groups.hpp>
#include <memory>
#include <string>
#include <vector>

namespace stan_dp {

/** A model and its data, divided into rows but not yet into models. */
struct divided_data {
  row_table table;
  unit_groups groups;
  /** the model without rows */
  std::unique_ptr<stan::model::model_base> prior;
  /** for the user; say nothing about rows */
  std::vector<std::string> warnings;
};

/** What a private run needs of a model and its data. */
struct loaded_rows {
  std::unique_ptr<stan::model::model_base> prior;
  std::unique_ptr<unit_likelihood> units;
  /** data variables that are divided among the units */
  std::vector<std::string> protected_names;
  /** data variables that every unit sees: integer scalars and public= */
  std::vector<std::string> public_names;
  std::vector<std::string> warnings;
};

namespace internal {

/**
 * The data, divided; errors of the data that explain why the model fails
 * without rows come before that failure.
 */
inline row_table divide_variables(const data_file& data,
                                  const row_choice& choice,
                                  const prior_trial& trial) {
  if (trial.reached != prior_trial::stage::constructor) {
    auto table = make_row_table(data, choice, trial.declared);
    require_prior(trial, choice.rows);
    return table;
  }
  // The constructor stopped: what it had declared until then is all we know.
  row_table seen;
  const std::size_t num_rows = read_num_rows(*data.context, choice.rows);
  for (const auto& variable : trial.declared) {
    if (variable.name != choice.rows) {
      seen.variables.push_back(describe(data, variable, num_rows, choice.rows));
    }
  }
  require_public(seen, choice);
  require_prior(trial, choice.rows);
  return seen;
}

}  // namespace internal

/**
 * Divides data among units.
 *
 * Depends on the model, on names, shapes and types in the data, and on public
 * values.
 *
 * @throws refusal where the privacy argument would not hold
 */
inline divided_data divide_data(model_factory factory, const data_file& data,
                                const row_choice& choice) {
  internal::read_num_rows(*data.context, choice.rows);
  const auto trial = try_prior(factory, *data.context, choice);
  auto table = internal::divide_variables(data, choice, trial);
  auto groups = make_unit_groups(data, choice, table.num_rows);
  require_memory(table, groups.size(), available_bytes());
  divided_data divided{std::move(table), std::move(groups), nullptr, {}};
  row_context context(divided.table);
  context.show(nullptr, 0);
  divided.prior = make_model(factory, context);
  if (!trial.quantities_problem.empty()) {
    divided.warnings.push_back(
        "Generated quantities cannot be computed without rows and will be "
        "written as nan ("
        + internal::one_line(trial.quantities_problem)
        + "): those that use rows are not private anyway.");
  }
  return divided;
}

/**
 * Builds one model for each unit, for a private run: checks on invented rows
 * that the likelihood is a product over units and whether it has a closed form,
 * and never builds a model of the whole data.
 */
inline loaded_rows load_rows(model_factory factory, const data_file& data,
                             const row_choice& choice) {
  auto divided = divide_data(factory, data, choice);
  const auto check
      = check_synthetic_rows(factory, divided.table, choice, *divided.prior);
  if (!check.warning.empty()) {
    divided.warnings.push_back(check.warning);
  }
  loaded_rows loaded;
  loaded.prior = std::move(divided.prior);
  auto invented = check.exact ? make_synthetic_units(factory, divided.table,
                                                     *loaded.prior)
                              : nullptr;
  loaded.units = with_closed_form(
      std::make_unique<stan_units>(factory, divided.table, divided.groups,
                                   *loaded.prior),
      std::move(invented));
  loaded.protected_names = divided.table.names(true);
  loaded.public_names = divided.table.names(false);
  loaded.warnings = std::move(divided.warnings);
  return loaded;
}

}  // namespace stan_dp
#endif
