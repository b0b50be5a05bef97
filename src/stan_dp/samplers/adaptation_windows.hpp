#ifndef STAN_DP_SAMPLERS_ADAPTATION_WINDOWS_HPP
#define STAN_DP_SAMPLERS_ADAPTATION_WINDOWS_HPP

#include <cstddef>
#include <vector>

namespace stan_dp {

/**
 * When the metric is learned, fixed before the run: after a fast stage, in
 * windows that double, the last one stretched to the final fast stage, as in
 * Stan's warm-up.
 *
 * Below 20 iterations there are none; where the stages do not fit they become
 * 15 %, 75 % and 10 % of warm-up.
 */
class adaptation_windows {
 public:
  adaptation_windows(int num_warmup, int init_buffer, int term_buffer,
                     int base_window) {
    if (num_warmup < 20) {
      return;
    }
    if (init_buffer + base_window + term_buffer > num_warmup) {
      init_buffer = static_cast<int>(0.15 * num_warmup);
      term_buffer = static_cast<int>(0.10 * num_warmup);
      base_window = num_warmup - init_buffer - term_buffer;
    }
    first_ = init_buffer;
    const int last = num_warmup - term_buffer;
    int size = base_window;
    for (int end = first_ + size; base_window > 0 && end <= last; end += size) {
      size *= 2;
      // a window that the next one would overtake takes its place too
      if (end + size > last) {
        end = last;
      }
      ends_.push_back(end);
    }
  }

  /** No window at all. */
  adaptation_windows() = default;

  /** Whether the draw of iteration `m` (from 0) belongs to a window. */
  bool contains(int m) const {
    return !ends_.empty() && m >= first_ && m < ends_.back();
  }

  /** Whether iteration `m` (from 0) is the last of its window. */
  bool ends_at(int m) const {
    for (const int end : ends_) {
      if (m + 1 == end) {
        return true;
      }
    }
    return false;
  }

  /** How often the metric will change. */
  std::size_t count() const { return ends_.size(); }

 private:
  int first_ = 0;
  /** one past the last iteration of each window */
  std::vector<int> ends_;
};

}  // namespace stan_dp
#endif
