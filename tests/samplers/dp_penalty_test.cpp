#include <stan_dp/samplers/dp_penalty.hpp>
#include <stan_dp/samplers/penalty_chain.hpp>
#include <tests/samplers/exactness.hpp>
#include <gtest/gtest.h>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

using namespace stan_dp_test;
using stan_dp::diagonal_metric;
using stan_dp::dp_penalty;
using stan_dp::dp_penalty_options;
using stan_dp::gaussian_fit;
using stan_dp::proposal_kind;

namespace {

/**
 * A Gaussian that is no posterior of these tests: beside them all, wider, and
 * correlated.
 */
gaussian_fit wrong_fit(Eigen::Index size) {
  const double width = 1.2;
  Eigen::MatrixXd factor = width * Eigen::MatrixXd::Identity(size, size);
  factor.bottomLeftCorner(size - 1, size - 1).diagonal().setConstant(0.6);
  return {VectorXd::Constant(size, 0.3), factor};
}

dp_penalty_options options_for(proposal_kind proposal, Eigen::Index size) {
  return {proposal, 0, wrong_fit(size)};
}

/**
 * Ratio noise of sd 2 per unit of distance: the posterior's sd is about half a
 * unit and so is a move, which makes it about 1 on the log scale.
 */
std::vector<VectorXd> run_penalty(const known_posterior& target,
                                  proposal_kind proposal, int iterations,
                                  double tempering = 1, double noise = 0.02,
                                  diagonal_metric metric
                                  = diagonal_metric::unit(2)) {
  chain_bench bench(target.prior, target.units,
                    make_plan({{ratio_query, 1, noise, iterations}}),
                    {wide_clip, wide_clip}, 3, tempering);
  dp_penalty kernel(bench.posterior, bench.bits, options_for(proposal, 2), 0.5,
                    metric);
  std::vector<VectorXd> draws;
  auto state = kernel.start(target.from_normal(target.mean));
  for (int i = 0; i < iterations; ++i) {
    state = kernel.transition(state).first;
    draws.push_back(state.theta);
  }
  EXPECT_EQ(bench.meter.left(0), 0);
  return draws;
}

class DpPenaltyProposal : public testing::TestWithParam<proposal_kind> {};

}  // namespace

TEST_P(DpPenaltyProposal, keeps_conjugate_gaussian_exact_under_noise) {
  const auto target = conjugate_gaussian();
  expect_exact(target, run_penalty(target, GetParam(), 200000));
}

TEST_P(DpPenaltyProposal, keeps_banana_exact_under_noise) {
  const auto target = banana();
  expect_exact(target, run_penalty(target, GetParam(), 400000));
}

TEST_P(DpPenaltyProposal, keeps_tempered_posterior_exact_with_metric) {
  const auto target = conjugate_gaussian(0.5);
  expect_exact(target, run_penalty(target, GetParam(), 200000, 0.5, 0.04,
                                   diagonal_metric(Eigen::Vector2d(0.5, 2))));
}

TEST_P(DpPenaltyProposal, spends_every_query_when_theta_overflows) {
  const auto target = conjugate_gaussian();
  chain_bench bench(target.prior, target.units,
                    make_plan({{ratio_query, 1, 0.02, 20}}),
                    {wide_clip, wide_clip}, 3);
  dp_penalty_options options = options_for(GetParam(), 2);
  options.fit->factor *= 1e308;
  dp_penalty kernel(bench.posterior, bench.bits, options, 1e308,
                    diagonal_metric(Eigen::Vector2d(1e10, 1e10)));
  auto state = kernel.start(target.mean);
  for (int i = 0; i < 10; ++i) {
    state = kernel.transition(state).first;
    ASSERT_EQ(state.theta, target.mean);
  }
  kernel.set_stepsize(1e-5);
  for (int i = 0; i < 10; ++i) {
    state = kernel.transition(state).first;
  }
  // a fit this wide stays what it is
  if (GetParam() != proposal_kind::fitted) {
    EXPECT_NE(state.theta, target.mean);
  }
  EXPECT_EQ(bench.meter.left(0), 0);
}

