#include <stan_dp/privacy/privacy_loss.hpp>

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <vector>

using stan_dp::accounted_step;
using stan_dp::dominating_pair;
using stan_dp::loss_direction;
using stan_dp::neighbors;
using stan_dp::privacy_loss_delta;
using stan_dp::privacy_loss_epsilon;

namespace {

const loss_direction directions[]
    = {loss_direction::remove, loss_direction::add, loss_direction::substitute};

double density(double x, double centre, double z) {
  double t = (x - centre) / z;
  return std::exp(-t * t / 2) / (z * std::sqrt(2 * M_PI));
}

/**
 * delta of one step from the two densities, by quadrature of the positive part
 * of P - e^eps Q, written out anew for each direction.
 */
double integrated_delta(loss_direction direction, double q, double z,
                        double epsilon) {
  double sum = 0;
  double low = -2 - 12 * z;
  double high = 2 + 12 * z;
  int n = 100000;
  double h = (high - low) / n;
  for (int i = 0; i < n; ++i) {
    double x = low + h * (i + 0.5);
    double none = density(x, 0, z);
    double up = (1 - q) * none + q * density(x, 1, z);
    double down = (1 - q) * none + q * density(x, -1, z);
    double p = direction == loss_direction::add ? none : up;
    double other = direction == loss_direction::remove ? none
                   : direction == loss_direction::add  ? up
                                                       : down;
    sum += std::max(0.0, p - std::exp(epsilon) * other);
  }
  return sum * h;
}

/** The larger delta of the directions of a relation. */
double integrated_delta(neighbors relation, double q, double z,
                        double epsilon) {
  if (relation == neighbors::substitute) {
    return integrated_delta(loss_direction::substitute, q, z, epsilon);
  }
  return std::max(integrated_delta(loss_direction::remove, q, z, epsilon),
                  integrated_delta(loss_direction::add, q, z, epsilon));
}

}  // namespace

TEST(DominatingPairTest, position_inverts_loss) {
  for (auto direction : directions) {
    for (double q : {1e-4, 0.1, 0.7}) {
      for (double z : {0.1, 1.0, 20.0}) {
        dominating_pair pair{direction, q, z};
        for (double x : {-3.0, -0.2, 0.0, 0.4, 2.0, 7.0}) {
          double loss = stan_dp::internal::loss_at(pair, x);
          double back = stan_dp::internal::position_of(pair, loss);
          EXPECT_NEAR(stan_dp::internal::loss_at(pair, back), loss,
                      1e-12 * (1 + std::fabs(loss)));
        }
      }
    }
  }
}

TEST(DominatingPairTest, moments_agree_with_the_binomial_formula) {
  // E_Q (P/Q)^a = sum_k C(a,k) (1-q)^(a-k) q^k exp(k (k-1) / (2 z^2)).
  for (double q : {0.001, 0.2}) {
    for (double z : {0.4, 1.0, 5.0}) {
      for (int a : {2, 3, 7}) {
        double sum = 0;
        double binomial = 1;
        for (int k = 0; k <= a; ++k) {
          sum += binomial * std::pow(1 - q, a - k) * std::pow(q, k)
                 * std::exp(k * (k - 1) / (2 * z * z));
          binomial *= static_cast<double>(a - k) / (k + 1);
        }
        dominating_pair pair{loss_direction::remove, q, z};
        EXPECT_NEAR(stan_dp::log_moment(pair, a - 1), std::log(sum),
                    1e-12 * (1 + std::log(sum)));
      }
    }
  }
}

