#ifndef STAN_DP_DRIVER_CONFIG_HPP
#define STAN_DP_DRIVER_CONFIG_HPP

#include <stan_dp/driver/argument.hpp>
#include <stan_dp/services/utc_time.hpp>
#include <stan/callbacks/structured_writer.hpp>
#include <stan/callbacks/writer.hpp>
#include <stan/model/model_base.hpp>
#include <stan/version.hpp>
#include <string>

/** @file
 * What a run was asked to do, as comments of a CSV file and as JSON.
 */
namespace stan_dp {

/** The answer to `info`. */
inline std::string driver_info() {
  return "stan_version_major = " + stan::MAJOR_VERSION
         + "\nstan_version_minor = " + stan::MINOR_VERSION
         + "\nstan_version_patch = " + stan::PATCH_VERSION +
#ifdef STAN_THREADS
         "\nSTAN_THREADS=true"
#else
         "\nSTAN_THREADS=false"
#endif
         "\nSTAN_MPI=false\nSTAN_OPENCL=false"
#ifdef STAN_NO_RANGE_CHECKS
         "\nSTAN_NO_RANGE_CHECKS=true"
#else
         "\nSTAN_NO_RANGE_CHECKS=false"
#endif
         "\nSTAN_CPP_OPTIMS=false\n";
}

inline void write_version(stan::callbacks::writer& out) {
  out("stan_version_major = " + stan::MAJOR_VERSION);
  out("stan_version_minor = " + stan::MINOR_VERSION);
  out("stan_version_patch = " + stan::PATCH_VERSION);
}

/** The head of a CSV file of draws. */
inline void write_config(stan::callbacks::writer& out,
                         const argument_tree& arguments,
                         const stan::model::model_base& model) {
  write_version(out);
  out("model = " + model.model_name());
  out("start_datetime = " + utc_now());
  arguments.print([&out](const std::string& line) { out(line); });
  for (const auto& line : model.model_compile_info()) {
    out(line);
  }
}

/** The head of a diagnostic file. */
inline void write_diagnostic_config(stan::callbacks::writer& out,
                                    const argument_tree& arguments,
                                    const stan::model::model_base& model) {
  write_version(out);
  out("model = " + model.model_name());
  arguments.print([&out](const std::string& line) { out(line); });
}

namespace internal {

inline void write_leaf(stan::callbacks::structured_writer& out,
                       const argument& a) {
  if (a.value.empty() || a.type == option_type::text) {
    out.write(a.name, a.value);
  } else if (a.type == option_type::truth) {
    out.write(a.name, a.value == "true");
  } else if (a.type == option_type::integer) {
    out.write(a.name, std::stoll(a.value));
  } else {
    out.write(a.name, std::stod(a.value));
  }
}

inline void write_json(stan::callbacks::structured_writer& out,
                       const argument& a) {
  switch (a.is) {
    case argument::kind::group:
      out.begin_record(a.name);
      for (const auto& b : a.below) {
        write_json(out, b);
      }
      out.end_record();
      break;
    case argument::kind::choice:
      out.begin_record(a.name);
      out.write("value", a.below[a.chosen].name);
      write_json(out, a.below[a.chosen]);
      out.end_record();
      break;
    case argument::kind::leaf:
      write_leaf(out, a);
      break;
    default:
      break;
  }
}

}  // namespace internal

/** CmdStan's `save_cmdstan_config`. */
inline void write_json_config(stan::callbacks::structured_writer& out,
                              const argument_tree& arguments,
                              const stan::model::model_base& model) {
  out.begin_record();
  out.write("stan_major_version", stan::MAJOR_VERSION);
  out.write("stan_minor_version", stan::MINOR_VERSION);
  out.write("stan_patch_version", stan::PATCH_VERSION);
  out.write("model_name", model.model_name());
  out.write("start_datetime", utc_now());
  for (const auto& a : arguments.arguments()) {
    internal::write_json(out, a);
  }
  out.write("mpi_enabled", false);
  for (const auto& line : model.model_compile_info()) {
    std::size_t equals = line.find(" = ");
    if (equals != std::string::npos) {
      out.write(line.substr(0, equals), line.substr(equals + 3));
    }
  }
  out.end_record();
}

}  // namespace stan_dp
#endif
