#ifndef STAN_DP_DRIVER_PRIVACY_TOOL_HPP
#define STAN_DP_DRIVER_PRIVACY_TOOL_HPP

#include <stan_dp/driver/strict_number.hpp>
#include <stan_dp/privacy/ledger.hpp>
#include <stan_dp/privacy/solvers.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <fstream>
#include <istream>
#include <limits>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace stan_dp {

/** A command line that cannot be served; the text says why, in a sentence. */
class usage_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/** The arguments of a command, `name=value` each. */
class tool_arguments {
 public:
  /**
   * @param command name of the command, for messages
   * @param words the words after it
   * @param known names that the command takes
   */
  tool_arguments(const std::string& command,
                 const std::vector<std::string>& words,
                 const std::set<std::string>& known)
      : command_(command) {
    for (const std::string& word : words) {
      std::size_t equals = word.find('=');
      std::string name = word.substr(0, equals);
      if (equals == std::string::npos || known.count(name) == 0) {
        std::string list;
        for (const std::string& each : known) {
          list += (list.empty() ? "" : ", ") + each + "=";
        }
        throw usage_error("privacy " + command + " does not know '" + word
                          + "'; it takes " + list + ".");
      }
      if (!values_.emplace(name, word.substr(equals + 1)).second) {
        throw usage_error("'" + name + "=' is given twice; give it once.");
      }
    }
  }

  std::string text(const std::string& name) const {
    auto found = values_.find(name);
    if (found == values_.end()) {
      throw usage_error("privacy " + command_ + " needs '" + name
                        + "=', which has no default.");
    }
    return found->second;
  }

  bool given(const std::string& name) const { return values_.count(name) > 0; }

  std::string optional(const std::string& name,
                       const std::string& fallback) const {
    auto found = values_.find(name);
    return found == values_.end() ? fallback : found->second;
  }

  double real(const std::string& name) const {
    std::string value = text(name);
    std::optional<double> number = parse_real(value);
    if (!number) {
      throw usage_error("'" + name + "=" + value
                        + "' is not a decimal number; write it like 0.5 or "
                          "1e-6.");
    }
    return *number;
  }

  std::int64_t integer(const std::string& name) const {
    std::string value = text(name);
    std::optional<std::int64_t> number = parse_integer(value);
    if (!number) {
      throw usage_error("'" + name + "=" + value
                        + "' is not a whole number; write it in digits.");
    }
    return *number;
  }

  neighbors relation() const {
    std::string value = optional("neighbors", "substitute");
    if (value == "substitute") {
      return neighbors::substitute;
    }
    if (value == "add_remove") {
      return neighbors::add_remove;
    }
    throw usage_error("'neighbors=" + value
                      + "' is not one of add_remove and substitute.");
  }

  accountant_kind accountant() const {
    static const std::map<std::string, accountant_kind> kinds
        = {{"pld", accountant_kind::pld},
           {"rdp", accountant_kind::rdp},
           {"zcdp", accountant_kind::zcdp}};
    std::string value = optional("accountant", "pld");
    auto found = kinds.find(value);
    if (found == kinds.end()) {
      throw usage_error("'accountant=" + value
                        + "' is not one of pld, rdp and zcdp.");
    }
    return found->second;
  }

 private:
  std::string command_;
  std::map<std::string, std::string> values_;
};

namespace internal {

inline std::string trimmed(const std::string& text) {
  const char* blanks = " \t\r";
  std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string::npos) {
    return "";
  }
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/** One line `rate,noise,count` of a plan. */
inline accounted_step read_step(const std::string& line, int number) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');) {
    fields.push_back(trimmed(field));
  }
  if (fields.size() == 3 && line.back() != ',') {
    std::optional<double> rate = parse_real(fields[0]);
    std::optional<double> noise = parse_real(fields[1]);
    std::optional<std::int64_t> count = parse_integer(fields[2]);
    if (rate && noise && count) {
      return {*rate, *noise, *count};
    }
  }
  throw usage_error("Line " + std::to_string(number) + " of the plan, '" + line
                    + "', is not 'rate,noise,count'.");
}

