#ifndef STAN_DP_DRIVER_RUN_DP_HPP
#define STAN_DP_DRIVER_RUN_DP_HPP

#include <stan_dp/driver/contexts.hpp>
#include <stan_dp/driver/csv_writer.hpp>
#include <stan_dp/driver/dp_request.hpp>
#include <stan_dp/rows/load_rows.hpp>
#include <stan_dp/services/dp_hmc.hpp>
#include <stan_dp/services/dp_penalty.hpp>
#include <stan_dp/services/dp_sghmc.hpp>
#include <stan_dp/services/dp_sgld.hpp>
#include <stan_dp/services/dp_sgnht.hpp>
#include <stan_dp/services/dp_variational.hpp>
#include <stan_dp/services/diagnose_row_product.hpp>
#include <stan_dp/services/ledger_reservation.hpp>
#include <stan/callbacks/interrupt.hpp>
#include <stan/callbacks/logger.hpp>
#include <stan/callbacks/writer.hpp>
#include <stan/model/model_base.hpp>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/** @file
 * Where both front ends hand a private run to the services.
 */
namespace stan_dp {

/** What a front end gives to a private run. */
struct dp_front_end {
  model_factory factory;
  std::string data_file;
  /** for each chain; asserted public */
  std::vector<context_pointer> inits;
  stan::callbacks::interrupt& interrupt;
  stan::callbacks::logger& logger;
  /** one for each chain; open, nothing written yet */
  std::vector<csv_writer>& writers;
  /** writes the head of a CSV file; gets the model without rows */
  std::function<void(stan::callbacks::writer&, const stan::model::model_base&)>
      write_config;
};

namespace internal {

/** All that the services are called with. */
struct dp_call {
  const dp_request& request;
  private_run run;
  chain_contexts inits;
  run_callbacks callbacks;

  int operator()(const dp_hmc_settings& s) const {
    const auto metrics = read_metrics(s.metric_file);
    return services::dp_hmc(run, request.sample, request.adapt, s,
                            {inits, context_pointers(metrics)}, callbacks);
  }
  int operator()(const dp_penalty_settings& s) const {
    const auto metrics = read_metrics(s.metric_file);
    return services::dp_penalty(run, request.sample, request.adapt, s,
                                {inits, context_pointers(metrics)}, callbacks);
  }
  int operator()(const dp_sgld_settings& s) const {
    return services::dp_sgld(run, request.sample, s, inits, callbacks);
  }
  int operator()(const dp_sghmc_settings& s) const {
    return services::dp_sghmc(run, request.sample, s, inits, callbacks);
  }
  int operator()(const dp_sgnht_settings& s) const {
    return services::dp_sgnht(run, request.sample, s, inits, callbacks);
  }
  int operator()(const dp_variational_settings& s) const {
    return services::dp_variational(run, request.sample, s, inits, callbacks);
  }

 private:
  std::vector<context_pointer> read_metrics(const std::string& file) const {
    return file.empty() ? std::vector<context_pointer>()
                        : read_contexts(file, request.sample.num_chains,
                                        request.sample.id);
  }
};

inline row_choice rows_of_request(const privacy_settings& s) {
  return {s.rows, s.unit, s.public_names};
}

}  // namespace internal

/**
 * Makes a private run: reads and divides the data, writes the head of each
 * file, and calls the service of the algorithm. The model of all rows is never
 * built.
 *
 * @return an error code: 0 if the run was made
 * @throws std::exception with a sentence for the user, before any query
 */
inline int run_dp(const dp_request& request, dp_front_end& front) {
  loaded_rows rows = load_rows(front.factory, read_data_file(front.data_file),
                               internal::rows_of_request(request.privacy));
  for (const auto& warning : rows.warnings) {
    front.logger.warn("WARNING: " + warning);
  }
  std::vector<stan::callbacks::writer> nothing(front.writers.size());
  const internal::dp_call call{
      request,
      {*rows.prior, *rows.units, request.privacy, rows.protected_names,
       ledger_reservation(request.privacy, request.algorithm, front.data_file)},
      context_pointers(front.inits),
      {front.interrupt, front.logger, writer_pointers(nothing),
       writer_pointers(front.writers), writer_pointers(nothing)}};
  for (auto& writer : front.writers) {
    front.write_config(writer, *rows.prior);
  }
  return std::visit(call, request.settings);
}

/** `diagnose test=row_product`: raw rows, for the person who holds them. */
inline int run_row_product(const std::string& data_file,
                           const row_choice& choice, model_factory factory,
                           stan::callbacks::logger& logger) {
  return services::diagnose_row_product(factory, read_data_file(data_file),
                                        choice, logger);
}

/** `init=` is a radius or a file. */
inline std::pair<double, std::string> read_init(const std::string& init) {
  try {
    return {std::stod(init), ""};
  } catch (const std::logic_error&) {
    return {2.0, init};
  }
}

/** Quantities generated from the data are not covered by a private fit. */
inline void warn_of_private_fit(const std::string& fitted_params) {
  std::ifstream stream(fitted_params);
  std::string line;
  while (std::getline(stream, line) && !line.empty() && line[0] == '#') {
    if (line.rfind("# privacy:", 0) == 0) {
      std::cout << "NOT PRIVATE: generate_quantities reads the data itself; "
                   "the privacy of the fit does not cover its output.\n";
      return;
    }
  }
}

}  // namespace stan_dp
#endif
