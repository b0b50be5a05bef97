#ifndef STAN_DP_CMDSTAN_DP_ARGUMENTS_HPP
#define STAN_DP_CMDSTAN_DP_ARGUMENTS_HPP

#include <cmdstan/arguments/categorical_argument.hpp>
#include <cmdstan/arguments/valued_argument.hpp>
#include <stan_dp/driver/dp_options.hpp>
#include <string>
#include <vector>

/** @file
 * The table of private options as arguments of CmdStan.
 */
namespace cmdstan {

/** One private option. Unlike CmdStan's own numbers it is read strictly. */
class dp_option_argument : public valued_argument {
 public:
  explicit dp_option_argument(const stan_dp::option& o)
      : option_(o), value_(stan_dp::canonical(o, o.preset)) {
    _name = o.name;
    _description = o.help;
    _value_type = stan_dp::type_name(o);
    _default = value_.empty() ? "\"\"" : value_;
  }

  bool parse_args(std::vector<std::string>& args, stan::callbacks::writer& info,
                  stan::callbacks::writer& err, bool& help_flag) override {
    if (!args.empty() && (args.back() == "help" || args.back() == "help-all")) {
      print_help(info, 0);
      help_flag = true;
      args.clear();
      return true;
    }
    std::string name;
    std::string text;
    if (!args.empty()) {
      split_arg(args.back(), name, text);
    }
    if (name != _name) {
      return refuse(
          args, err,
          _name + " needs a value: " + _name + "=<" + _value_type + ">.");
    }
    args.pop_back();
    if (auto sentence = stan_dp::why_invalid(option_, text)) {
      return refuse(args, err, *sentence);
    }
    value_ = stan_dp::canonical(option_, text);
    return true;
  }

  void find_arg(const std::string& name, const std::string& prefix,
                std::vector<std::string>& valid_paths) override {
    if (name == _name) {
      valid_paths.push_back(prefix + _name + "=<" + _value_type + ">");
    }
  }

  using valued_argument::print;
  void print(stan::callbacks::structured_writer& json) override {
    using stan_dp::option_type;
    if (value_.empty() || option_.type == option_type::text
        || option_.type == option_type::choice) {
      json.write(_name, value_);
    } else if (option_.type == option_type::truth) {
      json.write(_name, value_ == "true");
    } else if (option_.type == option_type::integer) {
      json.write(_name, std::stoll(value_));
    } else {
      json.write(_name, std::stod(value_));
    }
  }

  std::string print_value() override { return value_; }
  std::string print_valid() override {
    return " " + stan_dp::valid_values(option_);
  }
  bool is_default() override {
    return value_ == stan_dp::canonical(option_, option_.preset);
  }

 private:
  static bool refuse(std::vector<std::string>& args,
                     stan::callbacks::writer& err,
                     const std::string& sentence) {
    err(sentence);
    args.clear();
    return false;
  }

  stan_dp::option option_;
  std::string value_;
};

/** A group of private options. */
class dp_group : public categorical_argument {
 public:
  dp_group(const std::string& name, const std::string& help,
           const std::vector<stan_dp::option>& table) {
    _name = name;
    _description = help;
    for (const auto& o : table) {
      _subarguments.push_back(new dp_option_argument(o));
    }
  }

  bool parse_args(std::vector<std::string>& args, stan::callbacks::writer& info,
                  stan::callbacks::writer& err, bool& help_flag) override {
    bool valid = categorical_argument::parse_args(args, info, err, help_flag);
    // CmdStan refuses a group inside itself without a word.
    if (!valid && !args.empty() && args.back() == _name) {
      err(_name + " is given twice.");
      args.clear();
    }
    return valid;
  }

  /** What was given. */
  stan_dp::option_values values(const std::vector<stan_dp::option>& table) {
    stan_dp::option_values values(table);
    for (const auto& o : table) {
      values.set(o,
                 dynamic_cast<dp_option_argument&>(*arg(o.name)).print_value());
    }
    return values;
  }
};

/** A private algorithm: its options, and the group `privacy`. */
class dp_algorithm_argument : public dp_group {
 public:
  explicit dp_algorithm_argument(const stan_dp::dp_algorithm& algorithm)
      : dp_group(algorithm.name, algorithm.help, algorithm.options) {
    _subarguments.push_back(new dp_group("privacy", stan_dp::privacy_help(),
                                         stan_dp::privacy_options()));
  }
};

/** Adds the private algorithms of a method to the values of `algorithm=`. */
inline void add_dp_algorithms(std::vector<argument*>& values,
                              const std::string& method) {
  for (const auto& algorithm : stan_dp::dp_algorithms()) {
    if (algorithm.method == method) {
      values.push_back(new dp_algorithm_argument(algorithm));
    }
  }
}

}  // namespace cmdstan
#endif
