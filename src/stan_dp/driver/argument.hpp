#ifndef STAN_DP_DRIVER_ARGUMENT_HPP
#define STAN_DP_DRIVER_ARGUMENT_HPP

#include <stan_dp/driver/option.hpp>
#include <deque>
#include <functional>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace stan_dp {

/**
 * A node of CmdStan's argument tree: what may be typed there, and what was.
 *
 * A *group* has subarguments, a *choice* one of several named nodes below it, a
 * *flag* is a choice's value with nothing below, a *leaf* takes a value.
 */
struct argument {
  enum class kind { group, choice, flag, leaf };

  std::string name;
  kind is;
  std::string help;
  /** subarguments of a group, values of a choice */
  std::vector<argument> below{};

  /** of a choice: indices into `below` */
  std::size_t chosen = 0;
  std::size_t preset_choice = 0;

  /** of a leaf: text, integer, real or truth; decides how it is printed */
  option_type type = option_type::text;
  /** of a leaf: texts that keep full precision */
  std::string value{};
  std::string preset{};
  /** of a leaf, in help: `name=<type_text>`, valid values, the default */
  std::string type_text{};
  std::string valid{};
  std::string preset_text{};
  /** of a leaf: printed in the place of the preset, if not empty */
  std::string shown_preset{};
  /** of a leaf: turns what was typed into a value.
   * Throws: std::invalid_argument, with a sentence of its own or with none. */
  std::function<std::string(const std::string&)> read{};
  /** of a leaf: one of the private options, read and printed strictly */
  bool strict = false;

  bool is_default() const {
    return is == kind::choice ? chosen == preset_choice : value == preset;
  }

  /** The value as CmdStan prints it: six digits, unless the leaf is strict. */
  std::string shown() const {
    if (is == kind::choice) {
      return below[chosen].name;
    }
    if (!shown_preset.empty() && value == preset) {
      return shown_preset;
    }
    if (type != option_type::real || strict) {
      return value;
    }
    std::ostringstream text;
    text << std::stod(value);
    return text.str();
  }

  /** The subargument or the chosen value of that name, or null. */
  const argument* find(const std::string& wanted) const {
    if (is == kind::choice) {
      return below[chosen].name == wanted ? &below[chosen] : nullptr;
    }
    for (const auto& a : below) {
      if (a.name == wanted) {
        return &a;
      }
    }
    return nullptr;
  }
};

