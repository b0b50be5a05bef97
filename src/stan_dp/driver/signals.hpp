#ifndef STAN_DP_DRIVER_SIGNALS_HPP
#define STAN_DP_DRIVER_SIGNALS_HPP

#include <stan/callbacks/interrupt.hpp>
#include <csignal>

namespace stan_dp {

/** Thrown between two iterations after SIGINT or SIGTERM. */
struct interrupted {
  int signal;
};

namespace internal {

inline volatile std::sig_atomic_t caught_signal = 0;

inline void remember_signal(int signal) { caught_signal = signal; }

}  // namespace internal

/**
 * From now on SIGINT and SIGTERM end the run between two iterations; the
 * second one ends it at once. A file that grows too large is an error that the
 * writer reports.
 */
inline void catch_signals() {
  struct sigaction action = {};
  action.sa_handler = internal::remember_signal;
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);
}

/** @throws interrupted after a signal */
inline void check_signals() {
  if (internal::caught_signal != 0) {
    throw interrupted{internal::caught_signal};
  }
}

/** Stan's services call it once in each iteration. */
class signal_interrupt final : public stan::callbacks::interrupt {
 public:
  void operator()() override { check_signals(); }
};

}  // namespace stan_dp
#endif