TEST(LossLatticeTest, dominates_the_step_at_every_epsilon) {
  for (auto direction : directions) {
    for (double q : {0.01, 0.5}) {
      for (double z : {0.5, 2.0}) {
        dominating_pair pair{direction, q, z};
        stan_dp::loss_lattice lattice
            = stan_dp::make_lattice(pair, {0.01, 3, 1e-12});
        double mass = lattice.infinite;
        for (double m : lattice.mass) {
          EXPECT_GE(m, 0);
          mass += m;
        }
        EXPECT_NEAR(mass, 1, 1e-13);
        for (double epsilon : {-0.1, 0.0, 0.0037, 0.05, 0.3, 1.0, 3.0}) {
          double delta = lattice.infinite;
          for (std::size_t i = 0; i < lattice.mass.size(); ++i) {
            double loss = static_cast<double>(lattice.index[i]) * 0.01;
            delta
                += lattice.mass[i] * std::max(0.0, -std::expm1(epsilon - loss));
          }
          double exact = integrated_delta(direction, q, z, epsilon);
          EXPECT_GE(delta, exact - 1e-8) << q << " " << z << " " << epsilon;
          // delta falls with epsilon, by a slope between -1 and 0: a chord
          // over 0.01 is above the curve by at most 0.01 / 4.
          EXPECT_LE(delta, exact + 0.0026) << q << " " << z << " " << epsilon;
        }
      }
    }
  }
}

TEST(PrivacyLossTest, one_step_agrees_with_quadrature_from_above) {
  for (auto relation : {neighbors::add_remove, neighbors::substitute}) {
    for (double q : {0.02, 0.5, 0.95}) {
      for (double z : {0.6, 1.5, 6.0}) {
        for (double delta : {1e-6, 1e-3}) {
          double epsilon = privacy_loss_epsilon({{q, z, 1}}, delta, relation);
          if (epsilon == 0) {
            EXPECT_LE(integrated_delta(relation, q, z, 0), delta);
            continue;
          }
          EXPECT_LE(integrated_delta(relation, q, z, epsilon), delta + 1e-9);
          double less = epsilon * (1 - 1e-3) - 1e-5;
          EXPECT_GT(integrated_delta(relation, q, z, std::max(0.0, less)),
                    delta)
              << q << " " << z << " " << delta;
        }
      }
    }
  }
}

TEST(PrivacyLossTest, agrees_with_the_closed_form_at_rate_one) {
  for (auto relation : {neighbors::add_remove, neighbors::substitute}) {
    for (double noise : {0.3, 1.0, 4.0, 50.0}) {
      for (std::int64_t count : {1, 30, 1000}) {
        for (double delta : {1e-9, 1e-6, 1e-3}) {
          double exact = stan_dp::gaussian_epsilon(
              stan_dp::gaussian_mu(noise, static_cast<double>(count), relation),
              delta);
          double bound
              = privacy_loss_epsilon({{1, noise, count}}, delta, relation);
          EXPECT_GE(bound, exact * (1 - 1e-9));
          // Beyond the range of exp, losses are rounded up instead of split.
          double tolerance = exact < 300 ? 1e-4 : 1e-3;
          EXPECT_LE(bound, exact * (1 + tolerance) + 1e-6)
              << noise << " " << count << " " << delta;
        }
      }
    }
  }
}

TEST(PrivacyLossTest, approaches_the_closed_form_as_the_rate_approaches_one) {
  // With rate 1 - 1e-9 the steps are really subsampled ones, composed by FFT.
  for (auto relation : {neighbors::add_remove, neighbors::substitute}) {
    for (double delta : {1e-12, 1e-6, 1e-2}) {
      double exact = stan_dp::gaussian_epsilon(
          stan_dp::gaussian_mu(20, 100, relation), delta);
      double bound
          = privacy_loss_epsilon({{1 - 1e-9, 20, 100}}, delta, relation);
      EXPECT_GE(bound, exact * (1 - 1e-6));
      EXPECT_LE(bound, exact * (1 + 1e-4)) << delta;
    }
  }
}

TEST(PrivacyLossTest, delta_inverts_epsilon) {
  for (auto relation : {neighbors::add_remove, neighbors::substitute}) {
    std::vector<accounted_step> steps
        = {{0.01, 1.5, 500}, {0.1, 4, 50}, {1, 30, 20}};
    for (double delta : {1e-30, 1e-9, 1e-5, 1e-2}) {
      double epsilon = privacy_loss_epsilon(steps, delta, relation);
      EXPECT_NEAR(privacy_loss_delta(steps, epsilon, relation) / delta, 1,
                  5e-3);
    }
  }
}

