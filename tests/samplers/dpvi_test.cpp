#include <stan_dp/samplers/dpvi.hpp>
#include <gtest/gtest.h>
#include <tests/samplers/support.hpp>
#include <Eigen/Dense>
#include <cmath>

using namespace stan_dp;
using namespace stan_dp_test;
using Eigen::MatrixXd;

namespace {

/** Observations `x_i ~ N(theta, P^-1)` with the prior `theta ~ N(0, I)`. */
struct conjugate_model {
  MatrixXd precision{3, 3};
  std::vector<VectorXd> x = spread_points(10, 3, 1.5, 0.8);

  conjugate_model() { precision << 4, 1.2, -0.6, 1.2, 1, 0.1, -0.6, 0.1, 0.5; }

  std::vector<density> units() const {
    std::vector<density> result;
    for (const VectorXd& point : x) {
      result.push_back(
          [point, p = precision](const VectorXd& theta, VectorXd& gradient) {
            gradient = p * (point - theta);
            return 0.5 * gradient.dot(theta - point);
          });
    }
    return result;
  }

  MatrixXd posterior_precision() const {
    return x.size() * precision + MatrixXd::Identity(3, 3);
  }

  VectorXd posterior_mean() const {
    VectorXd sum = VectorXd::Zero(3);
    for (const VectorXd& point : x) {
      sum += point;
    }
    return posterior_precision().ldlt().solve(precision * sum);
  }
};

/**
 * In units of what it estimates, one draw of eps sees the optimum of omega with
 * a standard deviation of sqrt(2) / 2 (the gradient is 1 - h eps^2, of variance
 * 2, and falls by 2 for each unit of omega), and that of mu with about one
 * posterior standard deviation. The average of the last 100,000 of
 * them is then within 0.003: a tolerance of 1 % is three of these.
 */
dpvi_options options(optimizer_kind kind = optimizer_kind::adam) {
  return {200000, 1, 100000, kind, dpvi_eta};
}

/** A run on the conjugate model without noise; no gradient is clipped. */
variational_family fit(variational_kind kind, const dpvi_options& o,
                       double rate = 1) {
  const conjugate_model model;
  const function_units units(3, model.units());
  const auto prior = gaussian_prior(3, 1);
  chain_bench bench(prior, units, make_plan({dpvi_mechanism(o, rate)}, false),
                    {1000, 1000}, 17);
  dpvi run(bench.posterior, bench.bits, o, {0, rate},
           {kind, VectorXd::Zero(3), 0.1});
  for (int i = 0; i < o.iter; ++i) {
    run.step();
  }
  EXPECT_LT(units.largest_gradient(), 1000);
  return run.result();
}

/** The mean to 1 % of a posterior standard deviation. */
void expect_mean(const variational_family& q, const conjugate_model& model) {
  const MatrixXd covariance = model.posterior_precision().inverse();
  const VectorXd mean = model.posterior_mean();
  for (int j = 0; j < 3; ++j) {
    EXPECT_NEAR(q.mean()[j], mean[j], 0.01 * std::sqrt(covariance(j, j)))
        << "coordinate " << j;
  }
}

/**
 * The best independent Gaussian for one with precision A has its mean and the
 * variances 1 / A_jj (not the diagonal of the inverse, which is larger).
 */
void expect_mean_field_optimum(const variational_family& q) {
  const conjugate_model model;
  expect_mean(q, model);
  const MatrixXd a = model.posterior_precision();
  for (int j = 0; j < 3; ++j) {
    EXPECT_NEAR(q.scales()[j] * std::sqrt(a(j, j)), 1, 0.01)
        << "coordinate " << j;
  }
}

TEST(DpviTest, mean_field_finds_the_conjugate_optimum) {
  expect_mean_field_optimum(fit(variational_kind::mean_field, options()));
}

TEST(DpviTest, adagrad_finds_the_conjugate_optimum) {
  expect_mean_field_optimum(
      fit(variational_kind::mean_field, options(optimizer_kind::adagrad)));
}

TEST(DpviTest, several_draws_a_step_find_the_conjugate_optimum) {
  dpvi_options o = options();
  o.iter /= 4;
  o.average /= 4;
  o.grad_samples = 4;
  expect_mean_field_optimum(fit(variational_kind::mean_field, o));
}

/** With the sum divided by the rate, a subsample has the same optimum. */
TEST(DpviTest, subsampling_keeps_the_conjugate_optimum) {
  expect_mean_field_optimum(fit(variational_kind::mean_field, options(), 0.5));
}

/** The full-rank optimum is the posterior: L is its Cholesky factor. */
TEST(DpviTest, full_rank_finds_the_posterior) {
  const conjugate_model model;
  const variational_family q = fit(variational_kind::full_rank, options());
  expect_mean(q, model);
  const MatrixXd exact = model.posterior_precision().inverse().llt().matrixL();
  for (int j = 0; j < 3; ++j) {
    for (int k = 0; k <= j; ++k) {
      EXPECT_NEAR(q.factor()(j, k), exact(j, k), 0.01 * exact.row(j).norm())
          << "element " << j << ", " << k;
    }
  }
}

/** Noise and clipping, as in a private run: four units, z = 1, C = 1. */
struct private_run {
  function_units units{3, gaussian_units(spread_points(4, 3, 1, 0.5))};
  function_prior prior = gaussian_prior(3, 1);
  chain_bench bench;
  dpvi run;

