#ifndef STAN_DP_ROWS_DATA_FILE_HPP
#define STAN_DP_ROWS_DATA_FILE_HPP

#include <stan_dp/rows/refusal.hpp>
#include <stan/io/dump.hpp>
#include <stan/io/empty_var_context.hpp>
#include <stan/io/ends_with.hpp>
#include <stan/io/json/json_data.hpp>
#include <rapidjson/istreamwrapper.h>
#include <rapidjson/reader.h>
#include <cstddef>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace stan_dp {
namespace internal {

/**
 * Counts, for each component of a tuple, the array levels above the innermost
 * tuple: `array[N, M] tuple(...)` has 2, a tuple of arrays has 0.
 *
 * Stan's reader flattens a component in another order below such arrays, and a
 * model's declarations do not tell the two apart.
 */
class tuple_level_counter
    : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>,
                                          tuple_level_counter> {
 public:
  bool Default() { return true; }
  bool Key(const char* text, rapidjson::SizeType length, bool) {
    path_.back() = std::string(text, length);
    if (path_.size() > 1) {
      levels_[joined()] = arrays_;
    }
    return true;
  }
  bool StartObject() {
    path_.emplace_back();
    return true;
  }
  bool EndObject(rapidjson::SizeType) {
    path_.pop_back();
    return true;
  }
  bool StartArray() {
    ++arrays_;
    return true;
  }
  bool EndArray(rapidjson::SizeType) {
    --arrays_;
    return true;
  }
  const std::map<std::string, std::size_t>& levels() const { return levels_; }

 private:
  std::string joined() const {
    std::string name = path_.front();
    for (std::size_t i = 1; i < path_.size(); ++i) {
      name += "." + path_[i];
    }
    return name;
  }

  std::vector<std::string> path_;
  std::size_t arrays_ = 0;
  std::map<std::string, std::size_t> levels_;
};

inline bool has_tuples(const stan::io::var_context& context) {
  std::vector<std::string> reals;
  std::vector<std::string> ints;
  context.names_r(reals);
  context.names_i(ints);
  reals.insert(reals.end(), ints.begin(), ints.end());
  for (const auto& name : reals) {
    if (name.find('.') != std::string::npos) {
      return true;
    }
  }
  return false;
}

inline std::map<std::string, std::size_t> count_tuple_levels(
    std::istream& json) {
  tuple_level_counter counter;
  rapidjson::IStreamWrapper stream(json);
  rapidjson::Reader reader;
  reader.Parse<rapidjson::kParseNanAndInfFlag>(stream, counter);
  return counter.levels();
}

}  // namespace internal

/** A data file as Stan's own readers see it. */
struct data_file {
  std::shared_ptr<stan::io::var_context> context;
  /** array levels above a component of a tuple, by its flat name */
  std::map<std::string, std::size_t> tuple_levels;
};

/** JSON data from text. */
inline data_file parse_json(std::istream& in) {
  data_file data;
  data.context = std::make_shared<stan::json::json_data>(in);
  if (internal::has_tuples(*data.context)) {
    in.clear();
    in.seekg(0);
    data.tuple_levels = internal::count_tuple_levels(in);
  }
  return data;
}

/**
 * Reads a data file: JSON if its name ends in `.json`, R dump otherwise.
 *
 * @throws refusal if the file cannot be opened or read
 */
inline data_file read_data_file(const std::string& name) {
  std::ifstream in(name);
  if (in.fail()) {
    throw refusal("Can't open specified file, \"" + name + "\"");
  }
  try {
    if (stan::io::ends_with(".json", name)) {
      return parse_json(in);
    }
    return {std::make_shared<stan::io::dump>(in), {}};
  } catch (const std::exception& e) {
    throw refusal("Could not read the data file " + name + ": " + e.what());
  }
}

}  // namespace stan_dp
#endif
