#ifndef STAN_DP_ROWS_ARITHMETIC_TRAP_HPP
#define STAN_DP_ROWS_ARITHMETIC_TRAP_HPP

#include <ucontext.h>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>

/** @file
 * Integer division by zero, without the end of the process.
 *
 * Stan divides integers as the processor does. An x86 reports a zero divisor by
 * a signal, which ends the process: its exit code would tell of a row. To jump
 * out of the model is no way either: what it had begun, a profile or a parallel
 * sum, would stay begun for the units that follow, and one row would reach into
 * their answers. So the division is given a result, as an ARM gives one (a
 * quotient of zero, and the dividend as remainder), the model goes on to its
 * end, and whoever evaluates it is told.
 */
namespace stan_dp {
namespace internal {

/** How many threads run code that is guarded. */
inline std::atomic<int>& num_guarded_threads() {
  static std::atomic<int> count{0};
  return count;
}

/** Whether this thread divided by zero since it was last set to false. */
inline volatile std::sig_atomic_t& divided_by_zero() {
  static thread_local volatile std::sig_atomic_t divided = 0;
  return divided;
}

/**
 * Length of an x86 instruction that divides integers, or 0 if it is another.
 *
 * Prefixes, then F6 or F7 with 6 (div) or 7 (idiv) in the middle of the byte
 * that follows, then what the operand's address takes.
 */
inline std::size_t division_length(const std::uint8_t* code) {
  std::size_t i = 0;
  const auto is_prefix = [](std::uint8_t byte) {
    return byte == 0x66 || byte == 0x67 || byte == 0x2e || byte == 0x36
           || byte == 0x3e || byte == 0x26 || byte == 0x64 || byte == 0x65
           || (byte & 0xf0) == 0x40;
  };
  while (i < 4 && is_prefix(code[i])) {
    ++i;
  }
  const std::uint8_t operation = code[i++];
  const std::uint8_t operand = code[i++];
  if ((operation & 0xfe) != 0xf6 || ((operand >> 3) & 7) < 6) {
    return 0;
  }
  const int mode = operand >> 6;
  const int base = operand & 7;
  if (mode == 3) {
    return i;
  }
  const bool indexed = base == 4;
  const int register_of_base = indexed ? code[i++] & 7 : base;
  const bool absolute = mode == 0 && register_of_base == 5;
  return i + (mode == 1 ? 1 : mode == 2 || absolute ? 4 : 0);
}

/** Ends the process as if there were no trap. */
inline void die_of(int signal) {
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

#if defined(__x86_64__) && defined(__linux__)
/** A division that is not guarded ends the process, as it would have. */
inline void on_arithmetic_signal(int signal, siginfo_t*, void* context) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const auto* code = reinterpret_cast<const std::uint8_t*>(registers[REG_RIP]);
  const std::size_t length
      = num_guarded_threads() > 0 ? division_length(code) : 0;
  if (length == 0) {
    die_of(signal);
    return;
  }
  registers[REG_RDX] = registers[REG_RAX];
  registers[REG_RAX] = 0;
  registers[REG_RIP] += static_cast<greg_t>(length);
  divided_by_zero() = 1;
}
#else
inline void on_arithmetic_signal(int signal, siginfo_t*, void*) {
  die_of(signal);
}
#endif

inline bool set_arithmetic_trap() {
  struct sigaction action = {};
  action.sa_sigaction = on_arithmetic_signal;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  return sigaction(SIGFPE, &action, nullptr) == 0;
}

/** Once in a process. */
inline void install_arithmetic_trap() {
  static const bool installed = set_arithmetic_trap();
  (void)installed;
}

/**
 * While one lives, divisions by zero have a result, on all threads: a model may
 * divide on another one. Cheap where this thread has one already.
 */
class arithmetic_guard {
 public:
  arithmetic_guard() {
    install_arithmetic_trap();
    if (depth()++ == 0) {
      ++num_guarded_threads();
    }
  }
  ~arithmetic_guard() {
    if (--depth() == 0) {
      --num_guarded_threads();
    }
  }
  arithmetic_guard(const arithmetic_guard&) = delete;
  arithmetic_guard& operator=(const arithmetic_guard&) = delete;

 private:
  static int& depth() {
    static thread_local int guards = 0;
    return guards;
  }
};

}  // namespace internal
}  // namespace stan_dp
#endif
