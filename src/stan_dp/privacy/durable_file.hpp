#ifndef STAN_DP_PRIVACY_DURABLE_FILE_HPP
#define STAN_DP_PRIVACY_DURABLE_FILE_HPP

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

/** @file
 * A file that is replaced as a whole: whoever reads it sees the old text or
 * the new one, and the new one is on the disk before `write` returns, whenever
 * the process or the machine dies.
 */
namespace stan_dp {

/** An open file; closed at the end. */
class file_descriptor {
 public:
  /** @throws std::system_error that names the file */
  file_descriptor(const std::string& path, int flags, mode_t mode = 0600)
      : path_(path),
        descriptor_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {
    check(descriptor_);
  }
  file_descriptor(const file_descriptor&) = delete;
  file_descriptor& operator=(const file_descriptor&) = delete;
  ~file_descriptor() { ::close(descriptor_); }

  int get() const { return descriptor_; }

  /** @return what a system call answered, if it was not -1 */
  template <class Result>
  Result check(Result result) const {
    if (result == -1) {
      throw std::system_error(errno, std::generic_category(), path_);
    }
    return result;
  }

 private:
  std::string path_;
  int descriptor_;
};

/**
 * The right to change a file, which one process (and one thread) has at a
 * time. The lock is on a file beside it, which stays: the file itself is
 * replaced. It is free again when the process dies.
 */
class file_lock {
 public:
  explicit file_lock(const std::string& path)
      : file_(path + ".lock", O_RDWR | O_CREAT) {
    int result;
    do {
      result = ::flock(file_.get(), LOCK_EX);
    } while (result == -1 && errno == EINTR);
    file_.check(result);
  }

 private:
  file_descriptor file_;
};

/** All of a file. */
inline std::string read_text(const std::string& path) {
  const file_descriptor file(path, O_RDONLY);
  std::string text;
  char buffer[65536];
  while (true) {
    const ssize_t got = ::read(file.get(), buffer, sizeof(buffer));
    if (got == -1 && errno == EINTR) {
      continue;
    }
    if (file.check(got) == 0) {
      return text;
    }
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

namespace internal {

/** Writes a file beside `path` and brings it to the disk. */
inline std::string write_temporary(const std::string& path,
                                   const std::string& text, mode_t mode) {
  const std::string name = path + ".tmp";
  // One that a killed process left may be a link to another file: a new one.
  ::unlink(name.c_str());
  const file_descriptor file(name, O_WRONLY | O_CREAT | O_EXCL, mode);
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written
        = ::write(file.get(), text.data() + done, text.size() - done);
    if (written == -1 && errno == EINTR) {
      continue;
    }
    done += static_cast<std::size_t>(file.check(written));
  }
  file.check(::fsync(file.get()));
  return name;
}

/** Brings the names in the folder of `path` to the disk. */
inline void sync_folder(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  const file_descriptor folder(parent.empty() ? "." : parent.string(),
                               O_RDONLY | O_DIRECTORY);
  folder.check(::fsync(folder.get()));
}

}  // namespace internal

/** Replaces a file that exists. The caller holds its lock. */
inline void replace_text(const std::string& path, const std::string& text) {
  struct stat status;
  const file_descriptor old(path, O_RDONLY);
  old.check(::fstat(old.get(), &status));
  const std::string temporary
      = internal::write_temporary(path, text, status.st_mode & 07777);
  old.check(std::rename(temporary.c_str(), path.c_str()));
  internal::sync_folder(path);
}

/**
 * Makes a file that must not exist; only its owner may read it. The caller
 * holds its lock.
 *
 * @throws std::system_error if there is anything of that name
 */
inline void create_text(const std::string& path, const std::string& text) {
  const std::string temporary = internal::write_temporary(path, text, 0600);
  const int linked = ::link(temporary.c_str(), path.c_str());
  const int reason = errno;
  ::unlink(temporary.c_str());
  if (linked == -1) {
    throw std::system_error(reason, std::generic_category(), path);
  }
  internal::sync_folder(path);
}

}  // namespace stan_dp
#endif