TEST_P(DpPenaltyProposal, stays_out_of_region_that_rows_reject) {
  std::vector<density> units(40, [](const VectorXd& theta, VectorXd& gradient) {
    gradient = -0.075 * theta;
    return theta(0) < 0 ? std::nan("") : -0.0375 * theta.squaredNorm();
  });
  const function_units rows(1, units);
  const auto prior = gaussian_prior(1, 1);
  const int iterations = 20000;
  chain_bench bench(prior, rows, make_plan({{ratio_query, 1, 0.1, iterations}}),
                    {2, 2}, 9);
  dp_penalty kernel(bench.posterior, bench.bits, options_for(GetParam(), 1),
                    0.3, diagonal_metric::unit(1));
  auto state = kernel.start(VectorXd::Constant(1, 0.5));
  int outside = 0;
  for (int i = 0; i < iterations; ++i) {
    state = kernel.transition(state).first;
    outside += state.theta(0) < 0;
  }
  // as for dp_hmc: 40 units hold against a step s over the edge with 80 s
  EXPECT_LT(outside, 0.04 * iterations);
}

INSTANTIATE_TEST_SUITE_P(Proposals, DpPenaltyProposal,
                         testing::Values(proposal_kind::full,
                                         proposal_kind::component,
                                         proposal_kind::guided,
                                         proposal_kind::fitted));

TEST(DpPenalty, guided_walk_keeps_direction_until_rejection) {
  const auto target = conjugate_gaussian();
  chain_bench bench(target.prior, target.units,
                    make_plan({{ratio_query, 1, 0.02, 500}}),
                    {wide_clip, wide_clip}, 3);
  dp_penalty kernel(bench.posterior, bench.bits, {proposal_kind::guided, 0},
                    0.5, diagonal_metric::unit(2));
  auto state = kernel.start(target.mean);
  for (int i = 0; i < 500; ++i) {
    const auto next = kernel.transition(state);
    const VectorXd move = next.first.theta - state.theta;
    const VectorXd turn = next.first.directions - state.directions;
    if (next.second.accepted) {
      EXPECT_EQ(turn.cwiseAbs().sum(), 0);
      EXPECT_GT(move.cwiseProduct(state.directions).sum(), 0);
      EXPECT_EQ((move.array() != 0).count(), 1);
    } else {
      EXPECT_EQ(turn.cwiseAbs().sum(), 2);
      EXPECT_EQ(move.cwiseAbs().sum(), 0);
    }
    state = next.first;
  }
}

TEST(DpPenalty, fitted_walk_goes_no_further_than_a_fresh_draw) {
  const auto target = conjugate_gaussian();
  chain_bench bench(target.prior, target.units,
                    make_plan({{ratio_query, 1, 0.02, 1}}),
                    {wide_clip, wide_clip}, 3);
  dp_penalty kernel(bench.posterior, bench.bits,
                    options_for(proposal_kind::fitted, 2), 7,
                    diagonal_metric::unit(2));
  EXPECT_EQ(kernel.stepsize(), 1);
  kernel.set_stepsize(0.5);
  EXPECT_EQ(kernel.stepsize(), 0.5);
  kernel.set_stepsize(2);
  EXPECT_EQ(kernel.stepsize(), 1);
}

TEST(DpPenalty, fitted_walk_needs_a_fit) {
  const auto target = conjugate_gaussian();
  chain_bench bench(target.prior, target.units,
                    make_plan({{ratio_query, 1, 0.02, 1}}),
                    {wide_clip, wide_clip}, 3);
  EXPECT_THROW(
      dp_penalty(bench.posterior, bench.bits, {proposal_kind::fitted, 0}, 0.5,
                 diagonal_metric::unit(2)),
      std::invalid_argument);
}

namespace {

/** What a chain around its own posterior says after 100 draws. */
std::string complaint_at(proposal_kind proposal, double noise) {
  const auto target = conjugate_gaussian();
  chain_bench bench(target.prior, target.units,
                    make_plan({{ratio_query, 1, noise, 100}}),
                    {wide_clip, wide_clip}, 3);
  const gaussian_fit fit{target.mean, target.sd.asDiagonal()};
  stan_dp::adaptation_options adaptation;
  adaptation.engaged = false;
  stan_dp::penalty_chain chain(bench.posterior, bench.bits, {proposal, 0, fit},
                               1, diagonal_metric::unit(2), adaptation,
                               target.mean);
  for (int i = 0; i < 100; ++i) {
    chain.sample();
  }
  return chain.complaint();
}

}  // namespace

/** With little noise each draw is a fresh one; with a noise of 6 hardly any is.
 */
TEST(DpPenalty, fitted_walk_says_how_few_its_draws_are) {
  EXPECT_EQ(complaint_at(proposal_kind::fitted, 1e-3), "");
  const std::string few = complaint_at(proposal_kind::fitted, 0.1);
  EXPECT_EQ(few.substr(0, 15), "is worth about ");
  EXPECT_LT(std::stod(few.substr(15)), 10);
  EXPECT_EQ(complaint_at(proposal_kind::full, 0.1), "");
}