/** A plan: lines `rate,noise,count`; blank lines and comments (#) pass. */
inline std::vector<accounted_step> read_plan(std::istream& in) {
  std::vector<accounted_step> steps;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    line = trimmed(line);
    if (!line.empty() && line[0] != '#') {
      steps.push_back(read_step(line, number));
    }
  }
  if (steps.empty()) {
    throw usage_error("The plan has no lines; write 'rate,noise,count'.");
  }
  return steps;
}

inline std::vector<accounted_step> read_plan(const std::string& name,
                                             std::istream& standard) {
  if (name == "-") {
    return read_plan(standard);
  }
  std::ifstream file(name);
  if (!file) {
    throw usage_error("The plan '" + name
                      + "' cannot be read; give a file, or - for standard "
                        "input.");
  }
  return read_plan(file);
}

/** What a command gets: its words, and where to read and write. */
struct tool_call {
  std::string command;
  std::vector<std::string> words;
  std::istream& in;
  std::ostream& out;
};

inline void print_epsilon(const tool_call& call) {
  tool_arguments arguments(call.command, call.words,
                           {"delta", "plan", "neighbors", "accountant"});
  double delta = arguments.real("delta");
  check_delta(delta);
  neighbors relation = arguments.relation();
  accountant_kind kind = arguments.accountant();
  std::vector<accounted_step> steps
      = read_plan(arguments.text("plan"), call.in);
  check_steps(steps);
  for (accounted_step& step : steps) {
    step.noise = accounted_noise(step.noise);
  }
  double epsilon = epsilon_bound(steps, delta, relation, kind);
  call.out << "epsilon = " << epsilon << "\n";
}

inline void print_noise(const tool_call& call) {
  tool_arguments arguments(
      call.command, call.words,
      {"epsilon", "delta", "rate", "count", "neighbors", "accountant"});
  double noise = solve_noise(arguments.real("epsilon"), arguments.real("delta"),
                             arguments.real("rate"), arguments.integer("count"),
                             arguments.relation(), arguments.accountant());
  call.out << "noise = " << noise << "\n";
}

inline void print_steps(const tool_call& call) {
  tool_arguments arguments(
      call.command, call.words,
      {"epsilon", "delta", "rate", "noise", "neighbors", "accountant"});
  std::int64_t steps
      = solve_steps(arguments.real("epsilon"), arguments.real("delta"),
                    arguments.real("rate"), arguments.real("noise"),
                    arguments.relation(), arguments.accountant());
  call.out << "steps = " << steps << "\n";
}

/** Makes a ledger with a total, which does not exist yet. */
inline void create_ledger(const tool_arguments& arguments,
                          const std::string& file) {
  const double epsilon = arguments.real("epsilon");
  const double delta = arguments.real("delta");
  check_delta(delta);
  if (!(epsilon > 0)) {
    throw usage_error("'epsilon=' has to be above zero.");
  }
  static const std::map<std::string, std::optional<composition>> rules
      = {{"", std::nullopt},
         {"gaussian", composition::gaussian},
         {"renyi", composition::renyi},
         {"basic", composition::basic}};
  const auto rule = rules.find(arguments.optional("composition", ""));
  if (rule == rules.end()) {
    throw usage_error(
        "'composition=' is not one of gaussian, renyi and basic.");
  }
  ledger::create(file, {epsilon, delta, gaussian_mu_within(epsilon, delta)},
                 rule->second);
}