TEST(PrivacyLossTest, moves_the_right_way_with_every_setting) {
  auto cost = [](double rate, double noise, std::int64_t count, double delta) {
    return privacy_loss_epsilon({{rate, noise, count}}, delta,
                                neighbors::add_remove);
  };
  double base = cost(0.01, 1, 1000, 1e-5);
  EXPECT_GT(cost(0.011, 1, 1000, 1e-5), base);
  EXPECT_LT(cost(0.01, 1.02, 1000, 1e-5), base);
  EXPECT_GT(cost(0.01, 1, 1010, 1e-5), base);
  EXPECT_LT(cost(0.01, 1, 1000, 1.1e-5), base);
  EXPECT_GT(
      privacy_loss_epsilon({{0.01, 1, 1000}}, 1e-5, neighbors::substitute),
      1.5 * base);
}

TEST(PrivacyLossTest, equal_steps_may_be_written_one_by_one) {
  std::vector<accounted_step> apart(700, {0.02, 1.3, 1});
  for (auto relation : {neighbors::add_remove, neighbors::substitute}) {
    double together = privacy_loss_epsilon({{0.02, 1.3, 700}}, 1e-6, relation);
    EXPECT_NEAR(privacy_loss_epsilon(apart, 1e-6, relation) / together, 1,
                1e-8);
    // Nearly equal ones: the noise moves by 1e-9, and so does the bound.
    for (std::size_t i = 0; i < apart.size(); ++i) {
      apart[i].noise = 1.3 * (1 + 1e-9 * static_cast<double>(i) / 700);
    }
    EXPECT_NEAR(privacy_loss_epsilon(apart, 1e-6, relation) / together, 1,
                1e-4);
  }
}

TEST(PrivacyLossTest, mixtures_of_two_pairs_dominate_what_lies_between) {
  // The theorem of step_groups.hpp, tried out by quadrature.
  for (auto direction : directions) {
    for (double q : {0.05, 0.6}) {
      for (double z : {0.4, 1.5}) {
        double high = 1.2 * z;
        double between = 1.09 * z;
        auto scale = [&](double noise) {
          return stan_dp::internal::convex_scale(direction, noise);
        };
        double share
            = (scale(high) - scale(between)) / (scale(high) - scale(z));
        for (double epsilon : {-0.5, 0.0, 0.02, 0.2, 1.0, 4.0}) {
          double mixed
              = share * integrated_delta(direction, q, z, epsilon)
                + (1 - share) * integrated_delta(direction, q, high, epsilon);
          EXPECT_GE(mixed + 1e-8,
                    integrated_delta(direction, q, between, epsilon))
              << q << " " << z << " " << epsilon;
        }
      }
    }
  }
}

TEST(PrivacyLossTest, many_noises_are_bounded_from_above_and_closely) {
  // 2000 noises are composed through mixtures; two neighbours at a time
  // replaced by the larger or the smaller noise, they bound it on both sides.
  for (auto relation : {neighbors::add_remove, neighbors::substitute}) {
    std::vector<accounted_step> all;
    std::vector<accounted_step> less_noise;
    std::vector<accounted_step> more_noise;
    int blocks = 40;
    int length = 50;
    for (int b = 0; b < blocks; ++b) {
      for (int i = 0; i < length; ++i) {
        double position = b + (i + 0.5) / length;
        all.push_back({0.01, 1.5 * std::exp(0.02 * position), 1});
      }
      less_noise.push_back({0.01, 1.5 * std::exp(0.02 * b), length});
      more_noise.push_back({0.01, 1.5 * std::exp(0.02 * (b + 1)), length});
    }
    double bound = privacy_loss_epsilon(all, 1e-6, relation);
    double above = privacy_loss_epsilon(less_noise, 1e-6, relation);
    double below = privacy_loss_epsilon(more_noise, 1e-6, relation);
    EXPECT_LT(bound, above);
    EXPECT_GT(bound, below);
    // The truth is near the middle of the two, to second order in 0.02.
    EXPECT_NEAR(bound / std::sqrt(above * below), 1, 3e-4);
  }
}
