#ifndef STAN_DP_ROWS_FORKED_HPP
#define STAN_DP_ROWS_FORKED_HPP

#include <stan_dp/rows/arithmetic_trap.hpp>
#include <sys/types.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace stan_dp {

/** Pieces of text that a child process wrote, and how it ended. */
struct forked_result {
  std::vector<std::string> records;
  /** the signal that killed the child, or 0 */
  int signal = 0;
  /** whether the function came to its end */
  bool completed = false;
};

/** Writes records to the parent process, each as soon as it is known. */
class record_writer {
 public:
  explicit record_writer(int pipe) : pipe_(pipe) {}
  void operator()(const std::string& record) const {
    std::string text = record;
    text.push_back('\0');
    const char* data = text.data();
    std::size_t left = text.size();
    while (left > 0) {
      const ssize_t written = ::write(pipe_, data, left);
      if (written < 0 && errno == EINTR) {
        continue;
      }
      if (written <= 0) {
        ::_exit(2);
      }
      data += written;
      left -= static_cast<std::size_t>(written);
    }
  }

 private:
  int pipe_;
};

namespace internal {

inline std::string read_all(int pipe) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t got = ::read(pipe, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return text;
    }
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

inline void silence_child() {
  const int null = ::open("/dev/null", O_WRONLY);
  ::dup2(null, STDOUT_FILENO);
  ::dup2(null, STDERR_FILENO);
  for (int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGILL}) {
    std::signal(signal, SIG_DFL);
  }
  // The parent may have installed it before: once is not enough here.
  set_arithmetic_trap();
}

}  // namespace internal

/**
 * Runs code that may kill the process in a child process, silently.
 *
 * @param body takes a `record_writer`
 */
template <typename F>
inline forked_result run_forked(F&& body) {
  int ends[2];
  if (::pipe(ends) != 0) {
    throw std::runtime_error("cannot open a pipe");
  }
  const pid_t child = ::fork();
  if (child < 0) {
    throw std::runtime_error("cannot start a process");
  }
  if (child == 0) {
    ::close(ends[0]);
    internal::silence_child();
    const record_writer write(ends[1]);
    try {
      body(write);
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  const std::string text = internal::read_all(ends[0]);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  forked_result result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\0', at);
    if (end == std::string::npos) {
      break;
    }
    result.records.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  result.completed = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return result;
}

}  // namespace stan_dp
#endif
