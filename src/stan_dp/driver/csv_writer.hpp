#ifndef STAN_DP_DRIVER_CSV_WRITER_HPP
#define STAN_DP_DRIVER_CSV_WRITER_HPP

#include <stan_dp/driver/output_file.hpp>
#include <stan/callbacks/writer.hpp>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace stan_dp {

/**
 * Writes a Stan CSV file line by line: a line is in the file whole or not at
 * all, and one that cannot be written throws.
 */
class csv_writer final : public stan::callbacks::writer {
 public:
  /** Writes nothing. */
  csv_writer() = default;

  /** @param digits significant digits; -1: those of a stream */
  csv_writer(const std::string& file, int digits)
      : file_(std::make_unique<output_file>(file)) {
    if (digits >= 0) {
      line_.precision(digits);
    }
  }
  csv_writer(csv_writer&& other) noexcept = default;

  using stan::callbacks::writer::operator();

  void operator()(const std::vector<std::string>& names) override {
    write(names);
  }
  void operator()(const std::vector<double>& values) override { write(values); }
  void operator()(
      const Eigen::Ref<Eigen::Matrix<double, -1, -1>>& values) override {
    for (Eigen::Index i = 0; i < values.cols(); ++i) {
      std::vector<double> draw(values.col(i).begin(), values.col(i).end());
      write(draw);
    }
  }
  void operator()() override { comment(""); }
  void operator()(const std::string& message) override { comment(message); }

 private:
  template <typename T>
  void write(const std::vector<T>& values) {
    if (!file_ || values.empty()) {
      return;
    }
    line_.str("");
    const char* comma = "";
    for (const T& value : values) {
      line_ << comma << value;
      comma = ",";
    }
    line_ << "\n";
    file_->append(line_.str());
  }

  void comment(const std::string& message) {
    if (file_) {
      file_->append("# " + message + "\n");
    }
  }

  std::unique_ptr<output_file> file_;
  std::ostringstream line_;
};

}  // namespace stan_dp
#endif
