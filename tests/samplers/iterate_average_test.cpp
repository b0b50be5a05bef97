#include <stan_dp/samplers/iterate_average.hpp>
#include <gtest/gtest.h>

using stan_dp::iterate_average;

namespace {

/** The mean after the iterates 1, 2, ..., 10, of which the last count. */
double average_of_ten(int last) {
  iterate_average average(10, last);
  for (int i = 1; i <= 10; ++i) {
    average.add(Eigen::VectorXd::Constant(1, i));
  }
  return average.mean()[0];
}

TEST(IterateAverageTest, averages_the_last_iterates_alone) {
  EXPECT_DOUBLE_EQ(average_of_ten(4), 8.5);
  EXPECT_DOUBLE_EQ(average_of_ten(10), 5.5);
  EXPECT_DOUBLE_EQ(average_of_ten(1), 10);
}

TEST(IterateAverageTest, is_empty_before_the_first_that_counts) {
  iterate_average average(10, 4);
  average.add(Eigen::VectorXd::Ones(1));
  EXPECT_EQ(average.mean().size(), 0);
}

}  // namespace
