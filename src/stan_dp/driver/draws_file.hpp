#ifndef STAN_DP_DRIVER_DRAWS_FILE_HPP
#define STAN_DP_DRIVER_DRAWS_FILE_HPP

#include <stan_dp/driver/strict_number.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace stan_dp {

/** Draws from Stan CSV files: those of all chains together. */
struct draws {
  /** of parameters, transformed parameters and generated quantities */
  std::vector<std::string> names;
  /** a column of draws for each name */
  std::vector<std::vector<double>> columns;
  /** the arguments that the first file lists, by name; the last one wins */
  std::map<std::string, std::string> config;
  /** whether a file says that it is not private */
  bool not_private = false;

  std::size_t size() const { return columns.empty() ? 0 : columns[0].size(); }

  /** The column of that name, or null. */
  const std::vector<double>* find(const std::string& name) const {
    auto it = std::find(names.begin(), names.end(), name);
    return it == names.end() ? nullptr : &columns[it - names.begin()];
  }
};

namespace internal {

inline std::string trimmed(const std::string& text) {
  std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) {
    return "";
  }
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

inline std::vector<std::string> split_commas(const std::string& line) {
  std::vector<std::string> parts;
  std::istringstream in(line);
  for (std::string part; std::getline(in, part, ',');) {
    parts.push_back(trimmed(part));
  }
  return parts;
}

/** `#   name = value (Default)` */
inline void read_comment(const std::string& line,
                         std::map<std::string, std::string>& config) {
  std::size_t equals = line.find(" = ");
  if (equals == std::string::npos) {
    return;
  }
  std::string value = line.substr(equals + 3);
  std::size_t preset = value.find(" (Default)");
  config[trimmed(line.substr(1, equals - 1))]
      = trimmed(value.substr(0, preset));
}

/** One file, row by row, as it stands there. */
struct draws_table {
  std::string file;
  std::vector<std::string> header;
  std::vector<std::vector<double>> rows;
  std::map<std::string, std::string> config;
  bool not_private = false;
  /** rows before the comment that ends the adaptation */
  std::size_t adaptation_rows = 0;
};

inline std::vector<double> read_row(const draws_table& table,
                                    const std::string& line,
                                    std::size_t line_number) {
  std::vector<double> row;
  for (const auto& text : split_commas(line)) {
    char* end = nullptr;
    row.push_back(std::strtod(text.c_str(), &end));
    if (text.empty() || *end != '\0') {
      row.clear();
      break;
    }
  }
  if (row.size() != table.header.size()) {
    throw std::runtime_error(
        "Line " + std::to_string(line_number) + " of " + table.file
        + " does not have a number for each of its "
        + std::to_string(table.header.size())
        + " columns: the file is damaged or the run did not end.");
  }
  return row;
}

inline draws_table read_table(const std::string& file) {
  std::ifstream in(file);
  if (!in) {
    throw std::runtime_error("There is no file " + file + " that can be read.");
  }
  draws_table table;
  table.file = file;
  std::size_t line_number = 0;
  for (std::string line; std::getline(in, line);) {
    ++line_number;
    if (trimmed(line).empty()) {
      continue;
    }
    if (line[0] == '#') {
      table.not_private |= line.find("NOT PRIVATE") != std::string::npos;
      if (table.header.empty()) {
        read_comment(line, table.config);
      } else if (line.find("Adaptation terminated") != std::string::npos) {
        table.adaptation_rows = table.rows.size();
      }
    } else if (table.header.empty()) {
      table.header = split_commas(line);
    } else {
      table.rows.push_back(read_row(table, line, line_number));
    }
  }
  if (table.rows.empty()) {
    throw std::runtime_error(file
                             + " holds no draws: it is not a Stan CSV file, or "
                               "the run did not end.");
  }
  return table;
}

inline double config_number(const draws_table& table, const std::string& name,
                            double otherwise) {
  auto it = table.config.find(name);
  if (it == table.config.end()) {
    return otherwise;
  }
  return parse_real(it->second).value_or(otherwise);
}

/** Rows at the beginning that are not draws: warm-up, or the mean of a
 * variational approximation. */
inline std::size_t rows_to_skip(const draws_table& table) {
  auto method = table.config.find("method");
  if (method != table.config.end() && method->second == "variational") {
    return 1;
  }
  auto saved = table.config.find("save_warmup");
  bool warmup = saved != table.config.end()
                && (saved->second == "true" || saved->second == "1");
  if (!warmup) {
    return 0;
  }
  double thin = config_number(table, "thin", 1);
  double count = std::ceil(config_number(table, "num_warmup", 0) / thin);
  return std::max(table.adaptation_rows, static_cast<std::size_t>(count));
}

inline bool is_diagnostic(const std::string& name) {
  return name.size() > 2 && name.compare(name.size() - 2, 2, "__") == 0;
}

}  // namespace internal

/**
 * Reads the chains of one run. Columns whose names end in `__` are left out.
 *
 * @throws std::runtime_error with a sentence for the user
 */
inline draws read_draws(const std::vector<std::string>& files) {
  draws all;
  std::vector<std::string> header;
  for (const auto& file : files) {
    internal::draws_table table = internal::read_table(file);
    if (header.empty()) {
      header = table.header;
      all.config = table.config;
      for (const auto& name : header) {
        if (!internal::is_diagnostic(name)) {
          all.names.push_back(name);
        }
      }
      all.columns.resize(all.names.size());
    } else if (table.header != header) {
      throw std::runtime_error(file + " has other columns than " + files[0]
                               + ": they are not chains of one run.");
    }
    all.not_private |= table.not_private;
    for (std::size_t i = internal::rows_to_skip(table); i < table.rows.size();
         ++i) {
      std::size_t to = 0;
      for (std::size_t j = 0; j < header.size(); ++j) {
        if (!internal::is_diagnostic(header[j])) {
          all.columns[to++].push_back(table.rows[i][j]);
        }
      }
    }
  }
  if (all.size() < 2) {
    throw std::runtime_error(files[0] + " holds fewer than two draws of a "
                                        "parameter: there is nothing to "
                                        "compare.");
  }
  return all;
}

}  // namespace stan_dp
#endif
