#ifndef STAN_DP_ROWS_GUARDED_HPP
#define STAN_DP_ROWS_GUARDED_HPP

#include <csetjmp>
#include <csignal>
#include <exception>
#include <stdexcept>
#include <string>

namespace stan_dp {
namespace internal {

struct arithmetic_trap {
  sigjmp_buf place;
  bool armed = false;
};

inline arithmetic_trap& this_thread_trap() {
  static thread_local arithmetic_trap trap;
  return trap;
}

/** The processor reports an integer division by zero on the thread that made
 * it. Where no trap is armed it ends the process, as it would have. */
inline void on_arithmetic_signal(int signal) {
  arithmetic_trap& trap = this_thread_trap();
  if (trap.armed) {
    trap.armed = false;
    siglongjmp(trap.place, 1);
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

inline bool set_arithmetic_trap() {
  struct sigaction action = {};
  action.sa_handler = on_arithmetic_signal;
  action.sa_flags = SA_NODEFER;
  return sigaction(SIGFPE, &action, nullptr) == 0;
}

/** Once in a process. */
inline void install_arithmetic_trap() {
  static const bool installed = set_arithmetic_trap();
  (void)installed;
}

}  // namespace internal

/**
 * Runs code of the user's model on a unit's data.
 *
 * Stan divides integers as the processor does: a row that holds a zero divisor
 * would kill the process, and the exit code would tell of it. Here it counts as
 * an exception. The jump skips destructors: what the model had allocated leaks.
 *
 * @param body what to run; its exceptions and its division by zero are caught
 * @param[out] what the exception's text, unless null. It may quote a row: it
 * must not leave a run that is private.
 * @return whether the body came to its end
 */
template <typename F>
inline bool guarded(F&& body, std::string* what = nullptr) {
  auto& trap = internal::this_thread_trap();
  internal::install_arithmetic_trap();
  if (sigsetjmp(trap.place, 0) != 0) {
    if (what != nullptr) {
      *what = "integer division by zero";
    }
    return false;
  }
  trap.armed = true;
  try {
    body();
    trap.armed = false;
    return true;
  } catch (const std::exception& e) {
    trap.armed = false;
    if (what != nullptr) {
      *what = e.what();
    }
  } catch (...) {
    trap.armed = false;
    if (what != nullptr) {
      *what = "an exception without a text";
    }
  }
  return false;
}

}  // namespace stan_dp
#endif
