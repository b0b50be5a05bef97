#ifndef STAN_DP_DRIVER_OUTPUT_FILE_HPP
#define STAN_DP_DRIVER_OUTPUT_FILE_HPP

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace stan_dp {

/**
 * A file that is written in whole pieces or says why not.
 *
 * It is opened before a run starts, so that a directory that does not exist or
 * may not be written is known before the first query. A piece that does not
 * fit on the disk is taken back, and throws.
 */
class output_file {
 public:
  explicit output_file(std::string name)
      : name_(std::move(name)),
        fd_(::open(name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
                   0666)) {
    if (fd_ < 0) {
      fail("Can't open output file");
    }
  }
  output_file(output_file&& other) noexcept
      : name_(std::move(other.name_)),
        fd_(std::exchange(other.fd_, -1)),
        size_(other.size_) {}
  output_file& operator=(output_file&&) = delete;
  ~output_file() {
    if (fd_ >= 0) {
      ::close(fd_);
    }
  }

  const std::string& name() const { return name_; }

  /** Appends all of `text`. */
  void append(const std::string& text) {
    std::size_t done = 0;
    while (done < text.size()) {
      ssize_t n = ::write(fd_, text.data() + done, text.size() - done);
      if (n < 0 && errno == EINTR) {
        continue;
      }
      if (n < 0) {
        int why = errno;
        // Nothing is lost where this fails: then it is not a file.
        (void)!::ftruncate(fd_, size_);
        errno = why;
        fail("Can't write to output file");
      }
      done += static_cast<std::size_t>(n);
    }
    size_ += static_cast<off_t>(text.size());
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(what + ", \"" + name_
                             + "\": " + std::strerror(errno) + ".");
  }

  std::string name_;
  int fd_;
  off_t size_ = 0;
};

/** A file name in two parts: `output` and `.csv`. */
inline std::pair<std::string, std::string> split_suffix(
    const std::string& name) {
  std::string suffix = std::filesystem::path(name).extension().string();
  if (suffix.size() < 2) {
    suffix.clear();
  }
  return {name.substr(0, name.size() - suffix.size()), suffix};
}

/**
 * CmdStan's names of a file for each chain: `output.csv` for one,
 * `output_1.csv`, `output_2.csv`, ... for several; `tag` comes before the
 * number. Files that are not CSV get their own suffix.
 */
inline std::vector<std::string> chain_files(const std::string& name,
                                            const std::string& tag,
                                            const std::string& suffix,
                                            unsigned int num_chains,
                                            unsigned int first_id) {
  auto [base, own] = split_suffix(name);
  if (suffix != ".csv" || own.empty()) {
    own = suffix;
  }
  std::vector<std::string> names;
  for (unsigned int i = 0; i < num_chains; ++i) {
    std::string number
        = num_chains == 1 ? "" : "_" + std::to_string(first_id + i);
    names.push_back(base + tag + number + own);
  }
  return names;
}

/** @throws std::invalid_argument if `name` is that of a directory */
inline void require_file_name(const std::string& name) {
  std::string last = std::filesystem::path(name).filename().string();
  if (!name.empty() && (last.empty() || last == "." || last == "..")) {
    throw std::invalid_argument("Ill-formed output filename " + name);
  }
}

/** @throws std::invalid_argument if it cannot be read */
inline std::ifstream open_input(const std::string& name) {
  std::ifstream stream(name);
  if (!stream) {
    throw std::invalid_argument("Can't open specified file, \"" + name + "\"");
  }
  return stream;
}

}  // namespace stan_dp
#endif
