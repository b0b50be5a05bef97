#ifndef STAN_DP_DRIVER_OPTION_HPP
#define STAN_DP_DRIVER_OPTION_HPP

#include <stan_dp/driver/strict_number.hpp>
#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace stan_dp {

/** What the text after `name=` stands for. */
enum class option_type { real, integer, truth, text, choice };

/** An interval of valid numbers; an end is infinite or belongs to it or not. */
struct option_range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool with_low = true;
  bool with_high = true;

  bool holds(double x) const {
    return (with_low ? low <= x : low < x)
           && (with_high ? x <= high : x < high);
  }
};

inline option_range above(double low) {
  return {low, std::numeric_limits<double>::infinity(), false, true};
}
inline option_range at_least(double low) {
  return {low, std::numeric_limits<double>::infinity(), true, true};
}
inline option_range strictly_between(double low, double high) {
  return {low, high, false, false};
}
inline option_range up_to(double low, double high) {
  return {low, high, false, true};
}
inline option_range from_to(double low, double high) {
  return {low, high, true, true};
}

/**
 * One option of a private algorithm: a row of the table that both front ends
 * are generated from.
 */
struct option {
  std::string name;
  option_type type;
  /** as a user would type it; empty: there is none */
  std::string preset;
  option_range range;
  /** of a choice */
  std::vector<std::string> choices;
  std::string help;
};

/** The shortest decimal number that reads back as `x`: at most 17 digits. */
inline std::string show_real(double x) {
  char buffer[32];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, x).ptr;
  return std::string(buffer, end);
}

/** What help calls the type. */
inline std::string type_name(const option& o) {
  switch (o.type) {
    case option_type::real:
      return "double";
    case option_type::integer:
      return "int";
    case option_type::truth:
      return "boolean";
    case option_type::choice:
      return "list element";
    default:
      return "string";
  }
}

/** What help says after "Valid values:". */
inline std::string valid_values(const option& o) {
  if (o.type == option_type::truth) {
    return "[0, 1, false, true]";
  }
  if (o.type == option_type::choice) {
    std::string all;
    for (const auto& choice : o.choices) {
      all += (all.empty() ? "" : ", ") + choice;
    }
    return all;
  }
  if (o.type == option_type::text) {
    return "All";
  }
  std::string text = o.name;
  if (o.range.low > -std::numeric_limits<double>::infinity()) {
    text = show_real(o.range.low) + (o.range.with_low ? " <= " : " < ") + text;
  }
  if (o.range.high < std::numeric_limits<double>::infinity()) {
    text += (o.range.with_high ? " <= " : " < ") + show_real(o.range.high);
  }
  return text;
}

namespace internal {

inline std::string refuse(const option& o, const std::string& text,
                          const std::string& why) {
  return o.name + "=" + text + " is refused: " + why
         + "; valid values: " + valid_values(o) + ".";
}

inline std::optional<std::string> refuse_number(const option& o,
                                                const std::string& text) {
  std::optional<double> x;
  if (o.type == option_type::integer) {
    std::optional<std::int64_t> n = parse_integer(text);
    if (!n) {
      return refuse(o, text,
                    "an integer is written with digits alone, such as 1000");
    }
    x = static_cast<double>(*n);
  } else {
    x = parse_real(text);
    if (!x) {
      return refuse(o, text,
                    "a number is written with digits and a decimal point, "
                    "such as 0.5 or 1e-6");
    }
  }
  if (!o.range.holds(*x)) {
    return refuse(o, text, "it is out of range");
  }
  return std::nullopt;
}

}  // namespace internal

/**
 * The sentence that refuses `text` as a value of the option, or nothing if it
 * is one. Both front ends print it.
 */
inline std::optional<std::string> why_invalid(const option& o,
                                              const std::string& text) {
  if (text == o.preset) {
    return std::nullopt;
  }
  switch (o.type) {
    case option_type::real:
    case option_type::integer:
      return internal::refuse_number(o, text);
    case option_type::truth:
      if (text == "0" || text == "1" || text == "true" || text == "false") {
        return std::nullopt;
      }
      return internal::refuse(o, text, "it is neither true nor false");
    case option_type::choice:
      if (std::find(o.choices.begin(), o.choices.end(), text)
          != o.choices.end()) {
        return std::nullopt;
      }
      return internal::refuse(o, text, "there is no such choice");
    default:
      return std::nullopt;
  }
}

/** A valid text in the form in which it is printed, at full precision. */
inline std::string canonical(const option& o, const std::string& text) {
  if (text.empty()) {
    return text;
  }
  switch (o.type) {
    case option_type::real:
      return show_real(*parse_real(text));
    case option_type::integer:
      return std::to_string(*parse_integer(text));
    case option_type::truth:
      return text == "1" || text == "true" ? "true" : "false";
    default:
      return text;
  }
}

/** The values of a table of options: what the user said, presets elsewhere. */
class option_values {
 public:
  explicit option_values(const std::vector<option>& table) {
    for (const auto& o : table) {
      texts_.emplace(o.name, canonical(o, o.preset));
    }
  }

  /** @param text valid for that option */
  void set(const option& o, const std::string& text) {
    if (auto sentence = why_invalid(o, text)) {
      throw std::invalid_argument(*sentence);
    }
    texts_.at(o.name) = canonical(o, text);
  }

  bool given(const std::string& name) const { return !text(name).empty(); }
  const std::string& text(const std::string& name) const {
    return texts_.at(name);
  }
  double real(const std::string& name) const { return *parse_real(text(name)); }
  std::int64_t integer(const std::string& name) const {
    return *parse_integer(text(name));
  }
  bool truth(const std::string& name) const { return text(name) == "true"; }

 private:
  std::map<std::string, std::string> texts_;
};

}  // namespace stan_dp
#endif