  private_run(variational_kind kind, const dpvi_options& o, mechanism planned)
      : bench(prior, units, make_plan({planned}), {1, 1}, 5),
        run(bench.posterior, bench.bits, o, {0, planned.rate},
            {kind, VectorXd::Zero(3), 0.1}) {}

  void steps(int count) {
    for (int i = 0; i < count; ++i) {
      run.step();
    }
  }
};

mechanism with_noise(mechanism planned) {
  planned.noise = 1;
  return planned;
}

TEST(DpviTest, every_draw_is_a_planned_query_of_its_own) {
  const dpvi_options o{5, 3, 2, optimizer_kind::adam, 0.1};
  const mechanism planned = with_noise(dpvi_mechanism(o, 0.5));
  EXPECT_EQ(planned.count, 15);
  EXPECT_EQ(planned.rate, 0.5);
  private_run r(variational_kind::mean_field, o, planned);
  r.steps(4);
  EXPECT_EQ(r.bench.meter.spent(0), 12);
  r.steps(1);
  EXPECT_EQ(r.bench.meter.left(0), 0);
  EXPECT_THROW(r.run.step(), unplanned_query);
}

/**
 * From the same bits both kinds start with the same batch, eps and noise: the
 * first step, and what is left of the bits after it, are the same, and so is
 * the number of queries of a whole run.
 */
TEST(DpviTest, full_rank_pays_no_more_noise_than_mean_field) {
  const dpvi_options o{40, 2, 20, optimizer_kind::adagrad, 0.1};
  const mechanism planned = with_noise(dpvi_mechanism(o, 0.5));
  private_run mean_field(variational_kind::mean_field, o, planned);
  private_run full_rank(variational_kind::full_rank, o, planned);
  mean_field.steps(1);
  full_rank.steps(1);
  EXPECT_EQ(mean_field.run.current().mean(), full_rank.run.current().mean());
  EXPECT_EQ(mean_field.run.current().diagonal(),
            full_rank.run.current().diagonal());
  EXPECT_EQ(mean_field.bench.bits.bits64(), full_rank.bench.bits.bits64());
  mean_field.steps(39);
  full_rank.steps(39);
  EXPECT_EQ(mean_field.bench.meter.spent(0), full_rank.bench.meter.spent(0));
}

TEST(DpviTest, all_queries_are_spent_where_the_numbers_end) {
  dpvi_options o{10, 1, 5, optimizer_kind::adam, 1e300};
  private_run r(variational_kind::full_rank, o,
                with_noise(dpvi_mechanism(o, 1)));
  r.steps(10);
  EXPECT_EQ(r.bench.meter.left(0), 0);
  EXPECT_TRUE(r.run.result().parameters().allFinite());
}

TEST(DpviTest, refuses_a_run_that_cannot_be_averaged) {
  dpvi_options o{10, 1, 11, optimizer_kind::adam, 0.1};
  EXPECT_THROW(private_run(variational_kind::mean_field, o,
                           with_noise(dpvi_mechanism(o, 1))),
               std::invalid_argument);
}

}  // namespace