namespace internal {

/** What is left of the command line, and where to answer. */
struct parse_state {
  std::deque<std::string> words;
  std::ostream& out;
  std::ostream& err;
  bool helped = false;
};

inline std::string word_name(const std::string& word) {
  return word.substr(0, word.find('='));
}

inline bool is_help(const std::string& word) {
  return word == "help" || word == "help-all";
}

inline std::string names_of(const std::vector<argument>& arguments) {
  std::string all;
  for (const auto& a : arguments) {
    all += (all.empty() ? " " : ", ") + a.name;
  }
  return all;
}

inline void print_help(const argument& a, std::ostream& out, int depth,
                       bool recurse) {
  std::string indent(2 * depth, ' ');
  std::string inner = indent + "  ";
  bool valued = a.is == argument::kind::leaf || a.is == argument::kind::choice;
  if (valued) {
    bool leaf = a.is == argument::kind::leaf;
    out << indent << a.name << "=<" << (leaf ? a.type_text : "list element")
        << ">\n"
        << inner << a.help << "\n"
        << inner
        << "Valid values:" << (leaf ? " " + a.valid : names_of(a.below)) << "\n"
        << inner << "Defaults to "
        << (leaf ? a.preset_text : a.below[a.preset_choice].name) << "\n\n";
  } else {
    out << indent << a.name << "\n" << inner << a.help << "\n";
    if (!a.below.empty()) {
      out << inner << "Valid subarguments:" << names_of(a.below) << "\n";
    }
    out << "\n";
  }
  if (recurse) {
    for (const auto& b : a.below) {
      print_help(b, out, depth + 1, true);
    }
  }
}

inline void show_help(const argument& a, parse_state& s) {
  print_help(a, s.out, 0, s.words.front() == "help-all");
  s.helped = true;
  s.words.clear();
}

inline bool refuse_word(parse_state& s, const std::string& sentence) {
  s.err << sentence << "\n";
  s.words.clear();
  return false;
}

inline std::string invalid_value(const argument& a, const std::string& text,
                                 const std::string& valid) {
  return text + " is not a valid value for \"" + a.name
         + "\"\n  Valid values:" + valid;
}

/** `name=value` for a leaf. A name alone is passed over, as in CmdStan. */
inline bool parse_leaf(argument& a, parse_state& s) {
  if (!s.words.empty() && is_help(s.words.front())) {
    show_help(a, s);
    return true;
  }
  if (s.words.empty() || word_name(s.words.front()) != a.name) {
    return !a.strict
           || refuse_word(s, a.name + " needs a value: " + a.name + "=<"
                                 + a.type_text + ">.");
  }
  std::string word = s.words.front();
  s.words.pop_front();
  std::size_t equals = word.find('=');
  std::string text = equals == std::string::npos ? "" : word.substr(equals + 1);
  try {
    a.value = a.read(text);
    return true;
  } catch (const std::invalid_argument& e) {
    return refuse_word(
        s, a.strict ? e.what() : invalid_value(a, text, " " + a.valid));
  } catch (const std::out_of_range&) {
    return refuse_word(s, invalid_value(a, text, " " + a.valid));
  }
}

inline bool parse(argument& a, parse_state& s);

inline bool parse_choice(argument& a, parse_state& s) {
  if (s.words.empty() || word_name(s.words.front()) != a.name) {
    return true;
  }
  std::string word = s.words.front();
  s.words.pop_front();
  std::size_t equals = word.find('=');
  std::string text = equals == std::string::npos ? "" : word.substr(equals + 1);
  for (std::size_t i = 0; i < a.below.size(); ++i) {
    if (a.below[i].name == text) {
      a.chosen = i;
      return parse(a.below[i], s);
    }
  }
  return refuse_word(s, invalid_value(a, text, names_of(a.below)));
}

inline bool parse_group(argument& a, parse_state& s) {
  while (!s.words.empty()) {
    const std::string word = s.words.front();
    if (is_help(word)) {
      show_help(a, s);
      return true;
    }
    if (word_name(word) == a.name) {
      // CmdStan leaves the word to the arguments above.
      return !a.below.empty() && a.below.front().strict
                 ? refuse_word(s, a.name + " is given twice.")
                 : false;
    }
    argument* next = nullptr;
    for (auto& b : a.below) {
      if (b.name == word_name(word)) {
        next = &b;
        break;
      }
    }
    if (next == nullptr) {
      return true;
    }
    if (next->name == word) {
      s.words.pop_front();
    }
    if (!parse(*next, s)) {
      return false;
    }
  }
  return true;
}

inline bool parse(argument& a, parse_state& s) {
  switch (a.is) {
    case argument::kind::group:
      return parse_group(a, s);
    case argument::kind::choice:
      return parse_choice(a, s);
    case argument::kind::leaf:
      return parse_leaf(a, s);
    default:
      if (!s.words.empty() && is_help(s.words.front())) {
        show_help(a, s);
      }
      return true;
  }
}

/** All places of the tree where an argument of that name may stand. */
inline void find_places(const argument& a, const std::string& name,
                        const std::string& prefix,
                        std::vector<std::string>& places) {
  std::string here = prefix + a.name;
  std::string deeper = here + " ";
  if (a.is == argument::kind::choice) {
    here += "=<list_element>";
    deeper = prefix + a.name + "=";
  } else if (a.is == argument::kind::leaf) {
    here += "=<" + a.type_text + ">";
  }
  if (a.name == name) {
    places.push_back(here);
  }
  for (const auto& b : a.below) {
    find_places(b, name, deeper, places);
  }
}

inline void print_argument(const argument& a,
                           const std::function<void(const std::string&)>& line,
                           int depth) {
  std::string indent(2 * depth, ' ');
  switch (a.is) {
    case argument::kind::group:
      line(indent + a.name);
      for (const auto& b : a.below) {
        print_argument(b, line, depth + 1);
      }
      break;
    case argument::kind::choice:
    case argument::kind::leaf:
      line(indent + a.name + " = " + a.shown()
           + (a.is_default() ? " (Default)" : ""));
      if (a.is == argument::kind::choice) {
        print_argument(a.below[a.chosen], line, depth + 1);
      }
      break;
    default:
      break;
  }
}

}  // namespace internal

/** How reading a command line ended. */
enum class parse_result { run, helped, refused };

/** The whole tree; its first argument is the choice `method`. */
class argument_tree {
 public:
  argument_tree(std::vector<argument> arguments, std::string info)
      : arguments_(std::move(arguments)), info_(std::move(info)) {}

