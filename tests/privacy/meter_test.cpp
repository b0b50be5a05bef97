#include <stan_dp/privacy/meter.hpp>
#include <gtest/gtest.h>
#include <thread>

using namespace stan_dp;

namespace {

plan two_queries(std::int64_t first, std::int64_t second) {
  plan p;
  p.mechanisms = {{query_kind::gradient, 1, 2, first},
                  {query_kind::log_ratio, 1, 3, second}};
  return p;
}

}  // namespace

TEST(Meter, counts_each_query_down_and_throws_beyond_the_plan) {
  meter m(two_queries(2, 1));
  m.charge(0);
  m.charge(0);
  EXPECT_THROW(m.charge(0), unplanned_query);
  EXPECT_EQ(m.spent(0), 2);
  EXPECT_EQ(m.left(0), 0);
  EXPECT_EQ(m.left(1), 1);
  m.charge(1);
  EXPECT_THROW(m.charge(1), unplanned_query);
  EXPECT_EQ(m.spent(1), 1);
}

TEST(Meter, throws_for_a_query_that_is_not_in_the_plan) {
  meter m(two_queries(2, 1));
  EXPECT_THROW(m.charge(2), unplanned_query);
  EXPECT_THROW(m.spent(2), unplanned_query);
  EXPECT_THROW(m.left(2), unplanned_query);
  EXPECT_EQ(m.spent(0) + m.spent(1), 0);
}

TEST(Meter, refuses_negative_counts) {
  EXPECT_THROW(meter(two_queries(-1, 1)), std::invalid_argument);
}

// Long enough, and started together, so that threads do meet in `charge`.
TEST(Meter, gives_threads_together_no_more_than_the_plan) {
  const std::int64_t asked = 10000000, count = 2 * asked - 1000;
  meter m(two_queries(count, 0));
  std::atomic<std::int64_t> granted{0}, refused{0};
  std::atomic<int> waiting{2};
  const auto work = [&] {
    --waiting;
    while (waiting > 0) {
    }
    std::int64_t own = 0;
    for (std::int64_t i = 0; i < asked; ++i) {
      try {
        m.charge(0);
        ++own;
      } catch (const unplanned_query&) {
        ++refused;
      }
    }
    granted += own;
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(granted, count);
  EXPECT_EQ(refused, 1000);
  EXPECT_EQ(m.spent(0), count);
}
