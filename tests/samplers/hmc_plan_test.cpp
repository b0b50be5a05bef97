#include <stan_dp/samplers/hmc_plan.hpp>
#include <gtest/gtest.h>
#include <cmath>

using namespace stan_dp;

// 100 tests of noise z = 10, b = 2, T = 0.5: moves of 2 / 10 each, 2 together;
// 199 units in two dimensions: information 1 + 0.5 * 199 * 4 / 2 = 200
TEST(PenaltyReach, is_diffusion_over_posterior_width) {
  EXPECT_NEAR(penalty_reach(10, 0.5, 2, {50, 50, 1}, 199, 2),
              2 * std::sqrt(200.0), 1e-9);
}

TEST(PenaltyReach, is_warned_of_where_a_chain_cannot_move) {
  EXPECT_TRUE(reach_warnings(3).empty());
  ASSERT_EQ(reach_warnings(0.5).size(), 1u);
  EXPECT_NE(reach_warnings(0.5)[0].find("about 0.5 posterior"),
            std::string::npos);
}

// What the reach is worth does not depend on how many iterations share the
// budget: z grows with the root of their number.
TEST(PenaltyReach, does_not_depend_on_the_number_of_iterations) {
  const budget b{true, 1, 1e-6, neighbors::substitute, {}};
  const run_length few{50, 50, 1};
  const run_length many{5000, 5000, 1};
  const auto reach = [&](const run_length& length) {
    return penalty_reach(plan_penalty(b, length).plan.mechanisms[0].noise, 1, 1,
                         length, 1000, 2);
  };
  EXPECT_NEAR(reach(few) / reach(many), 1, 1e-3);
}
