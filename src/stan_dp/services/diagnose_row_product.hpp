#ifndef STAN_DP_SERVICES_DIAGNOSE_ROW_PRODUCT_HPP
#define STAN_DP_SERVICES_DIAGNOSE_ROW_PRODUCT_HPP

#include <stan_dp/rows/load_rows.hpp>
#include <stan_dp/rows/row_product.hpp>
#include <stan/callbacks/logger.hpp>
#include <stan/services/error_codes.hpp>
#include <sstream>
#include <string>

namespace stan_dp {
namespace services {
namespace row_product_report {

inline void report_data(const divided_data& divided, const row_choice& choice,
                        stan::callbacks::logger& logger) {
  std::ostringstream line;
  line << "  rows: " << choice.rows << " = " << divided.table.num_rows
       << "; units: " << divided.groups.size()
       << (choice.unit.empty() ? " (a row each)" : " (by " + choice.unit + ")");
  logger.info(line.str());
  for (const auto& variable : divided.table.variables) {
    if (variable.has_rows()) {
      logger.info("  " + variable.name + ": rows along axis "
                  + std::to_string(variable.row_axis + 1) + " of "
                  + to_string(variable.dims));
    }
  }
  logger.info("  public, the same for every unit: "
              + listed(divided.table.names(false)));
  for (const auto& warning : divided.warnings) {
    logger.info("  " + warning);
  }
}

inline void report_result(const row_product_result& result,
                          stan::callbacks::logger& logger) {
  std::ostringstream text;
  text << "  units that cannot be constructed: " << result.units_not_constructed
       << ", that cannot be evaluated: " << result.units_not_evaluated;
  logger.info(text.str());
  if (!result.first_problem.empty()) {
    logger.info("  the first of them: "
                + internal::one_line(result.first_problem));
  }
  text.str("");
  text << "  largest relative error over " << result.units_compared
       << " units at " << result.points << " points: values "
       << result.value_error << ", gradients " << result.gradient_error;
  logger.info(text.str());
}

}  // namespace row_product_report

/**
 * Checks on the data given that the model is a product over units, and prints
 * a short report. It looks at raw rows: for the person who holds them.
 *
 * @return OK if it holds; otherwise the reason was logged as an error
 */
inline int diagnose_row_product(model_factory factory, const data_file& data,
                                const row_choice& choice,
                                stan::callbacks::logger& logger) {
  logger.info("TEST ROW PRODUCT MODE");
  logger.info(
      "NOT FOR RELEASE: this report is made from the real rows, without "
      "privacy.");
  try {
    const auto divided = divide_data(factory, data, choice);
    row_product_report::report_data(divided, choice, logger);
    const auto result = check_row_product(factory, divided.table,
                                          divided.groups, *divided.prior);
    row_product_report::report_result(result, logger);
    if (result.parameters_move) {
      refuse_moving_parameters(choice.rows);
    }
    if (divided.groups.size() > 0 && result.units_compared == 0) {
      throw refusal("No unit can be evaluated: "
                    + internal::one_line(result.first_problem) + ".");
    }
    if (result.coupled()) {
      std::ostringstream why;
      why << "relative error " << result.error();
      refuse_coupled_rows(
          choice.unit,
          result.failure.empty()
              ? why.str()
              : "together they fail: " + internal::one_line(result.failure));
    }
    logger.info(result.loose()
                    ? "The likelihood is a product over units up to the "
                      "tolerance of a solver."
                    : "The likelihood is a product over units.");
  } catch (const refusal& e) {
    logger.error(e.what());
    return stan::services::error_codes::DATAERR;
  }
  return stan::services::error_codes::OK;
}

}  // namespace services
}  // namespace stan_dp
#endif
