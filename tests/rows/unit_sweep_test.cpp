#include <stan_dp/rows/unit_sweep.hpp>
#include <stan/math/prim/core/init_threadpool_tbb.hpp>
#include <gtest/gtest.h>
#include <tbb/parallel_for.h>
#include <atomic>
#include <memory>
#include <thread>

using namespace stan_dp;  // NOLINT

namespace {

/** What parts of units ran where they should not have. */
std::atomic<int> strays{0};

/** A unit whose model does its work in parallel parts, as `reduce_sum` does. */
struct parallel_answers {
  void expect(std::size_t) {}
  double answer(std::size_t, double*) {
    const auto here = std::this_thread::get_id();
    tbb::parallel_for(0, 16, [here](int) {
      strays += std::this_thread::get_id() != here;
      volatile double work = 0;
      for (int i = 0; i < 300; ++i) {
        work = work + i;
      }
    });
    return 1;
  }
};

struct counting : unit_consumer {
  std::unique_ptr<unit_consumer> split() override {
    return std::make_unique<counting>();
  }
  void take(const unit_block& block) override { count += block.count; }
  void join(unit_consumer& other) override {
    count += static_cast<counting&>(other).count;
  }
  std::size_t count = 0;
};

class UnitSweep : public ::testing::Test {
 protected:
  void SetUp() override {
    stan::math::init_threadpool_tbb(2);
    strays = 0;
  }
};

/** Two threads: one that waited for a part would find the other's. */
TEST_F(UnitSweep, parts_of_a_unit_stay_on_its_thread) {
  for (const std::size_t grain : {std::size_t{64}, std::size_t{100000}}) {
    counting out;
    sweep_units(
        {nullptr, 5000, 1, false, grain}, [] { return parallel_answers(); },
        out);
    EXPECT_EQ(out.count, 5000u);
  }
  EXPECT_EQ(strays, 0);
}

TEST_F(UnitSweep, so_do_they_while_units_are_made) {
  std::atomic<std::size_t> count{0};
  for_unit_ranges(5000, true, [&](std::size_t begin, std::size_t end) {
    for (std::size_t unit = begin; unit != end; ++unit) {
      parallel_answers().answer(unit, nullptr);
      ++count;
    }
  });
  EXPECT_EQ(count, 5000u);
  EXPECT_EQ(strays, 0);
}

}  // namespace
