#ifndef STAN_DP_SERVICES_PROGRESS_HPP
#define STAN_DP_SERVICES_PROGRESS_HPP

#include <cmath>
#include <iomanip>
#include <sstream>
#include <string>

namespace stan_dp {

/** When and how a chain says how far it is: the lines that CmdStan users know.
 */
struct progress {
  int num_warmup;
  int num_samples;
  int refresh;
  /** 0: only one chain runs, and its lines have no prefix */
  int chain = 0;
  /** what comes after warm-up */
  const char* stage = "(Sampling)";

  /** Whether iteration `m` (from 0, warm-up included) has a line. */
  bool due(int m) const {
    if (refresh <= 0) {
      return false;
    }
    const int in_stage = m < num_warmup ? m : m - num_warmup;
    return in_stage == 0 || (in_stage + 1) % refresh == 0
           || m + 1 == num_warmup + num_samples;
  }

  std::string line(int m) const {
    const int total = num_warmup + num_samples;
    std::ostringstream text;
    if (chain > 0) {
      text << "Chain [" << chain << "] ";
    }
    const int width = static_cast<int>(std::ceil(std::log10(total)));
    text << "Iteration: " << std::setw(width) << m + 1 << " / " << total << " ["
         << std::setw(3) << static_cast<int>(100.0 * (m + 1) / total) << "%]  "
         << (m < num_warmup ? "(Warmup)" : stage);
    return text.str();
  }
};

}  // namespace stan_dp
#endif
