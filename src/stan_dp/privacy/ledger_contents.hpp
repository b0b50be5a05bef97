#ifndef STAN_DP_PRIVACY_LEDGER_CONTENTS_HPP
#define STAN_DP_PRIVACY_LEDGER_CONTENTS_HPP

#include <stan_dp/privacy/plan.hpp>
#include <stan_dp/privacy/sha256.hpp>
#include <rapidjson/document.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace stan_dp {

/** A ledger that cannot be read or that refuses a run. */
class ledger_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/** How the costs of runs add up. */
enum class composition { gaussian, renyi, basic };

/** What all runs together may cost. */
struct ledger_budget {
  double epsilon;
  double delta;
  /** the largest `mu` of a Gaussian that costs at most (epsilon, delta) */
  double mu;
};

/** What one run may cost, computed from its plan before it starts. */
struct ledger_entry {
  /** what ran: the algorithm and its settings */
  std::string run;
  /** when */
  std::string time;
  neighbors relation;
  /** what is protected: the name of the unit variable, or "row" */
  std::string unit;
  double epsilon;
  double delta;
  /** sum of `m^2 / (2 z^2)`, if all queries are Gaussian on all units */
  std::optional<double> mu;
  /** Renyi divergences at `ledger_orders()`, or nothing */
  std::vector<double> rdp;
  /** salted hash of the data; never released */
  std::string data;
};

/** A ledger as it stands in its file. */
struct ledger_contents {
  ledger_budget budget;
  /** fixed when the ledger is made, or else by its first entry */
  std::optional<composition> rule;
  /** random; makes hashes of the data useless to others */
  std::string salt;
  std::vector<ledger_entry> entries;
};

/** Orders at which a run's Renyi divergences are kept. */
inline const std::vector<double>& ledger_orders() {
  static const std::vector<double> orders{2,  3,  4,  5,   6,   8,  10,
                                          12, 16, 20, 24,  32,  40, 48,
                                          64, 80, 96, 128, 192, 256};
  return orders;
}

