#include <stan_dp/samplers/adaptation_windows.hpp>
#include <gtest/gtest.h>
#include <vector>

using stan_dp::adaptation_windows;

namespace {

std::vector<int> ends(const adaptation_windows& windows, int num_warmup) {
  std::vector<int> result;
  for (int m = 0; m < num_warmup; ++m) {
    if (windows.ends_at(m)) {
      result.push_back(m + 1);
    }
  }
  return result;
}

}  // namespace

// Stan's defaults: 75 fast, windows of 25, 50, 100, 200, the rest, 50 fast
TEST(AdaptationWindows, are_those_of_stan) {
  const adaptation_windows windows(1000, 75, 50, 25);
  EXPECT_EQ(ends(windows, 1000), (std::vector<int>{100, 150, 250, 450, 950}));
  EXPECT_EQ(windows.count(), 5u);
  EXPECT_FALSE(windows.contains(74));
  EXPECT_TRUE(windows.contains(75));
  EXPECT_TRUE(windows.contains(949));
  EXPECT_FALSE(windows.contains(950));
}

TEST(AdaptationWindows, shrink_to_shares_of_a_short_warm_up) {
  // 15 % of 100, 75 %, 10 %: one window
  EXPECT_EQ(ends(adaptation_windows(100, 75, 50, 25), 100),
            (std::vector<int>{90}));
}

TEST(AdaptationWindows, are_none_below_twenty_iterations) {
  EXPECT_EQ(adaptation_windows(19, 75, 50, 25).count(), 0u);
  EXPECT_EQ(adaptation_windows().count(), 0u);
  EXPECT_FALSE(adaptation_windows().contains(0));
}

TEST(AdaptationWindows, count_is_what_will_happen) {
  for (int num_warmup = 0; num_warmup < 2000; num_warmup += 7) {
    const adaptation_windows windows(num_warmup, 75, 50, 25);
    EXPECT_EQ(ends(windows, num_warmup).size(), windows.count());
  }
}