/** Shows a ledger's runs and balance; makes it first if a total is given. */
inline void print_ledger(const tool_call& call) {
  tool_arguments arguments(call.command, call.words,
                           {"file", "epsilon", "delta", "composition"});
  const std::string file = arguments.text("file");
  if (arguments.given("epsilon") || arguments.given("delta")) {
    create_ledger(arguments, file);
  }
  const auto contents = ledger(file).read();
  call.out << "total: epsilon = " << contents.budget.epsilon
           << ", delta = " << contents.budget.delta << "; composition: "
           << (contents.rule ? name_of(*contents.rule)
                             : "the first run decides")
           << "\n";
  for (const auto& entry : contents.entries) {
    call.out << entry.time << "  " << entry.run
             << "  epsilon = " << entry.epsilon << ", delta = " << entry.delta
             << ", neighbors = " << name_of(entry.relation)
             << ", unit = " << entry.unit << "\n";
  }
  const auto balance = balance_of(contents);
  call.out << "used = " << balance.spent / balance.limit << "\n";
}

/** A command of the tool. */
struct tool_command {
  const char* name;
  const char* usage;
  const char* summary;
  void (*run)(const tool_call&);
};

inline const std::vector<tool_command>& tool_commands() {
  static const std::vector<tool_command> commands = {
      {"epsilon", "delta= plan=FILE",
       "what a plan costs; FILE has lines rate,noise,count (- reads standard "
       "input)",
       print_epsilon},
      {"noise", "epsilon= delta= rate= count=",
       "the smallest noise multiplier for a number of steps", print_noise},
      {"steps", "epsilon= delta= rate= noise=",
       "the largest number of steps for a noise multiplier", print_steps},
      {"ledger", "file=FILE [epsilon= delta= composition=]",
       "what runs on one population have cost, as a part of the total; with "
       "epsilon= and delta= a new ledger is made with that total",
       print_ledger},
  };
  return commands;
}

inline void print_help(std::ostream& out) {
  out << "Usage: privacy COMMAND name=value ...\n\n";
  for (const tool_command& command : tool_commands()) {
    out << "  " << command.name << " " << command.usage << "\n      "
        << command.summary << "\n";
  }
  out << "\n"
         "  neighbors=add_remove|substitute   which data sets are neighbours "
         "(substitute)\n"
         "  accountant=pld|rdp|zcdp           how costs are composed (pld); "
         "zcdp needs rate 1\n\n"
         "The noise multiplier is the noise's standard deviation divided by "
         "the clip\nbound, for both relations. All figures are on the safe "
         "side. The figure is on\nthe last line, as name = value.\n";
}

inline void run_tool(const std::vector<std::string>& words, std::istream& in,
                     std::ostream& out) {
  if (words.empty()) {
    throw usage_error("privacy needs a command; 'privacy help' lists them.");
  }
  if (words[0] == "help") {
    print_help(out);
    return;
  }
  for (const tool_command& command : tool_commands()) {
    if (words[0] == command.name) {
      command.run({words[0], {words.begin() + 1, words.end()}, in, out});
      return;
    }
  }
  throw usage_error("privacy has no command '" + words[0]
                    + "'; 'privacy help' lists them.");
}

}  // namespace internal

/** Exit code for a command line that cannot be served, as in sysexits.h. */
constexpr int exit_usage = 64;

/**
 * The tool `privacy`: what plans cost, and how much noise a budget asks for.
 *
 * @param words the command line, without the program's name
 * @param in where `plan=-` reads from
 * @param out gets the figures
 * @param err gets a sentence if something is wrong
 * @return exit code: 0, or 64 if the command line cannot be served
 */
inline int privacy_tool(const std::vector<std::string>& words, std::istream& in,
                        std::ostream& out, std::ostream& err) {
  // All digits: a rounded figure would not be on the safe side.
  out.precision(std::numeric_limits<double>::max_digits10);
  try {
    internal::run_tool(words, in, out);
    return 0;
  } catch (const usage_error& e) {
    err << e.what() << "\n";
  } catch (const std::domain_error& e) {
    err << e.what() << "\n";
  } catch (const ledger_error& e) {
    err << e.what() << "\n";
  }
  return exit_usage;
}

}  // namespace stan_dp
#endif
