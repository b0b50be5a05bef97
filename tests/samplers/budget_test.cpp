#include <stan_dp/samplers/budget.hpp>
#include <stan_dp/samplers/hmc_chain.hpp>
#include <stan_dp/samplers/hmc_plan.hpp>
#include <stan_dp/samplers/penalty_chain.hpp>
#include <stan_dp/samplers/sg_plan.hpp>
#include <stan_dp/samplers/sghmc_chain.hpp>
#include <stan_dp/samplers/sgld_chain.hpp>
#include <stan_dp/samplers/sgnht_chain.hpp>
#include <tests/samplers/exactness.hpp>
#include <gtest/gtest.h>
#include <functional>
#include <memory>
#include <tuple>

using namespace stan_dp_test;
using namespace stan_dp;

namespace {

using budget_case = std::tuple<double, neighbors, int>;

/** So large that privacy is what bounds a step. */
constexpr double clip = 100;

class Budget : public testing::TestWithParam<budget_case> {
 protected:
  budget asked() const {
    return {true, std::get<0>(GetParam()), 1e-6, std::get<1>(GetParam()), {}};
  }
  run_length length() const { return {40, 30, std::get<2>(GetParam())}; }

  /** n is public only where neighbours substitute. */
  sg_noise noise(double rate) const {
    sg_noise result{rate, 1, clip, 2, std::nullopt};
    if (asked().relation == neighbors::substitute) {
      result.units = 8;
    }
    return result;
  }

  void expect_spends_budget(const plan& p) const {
    const double epsilon = epsilon_bound(p);
    EXPECT_LE(epsilon, asked().epsilon);
    EXPECT_GE(epsilon, 0.99 * asked().epsilon);
  }

  /** Runs all chains on one meter, which has to end at zero. */
  template <class Make>
  void expect_meter_ends_at_plan(const plan& p, const Make& make) const {
    const auto target = conjugate_gaussian();
    meter shared(p);
    for (int k = 0; k < length().num_chains; ++k) {
      seeded_random bits(1, k);
      private_likelihood likelihood(target.units, {clip, clip}, shared, bits);
      noisy_posterior posterior(target.prior, likelihood, 1);
      auto chain = make(posterior, bits, target.mean);
      for (int m = 0; m < length().num_warmup; ++m) {
        chain->warm_up();
      }
      chain->finish_warm_up();
      for (int m = 0; m < length().num_samples; ++m) {
        chain->sample();
        EXPECT_EQ(chain->names().size(), chain->values().size());
        EXPECT_TRUE(chain->theta().allFinite());
      }
    }
    for (std::size_t q = 0; q < p.mechanisms.size(); ++q) {
      EXPECT_EQ(shared.left(q), 0) << q;
      EXPECT_GT(shared.spent(q), 0) << q;
    }
  }
};

}  // namespace

TEST_P(Budget, is_met_by_dp_hmc) {
  adaptation_options adaptation;
  adaptation.windows = adaptation_windows(40, 75, 50, 25);
  ASSERT_EQ(adaptation.windows.count(), 1u);
  const hmc_plan p
      = plan_hmc(asked(), length(), 5, adaptation.windows.count(), 0.3);
  expect_spends_budget(p.plan);
  const std::int64_t chains = length().num_chains;
  EXPECT_EQ(p.plan.mechanisms[p.gradient_query].count,
            chains * (70 * 5 + 1 + 1));
  EXPECT_EQ(p.plan.mechanisms[p.ratio_query].count, chains * 70);
  // ratio_share of the cost is that of the ratios
  const auto mu = [&](std::size_t q) {
    const mechanism& m = p.plan.mechanisms[q];
    return m.count / (m.noise * m.noise);
  };
  EXPECT_NEAR(mu(p.ratio_query) / (mu(0) + mu(1)), 0.3, 1e-9);
  expect_meter_ends_at_plan(p.plan, [&](noisy_posterior& posterior,
                                        random_bits& bits,
                                        const VectorXd& theta) {
    return std::make_unique<hmc_chain>(
        posterior, bits, dp_hmc_options{5, 0, p.gradient_query, p.ratio_query},
        0.1, diagonal_metric::unit(2), adaptation, theta);
  });
}

TEST_P(Budget, is_met_by_dp_penalty) {
  adaptation_options adaptation;
  adaptation.windows = adaptation_windows(40, 75, 50, 25);
  const plan p = plan_penalty(asked(), length()).plan;
  expect_spends_budget(p);
  const gaussian_fit fit{VectorXd::Zero(2), Eigen::MatrixXd::Identity(2, 2)};
  for (const proposal_kind kind :
       {proposal_kind::guided, proposal_kind::fitted}) {
    expect_meter_ends_at_plan(p, [&](noisy_posterior& posterior,
                                     random_bits& bits, const VectorXd& theta) {
      return std::make_unique<penalty_chain>(
          posterior, bits, dp_penalty_options{kind, 0, fit}, 0.1,
          diagonal_metric::unit(2), adaptation, theta);
    });
  }
}

