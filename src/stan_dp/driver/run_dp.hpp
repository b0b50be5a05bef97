#ifndef STAN_DP_DRIVER_RUN_DP_HPP
#define STAN_DP_DRIVER_RUN_DP_HPP

#include <stan_dp/driver/dp_request.hpp>
#include <stan/callbacks/interrupt.hpp>
#include <stan/callbacks/logger.hpp>
#include <stan/callbacks/writer.hpp>
#include <stan/io/var_context.hpp>
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

/** The type of `new_model`, which every compiled Stan program defines. */
using model_factory = stan::model::model_base& (*)(stan::io::var_context&,
                                                   unsigned int, std::ostream*);

/** What a front end gives to a private run. */
struct dp_front_end {
  model_factory factory;
  std::string data_file;
  /** for each chain; asserted public */
  std::vector<std::shared_ptr<stan::io::var_context>> inits;
  stan::callbacks::interrupt& interrupt;
  stan::callbacks::logger& logger;
  /** one for each chain; open, nothing written yet */
  std::vector<stan::callbacks::writer*> writers;
  /** writes the head of a CSV file; gets the model without rows */
  std::function<void(stan::callbacks::writer&, const stan::model::model_base&)>
      write_config;
};

/** @return an error code: 0 if the run was made */
inline int run_dp(const dp_request& request, dp_front_end&) {
  throw std::logic_error(request.algorithm + " has no service.");
}

/** What `diagnose test=row_product` asks for. */
struct row_product_request {
  std::string data_file;
  std::string rows;
  std::string unit;
  std::vector<std::string> public_names;
};

inline int run_row_product(const row_product_request&, model_factory,
                           stan::callbacks::logger&) {
  throw std::logic_error("row_product has no service.");
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
