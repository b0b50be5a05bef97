#ifndef STAN_DP_DRIVER_CONTEXTS_HPP
#define STAN_DP_DRIVER_CONTEXTS_HPP

#include <stan_dp/driver/output_file.hpp>
#include <stan/io/dump.hpp>
#include <stan/io/empty_var_context.hpp>
#include <stan/io/json/json_data.hpp>
#include <stan/io/var_context.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

/** @file
 * Data, initial values and metrics from files: JSON, or R dump with CmdStan's
 * warning.
 */
namespace stan_dp {

using context_pointer = std::shared_ptr<stan::io::var_context>;

/** An empty name gives an empty context. */
inline context_pointer read_context(const std::string& file) {
  if (file.empty()) {
    return std::make_shared<stan::io::empty_var_context>();
  }
  std::ifstream stream = open_input(file);
  if (split_suffix(file).second == ".json") {
    return std::make_shared<stan::json::json_data>(stream);
  }
  std::cerr << "Warning: file '" << file
            << "' is being read as an 'RDump' file.\n"
               "\tThis format is deprecated and will not receive new "
               "features.\n"
               "\tConsider saving your data in JSON format instead.\n";
  return std::make_shared<stan::io::dump>(stream);
}

/**
 * A context for each chain: from `name_1.json`, `name_2.json`, ... where the
 * first of them exists, otherwise the same from `name.json` for all.
 */
inline std::vector<context_pointer> read_contexts(const std::string& file,
                                                  unsigned int num_chains,
                                                  unsigned int first_id) {
  std::vector<context_pointer> contexts;
  if (num_chains > 1 && !file.empty()) {
    auto [base, suffix] = split_suffix(file);
    if (suffix.empty()) {
      throw std::invalid_argument("Found: \"" + file
                                  + "\" but user specified files must end in "
                                    ".json or .R");
    }
    if (suffix != ".json" && suffix != ".R") {
      throw std::invalid_argument("file ending of " + suffix
                                  + " is not supported by cmdstan");
    }
    auto names = chain_files(base, "", suffix, num_chains, first_id);
    if (std::filesystem::exists(names.front())) {
      for (const auto& name : names) {
        contexts.push_back(read_context(name));
      }
      return contexts;
    }
  }
  contexts.assign(num_chains, read_context(file));
  return contexts;
}

}  // namespace stan_dp
#endif
