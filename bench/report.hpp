#ifndef BENCH_REPORT_HPP
#define BENCH_REPORT_HPP

#include <algorithm>
#include <chrono>
#include <ostream>
#include <string>
#include <vector>

/** @file
 * Figures of a benchmark as JSON, and how to take them on a busy machine.
 */
namespace bench {

template <typename F>
double seconds(F&& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2,
                   values.end());
  return values[values.size() / 2];
}

/** Median of the ratios of neighbouring runs; each side is repeated until a
 * turn takes a tenth of a second. */
template <typename F, typename G>
double median_ratio(F&& ours, G&& peer, int turns = 11) {
  const auto repeats = [](auto& body) {
    body();
    const double once = seconds(body);
    return std::max(1, static_cast<int>(0.1 / once));
  };
  const int our_repeats = repeats(ours);
  const int peer_repeats = repeats(peer);
  std::vector<double> ratios;
  for (int turn = 0; turn < turns; ++turn) {
    const double a = seconds([&] {
      for (int i = 0; i < our_repeats; ++i) {
        ours();
      }
    });
    const double b = seconds([&] {
      for (int i = 0; i < peer_repeats; ++i) {
        peer();
      }
    });
    ratios.push_back(a / our_repeats / (b / peer_repeats));
  }
  return median(ratios);
}

enum direction { at_most, at_least };

class report {
 public:
  /** @param bar what the value has to reach; 0: no bar, the figure is only
   * shown */
  void add(const std::string& name, double value, double bar, direction side) {
    lines_.push_back({name, value, bar, side});
  }

  void print(std::ostream& out) const {
    out << "[";
    for (const auto& line : lines_) {
      out << (&line == &lines_.front() ? "\n" : ",\n") << "  {\"name\": \""
          << line.name << "\", \"value\": " << line.value;
      if (line.bar > 0) {
        out << ", \"" << (line.side == at_most ? "at_most" : "at_least")
            << "\": " << line.bar;
      }
      out << "}";
    }
    out << "\n]\n";
  }

 private:
  struct line {
    std::string name;
    double value;
    double bar;
    direction side;
  };
  std::vector<line> lines_;
};

}  // namespace bench
#endif
