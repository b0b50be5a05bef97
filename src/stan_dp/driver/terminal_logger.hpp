#ifndef STAN_DP_DRIVER_TERMINAL_LOGGER_HPP
#define STAN_DP_DRIVER_TERMINAL_LOGGER_HPP

#include <stan_dp/driver/signals.hpp>
#include <stan/callbacks/logger.hpp>
#include <iostream>
#include <sstream>
#include <string>

namespace stan_dp {

/**
 * Messages to the terminal, on the streams that CmdStan uses.
 *
 * Stan's variational inference never calls the interrupt, but it logs: so a
 * message is also where it notices a signal.
 */
class terminal_logger final : public stan::callbacks::logger {
 public:
  void debug(const std::string& text) override { print(std::cout, text); }
  void info(const std::string& text) override {
    print(std::cout, text);
    check_signals();
  }
  void warn(const std::string& text) override { print(std::cout, text); }
  void error(const std::string& text) override { print(std::cerr, text); }
  void fatal(const std::string& text) override { print(std::cerr, text); }

  void debug(const std::stringstream& text) override { debug(text.str()); }
  void info(const std::stringstream& text) override { info(text.str()); }
  void warn(const std::stringstream& text) override { warn(text.str()); }
  void error(const std::stringstream& text) override { error(text.str()); }
  void fatal(const std::stringstream& text) override { fatal(text.str()); }

 private:
  static void print(std::ostream& out, const std::string& text) {
    out << text + "\n" << std::flush;
  }
};

}  // namespace stan_dp
#endif