TEST_P(Budget, is_met_by_dp_sgld) {
  for (const double rate : {1.0, 0.1}) {
    for (const double power : {0.0, 0.33}) {
      sg_noise noise = this->noise(rate);
      noise.units.reset();
      const sg_plan q = plan_sgld(asked(), length(), noise, 0, 1, power);
      expect_spends_budget(q.plan);
      // the step chosen is the one whose Langevin noise is the plan's
      const double z = q.plan.mechanisms[0].noise;
      EXPECT_NEAR(q.steps.at(1) / sgld_private_stepsize(noise, z), 1, 1e-9);
      expect_meter_ends_at_plan(q.plan, [&](noisy_posterior& posterior,
                                            random_bits& bits,
                                            const VectorXd& theta) {
        return std::make_unique<sgld_chain>(posterior, bits, q, rate, theta);
      });
    }
  }
}

TEST_P(Budget, is_met_by_dp_sghmc) {
  for (const double rate : {1.0, 0.1}) {
    const sg_plan p = plan_sghmc(asked(), length(), noise(rate), 3, 0, 1, 0, 0);
    expect_spends_budget(p.plan);
    EXPECT_LE(p.steps.at(1) * p.friction, 0.5);
    EXPECT_GE(p.friction, sghmc_min_friction(noise(rate), p.steps.at(1),
                                             p.plan.mechanisms[0].noise));
    EXPECT_LT(p.inflation, 1.11);
    expect_meter_ends_at_plan(
        p.plan, [&](noisy_posterior& posterior, random_bits& bits,
                    const VectorXd& theta) {
          return std::make_unique<sghmc_chain>(posterior, bits, p, rate, theta);
        });
  }
}

TEST_P(Budget, is_met_by_dp_sgnht) {
  for (const double rate : {1.0, 0.1}) {
    const sg_plan p = plan_sgnht(asked(), length(), noise(rate), 0);
    expect_spends_budget(p.plan);
    EXPECT_LE(p.thermostat, 0.0501);
    expect_meter_ends_at_plan(
        p.plan, [&](noisy_posterior& posterior, random_bits& bits,
                    const VectorXd& theta) {
          return std::make_unique<sgnht_chain>(posterior, bits, p, rate, theta);
        });
  }
}

INSTANTIATE_TEST_SUITE_P(
    EpsilonRelationChains, Budget,
    testing::Combine(testing::Values(0.1, 1.0, 10.0),
                     testing::Values(neighbors::substitute,
                                     neighbors::add_remove),
                     testing::Values(1, 4)));

TEST(Budget, counts_what_a_warm_start_planned) {
  budget b{true, 1, 1e-6, neighbors::substitute, {}};
  b.fixed.push_back({query_kind::gradient, 0.05, 5, 100});
  const hmc_plan p = plan_hmc(b, {50, 50, 2}, 4, 0, 0.5);
  ASSERT_EQ(p.plan.mechanisms.size(), 3u);
  EXPECT_EQ(p.plan.mechanisms[0].noise, 5);
  EXPECT_EQ(p.gradient_query, 1u);
  EXPECT_EQ(p.ratio_query, 2u);
  EXPECT_LE(epsilon_bound(p.plan), 1);
  EXPECT_GE(epsilon_bound(p.plan), 0.99);
}

TEST(Budget, refuses_warm_start_that_spends_all) {
  for (const double rate : {1.0, 0.5}) {
    budget b{true, 1, 1e-6, neighbors::substitute, {}};
    b.fixed.push_back({query_kind::gradient, rate, 0.5, 200});
    EXPECT_THROW(plan_penalty(b, {50, 50, 1}), std::domain_error);
  }
}

TEST(Budget, without_privacy_has_no_noise) {
  const budget b{false, std::nan(""), std::nan(""), neighbors::substitute, {}};
  const hmc_plan p = plan_hmc(b, {5, 5, 1}, 4, 0, 0.5);
  for (const mechanism& m : p.plan.mechanisms) {
    EXPECT_EQ(m.noise, 0);
  }
  EXPECT_FALSE(p.plan.engaged);
  const sg_plan q = plan_sgld(b, {5, 5, 1}, {0.5, 1, 1, 2, 100}, 0, 1, 0);
  EXPECT_GT(q.steps.at(1), 0);
  EXPECT_TRUE(std::isfinite(q.steps.at(1)));
}