namespace internal {

inline const char* name_of(neighbors relation) {
  return relation == neighbors::substitute ? "substitute" : "add_remove";
}

inline const char* name_of(composition rule) {
  switch (rule) {
    case composition::gaussian:
      return "gaussian";
    case composition::renyi:
      return "renyi";
    default:
      return "basic";
  }
}

using json_writer = rapidjson::PrettyWriter<rapidjson::StringBuffer>;

inline void write_text(json_writer& out, const char* key,
                       const std::string& text) {
  out.Key(key);
  out.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

inline void write_number(json_writer& out, const char* key, double number) {
  out.Key(key);
  if (!out.Double(number)) {
    throw ledger_error(std::string("A ledger cannot hold a value of ") + key
                       + " that is not finite.");
  }
}

inline void write_entry(json_writer& out, const ledger_entry& entry) {
  out.StartObject();
  write_text(out, "run", entry.run);
  write_text(out, "time", entry.time);
  write_text(out, "neighbors", name_of(entry.relation));
  write_text(out, "unit", entry.unit);
  write_number(out, "epsilon", entry.epsilon);
  write_number(out, "delta", entry.delta);
  if (entry.mu) {
    write_number(out, "mu", *entry.mu);
  }
  out.Key("rdp");
  out.StartArray();
  for (const double divergence : entry.rdp) {
    if (!out.Double(divergence)) {
      throw ledger_error(
          "A ledger cannot hold a Renyi divergence that is not"
          " finite.");
    }
  }
  out.EndArray();
  write_text(out, "data", entry.data);
  out.EndObject();
}

/** The ledger's text, but for a checksum that is not empty. */
inline std::string write_ledger(const ledger_contents& contents,
                                const std::string& checksum) {
  rapidjson::StringBuffer buffer;
  json_writer out(buffer);
  out.SetIndent(' ', 1);
  out.StartObject();
  write_text(out, "format", "stan_dp ledger 1");
  write_number(out, "epsilon", contents.budget.epsilon);
  write_number(out, "delta", contents.budget.delta);
  write_number(out, "mu", contents.budget.mu);
  write_text(out, "composition", contents.rule ? name_of(*contents.rule) : "");
  write_text(out, "salt", contents.salt);
  out.Key("entries");
  out.StartArray();
  for (const ledger_entry& entry : contents.entries) {
    write_entry(out, entry);
  }
  out.EndArray();
  write_text(out, "checksum", checksum);
  out.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

inline const rapidjson::Value& member(const rapidjson::Value& object,
                                      const char* key) {
  const auto found = object.FindMember(key);
  if (found == object.MemberEnd()) {
    throw ledger_error(std::string("there is no ") + key);
  }
  return found->value;
}

inline std::string text_of(const rapidjson::Value& object, const char* key) {
  const auto& value = member(object, key);
  if (!value.IsString()) {
    throw ledger_error(std::string(key) + " is not a string");
  }
  return std::string(value.GetString(), value.GetStringLength());
}

inline double cost_of(const rapidjson::Value& value, const char* key) {
  if (!value.IsNumber() || !std::isfinite(value.GetDouble())
      || value.GetDouble() < 0) {
    throw ledger_error(std::string(key) + " is not a number from zero on");
  }
  return value.GetDouble();
}

inline neighbors relation_of(const std::string& name) {
  for (const auto relation : {neighbors::substitute, neighbors::add_remove}) {
    if (name == name_of(relation)) {
      return relation;
    }
  }
  throw ledger_error("neighbors is neither substitute nor add_remove");
}

inline std::optional<composition> rule_of(const std::string& name) {
  for (const auto rule :
       {composition::gaussian, composition::renyi, composition::basic}) {
    if (name == name_of(rule)) {
      return rule;
    }
  }
  if (name.empty()) {
    return std::nullopt;
  }
  throw ledger_error("composition is none that is known");
}

inline ledger_entry read_entry(const rapidjson::Value& object) {
  if (!object.IsObject()) {
    throw ledger_error("an entry is not an object");
  }
  ledger_entry entry;
  entry.run = text_of(object, "run");
  entry.time = text_of(object, "time");
  entry.relation = relation_of(text_of(object, "neighbors"));
  entry.unit = text_of(object, "unit");
  entry.epsilon = cost_of(member(object, "epsilon"), "epsilon");
  entry.delta = cost_of(member(object, "delta"), "delta");
  if (object.HasMember("mu")) {
    entry.mu = cost_of(member(object, "mu"), "mu");
  }
  const auto& rdp = member(object, "rdp");
  if (!rdp.IsArray()) {
    throw ledger_error("rdp is not an array");
  }
  for (const auto& divergence : rdp.GetArray()) {
    entry.rdp.push_back(cost_of(divergence, "rdp"));
  }
  entry.data = text_of(object, "data");
  return entry;
}

inline ledger_contents read_ledger(const rapidjson::Value& object) {
  if (!object.IsObject() || text_of(object, "format") != "stan_dp ledger 1") {
    throw ledger_error("it has another format");
  }
  ledger_contents contents;
  contents.budget = {cost_of(member(object, "epsilon"), "epsilon"),
                     cost_of(member(object, "delta"), "delta"),
                     cost_of(member(object, "mu"), "mu")};
  contents.rule = rule_of(text_of(object, "composition"));
  contents.salt = text_of(object, "salt");
  const auto& entries = member(object, "entries");
  if (!entries.IsArray()) {
    throw ledger_error("entries is not an array");
  }
  for (const auto& entry : entries.GetArray()) {
    contents.entries.push_back(read_entry(entry));
  }
  return contents;
}

}  // namespace internal

/** A ledger as JSON text, closed by a checksum. */
inline std::string to_json(const ledger_contents& contents) {
  return internal::write_ledger(contents,
                                sha256(internal::write_ledger(contents, "")));
}

/**
 * Reads what `to_json` wrote, and nothing else: the text has to be the very
 * one that the contents give again, so that no change goes unnoticed.
 *
 * @throws ledger_error with half a sentence that says what is wrong
 */
inline ledger_contents from_json(const std::string& text) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseFullPrecisionFlag>(text.data(), text.size());
  if (document.HasParseError()) {
    throw ledger_error("it is not JSON");
  }
  ledger_contents contents = internal::read_ledger(document);
  if (to_json(contents) != text) {
    throw ledger_error("its checksum does not fit");
  }
  return contents;
}

}  // namespace stan_dp
#endif