  /**
   * Reads a command line as CmdStan does and answers `help`, `help-all`,
   * `info` and mistakes in its words.
   *
   * @param words the command line, the program first
   */
  parse_result parse(const std::vector<std::string>& words, std::ostream& out,
                     std::ostream& err) {
    const std::string& program = words.at(0);
    if (words.size() == 1) {
      print_usage(out, program);
      return parse_result::refused;
    }
    internal::parse_state state{{words.begin() + 1, words.end()}, out, err};
    std::vector<argument*> unused;
    for (auto& a : arguments_) {
      unused.push_back(&a);
    }
    bool valid = true;
    bool has_method = false;
    while (!state.words.empty()) {
      std::string& word = state.words.front();
      if (!has_method && is_method(word)) {
        word = "method=" + word;
      }
      const std::string typed = word;
      has_method |= internal::word_name(typed) == "method";
      bool known = parse_one(unused, typed, state, valid);
      if (typed == "help-all") {
        for (const auto& a : arguments_) {
          internal::print_help(a, out, 1, true);
        }
      } else if (typed == "info") {
        out << info_;
        return parse_result::helped;
      }
      if (state.helped || internal::is_help(typed)) {
        print_usage(out, program);
        return parse_result::helped;
      }
      if (!known) {
        report_unknown(typed, err);
        valid = false;
        break;
      }
    }
    if (!has_method) {
      err << "A method must be specified!\n";
    }
    return valid && has_method ? parse_result::run : parse_result::refused;
  }

  /** Each argument with its value, a line for each, as in CSV headers. */
  void print(const std::function<void(const std::string&)>& line) const {
    for (const auto& a : arguments_) {
      internal::print_argument(a, line, 0);
    }
  }

  const std::vector<argument>& arguments() const { return arguments_; }

  /** The argument at a path such as `method sample adapt delta`, or null. */
  const argument* find(const std::string& path) const {
    std::istringstream names(path);
    std::string name;
    names >> name;
    const argument* at = nullptr;
    for (const auto& a : arguments_) {
      at = a.name == name ? &a : at;
    }
    while (at != nullptr && names >> name) {
      at = at->find(name);
    }
    return at;
  }

  const argument& at(const std::string& path) const {
    const argument* a = find(path);
    if (a == nullptr) {
      throw std::logic_error("there is no argument " + path);
    }
    return *a;
  }
  /** The value of a leaf, or the name of what was chosen. */
  std::string text(const std::string& path) const {
    const argument& a = at(path);
    return a.is == argument::kind::choice ? a.below[a.chosen].name : a.value;
  }
  double real(const std::string& path) const { return std::stod(text(path)); }
  int integer(const std::string& path) const {
    return static_cast<int>(std::stoll(text(path)));
  }
  unsigned int natural(const std::string& path) const {
    return static_cast<unsigned int>(std::stoull(text(path)));
  }
  bool truth(const std::string& path) const { return text(path) == "true"; }

 private:
  bool is_method(const std::string& word) const {
    for (const auto& method : arguments_.front().below) {
      if (method.name == word) {
        return true;
      }
    }
    return false;
  }

  /** Whether the word is an argument that was not used before. */
  static bool parse_one(std::vector<argument*>& unused, const std::string& word,
                        internal::parse_state& state, bool& valid) {
    for (auto it = unused.begin(); it != unused.end(); ++it) {
      argument* a = *it;
      if (a->name != internal::word_name(word)) {
        continue;
      }
      if (a->name == word) {
        state.words.pop_front();
      }
      valid &= internal::parse(*a, state);
      unused.erase(it);
      return true;
    }
    return false;
  }

  void report_unknown(const std::string& word, std::ostream& err) const {
    err << word << " is either mistyped or misplaced.\n";
    std::vector<std::string> places;
    for (const auto& a : arguments_) {
      internal::find_places(a, internal::word_name(word), "", places);
    }
    if (!places.empty()) {
      err << "Perhaps you meant one of the following valid configurations?\n";
    }
    for (const auto& place : places) {
      err << "  " << place << "\n";
    }
  }

  void print_usage(std::ostream& out, const std::string& program) const {
    auto entry = [&out](const std::string& name, const std::string& help) {
      out << std::left << std::setw(12) << "  " + name << "  " << help << "\n";
    };
    out << "Usage: " << program
        << " <arg1> <subarg1_1> ... <subarg1_m> ... <arg_n> <subarg_n_1> ... "
           "<subarg_n_m>\n\n"
        << "Begin by selecting amongst the following inference methods and "
           "diagnostics,\n";
    for (const auto& method : arguments_.front().below) {
      entry(method.name, method.help);
    }
    out << "\nOr see help information with\n";
    entry("help", "Prints help");
    entry("help-all", "Prints entire argument tree");
    out << "\nAdditional configuration available by specifying\n";
    for (std::size_t i = 1; i < arguments_.size(); ++i) {
      entry(arguments_[i].name, arguments_[i].help);
    }
    out << "\nSee " << program
        << " <arg1> [ help | help-all ] for details on individual "
           "arguments.\n\n";
  }

  std::vector<argument> arguments_;
  std::string info_;
};

}  // namespace stan_dp
#endif
