#ifndef STAN_DP_SERVICES_UTC_TIME_HPP
#define STAN_DP_SERVICES_UTC_TIME_HPP

#include <ctime>
#include <string>

namespace stan_dp {

/** The time, as CmdStan writes it. */
inline std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc;
  gmtime_r(&now, &utc);
  char text[64];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &utc);
  return text;
}

}  // namespace stan_dp
#endif
