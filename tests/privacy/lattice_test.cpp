#include <stan_dp/privacy/lattice.hpp>
#include <stan_dp/privacy/seeded_random.hpp>
#include <gtest/gtest.h>
#include <boost/multiprecision/cpp_int.hpp>
#include <cfenv>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace stan_dp;
using boost::multiprecision::cpp_int;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
const double nan_value = std::nan("");

struct clipped {
  bool counts;
  std::vector<std::int64_t> v;
};

clipped clip_to_lattice(const Eigen::VectorXd& x, double clip = 1) {
  const lattice_clip on(
      Eigen::VectorXd(Eigen::VectorXd::Constant(x.size(), 1 / clip)));
  clipped result;
  result.v.resize(x.size());
  std::vector<double> scratch(x.size());
  result.counts = on(x.data(), result.v.data(), scratch.data());
  return result;
}

cpp_int square_norm(const std::vector<std::int64_t>& v) {
  cpp_int sum = 0;
  for (const std::int64_t x : v) {
    sum += cpp_int(x) * x;
  }
  return sum;
}

/** Numbers that are hard on floating point. */
double hostile(random_bits& bits) {
  const double sign = bits.bits64() % 2 ? 1 : -1;
  switch (bits.bits64() % 9) {
    case 0:
      return sign * std::numeric_limits<double>::max();
    case 1:
      return sign * std::numeric_limits<double>::denorm_min();
    case 2:
      return sign * 1e200 * uniform(bits);
    case 3:
      return sign * 1e-310 * uniform(bits);
    case 4:
      return 0 * sign;
    case 5:
      return sign;
    case 6:
      return sign * std::ldexp(uniform(bits), -30);
    case 7:
      return sign * std::sqrt(0x1p1000);
    default:
      return sign * uniform(bits);
  }
}

/** Any of 2^64 bit patterns, NaN and infinities among them. */
double any_bits(random_bits& bits) {
  const std::uint64_t word = bits.bits64();
  double x;
  std::memcpy(&x, &word, sizeof(x));
  return x;
}

void expect_within_sensitivity(const Eigen::VectorXd& x, double clip) {
  const clipped result = clip_to_lattice(x, clip);
  if (result.counts) {
    const cpp_int bound = lattice_sensitivity(x.size());
    EXPECT_LE(square_norm(result.v), bound * bound);
  }
  if (!x.allFinite()) {
    EXPECT_FALSE(result.counts);
  }
}

const std::vector<int> dimensions{1,  2,  3,  4,   7,   8,    9,    15,
                                  16, 17, 31, 100, 255, 1000, 4097, 10000};

}  // namespace

// 2^30 + ceil(sqrt(d) / 2), by hand
TEST(Lattice, sensitivity_adds_half_the_root_of_the_dimension_rounded_up) {
  const std::int64_t unit = 1073741824;
  EXPECT_EQ(lattice_sensitivity(0), unit);
  EXPECT_EQ(lattice_sensitivity(1), unit + 1);
  EXPECT_EQ(lattice_sensitivity(4), unit + 1);
  EXPECT_EQ(lattice_sensitivity(5), unit + 2);
  EXPECT_EQ(lattice_sensitivity(16), unit + 2);
  EXPECT_EQ(lattice_sensitivity(17), unit + 3);
  EXPECT_EQ(lattice_sensitivity(10000), unit + 50);
  EXPECT_EQ(lattice_sensitivity(10001), unit + 51);
  EXPECT_EQ(lattice_sensitivity(std::size_t{1} << 32), unit + (1 << 15));
  EXPECT_THROW(lattice_sensitivity((std::size_t{1} << 32) + 1),
               std::invalid_argument);
}

TEST(Lattice, no_vector_moves_the_sum_by_more_than_the_sensitivity) {
  seeded_random bits(1);
  for (const int d : dimensions) {
    const int runs = std::max(3, 20000 / d);
    for (int run = 0; run < runs; ++run) {
      const double clip = std::ldexp(1 + uniform(bits), 20 - run % 40);
      Eigen::VectorXd x(d);
      for (double& entry : x) {
        entry = hostile(bits);
      }
      expect_within_sensitivity(x, clip);
      for (double& entry : x) {
        entry = any_bits(bits);
      }
      expect_within_sensitivity(x, clip);
      x = Eigen::VectorXd::Constant(d, hostile(bits));
      expect_within_sensitivity(x, clip);
      for (double& entry : x) {
        entry = normal(bits);
      }
      x *= clip / x.norm();
      for (const double factor : {1 - 1e-16, 1.0, 1 + 1e-16, 1 + 1e-9}) {
        expect_within_sensitivity(x * factor, clip);
      }
    }
  }
}

// The lattice point is where it should be: within half a step, and the error
// of a double at 2^30 (2^-22 steps, and what the norm's rounding adds to it).
TEST(Lattice, a_finite_vector_is_clipped_to_the_nearest_lattice_point) {
  seeded_random bits(2);
  for (const int d : dimensions) {
    for (const double size : {1e-300, 1e-9, 0.3, 1.0, 1.7, 1e5, 1e160, 1e300}) {
      Eigen::VectorXd x(d);
      for (double& entry : x) {
        entry = normal(bits);
      }
      x *= size / x.norm();
      const clipped result = clip_to_lattice(x);
      ASSERT_TRUE(result.counts) << d << " " << size;
      Eigen::Matrix<long double, Eigen::Dynamic, 1> y = x.cast<long double>();
      const long double norm = y.norm();
      y *= 0x1p30L / std::max(norm, 1.0L);
      for (int j = 0; j < d; ++j) {
        ASSERT_LE(std::abs(result.v[j] - y[j]), 0.5L + 1e-5L) << d << size;
      }
    }
  }
}

// d = 10000: entries 10737417.6 and 10737418.88 lattice steps by turns have
// the norm 2^30 (10737418.24 = 2^30 / 100) to within 0.002, and round to
// 10737418 and 10737419: the norm grows by about 26 steps, to above 2^30. The
// clip bound is put 1e-9 higher, so that they are not clipped.
TEST(Lattice, rounding_up_at_the_bound_does_not_cost_a_unit_its_vote) {
  const int d = 10000;
  Eigen::VectorXd x(d);
  for (int j = 0; j < d; ++j) {
    x[j] = std::ldexp(j % 2 ? 10737418.88 : 10737417.6, -30);
  }
  const clipped result = clip_to_lattice(x, 1 + 1e-12);
  EXPECT_TRUE(result.counts);
  EXPECT_EQ(result.v[0], 10737418);
  EXPECT_EQ(result.v[1], 10737419);
  EXPECT_GT(square_norm(result.v), cpp_int(1) << 60);
}

// Where the processor rounds up, entries of 2^30 / 100 = 10737418.24 become
// 10737419, and the norm 2^30 + 76 instead of at most 2^30 + 50. The integers
// notice, and nothing is left to the floating point that went wrong.
TEST(Lattice, the_sensitivity_holds_in_every_rounding_mode) {
  seeded_random bits(4);
  int refused = 0;
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    for (const int d : dimensions) {
      std::vector<Eigen::VectorXd> vectors;
      for (const double sign : {1, -1}) {
        vectors.push_back(
            Eigen::VectorXd::Constant(d, sign / std::sqrt(double(d))));
      }
      vectors.push_back(Eigen::VectorXd::Zero(d));
      for (double& entry : vectors.back()) {
        entry = normal(bits);
      }
      for (const Eigen::VectorXd& x : vectors) {
        fesetround(mode);
        const clipped result = clip_to_lattice(x);
        fesetround(FE_TONEAREST);
        const cpp_int bound = lattice_sensitivity(d);
        if (result.counts) {
          EXPECT_LE(square_norm(result.v), bound * bound) << d;
        }
        refused += !result.counts;
      }
    }
  }
  EXPECT_GT(refused, 0);
}

TEST(Lattice, a_vector_with_an_entry_that_is_not_finite_does_not_count) {
  for (const int d : {1, 2, 15, 1000}) {
    for (const double bad : {inf, -inf, nan_value}) {
      for (const int where : {0, d / 2, d - 1}) {
        for (const double other : {0.0, 1e-3, 1e300, 1e-320}) {
          Eigen::VectorXd x = Eigen::VectorXd::Constant(d, other);
          x[where] = bad;
          EXPECT_FALSE(clip_to_lattice(x).counts);
        }
      }
    }
  }
  EXPECT_FALSE(clip_to_lattice(Eigen::Vector2d(inf, -inf)).counts);
  EXPECT_FALSE(clip_to_lattice(Eigen::Vector2d(inf, nan_value)).counts);
}

TEST(Lattice, weights_must_be_finite_and_positive) {
  for (const double bad : {0.0, -1.0, inf, nan_value}) {
    EXPECT_THROW(lattice_clip(Eigen::VectorXd(Eigen::Vector2d(1, bad))),
                 std::invalid_argument);
  }
}

TEST(Lattice, weights_apply_before_the_clip) {
  const lattice_clip on(Eigen::VectorXd(Eigen::Vector2d(3, 0.5)));
  const Eigen::Vector2d x(1, 8);  // weighted: (3, 4), of norm 5
  std::int64_t v[2];
  double scratch[2];
  ASSERT_TRUE(on(x.data(), v, scratch));
  EXPECT_EQ(v[0], std::llrint(0.6 * 0x1p30));
  EXPECT_EQ(v[1], std::llrint(0.8 * 0x1p30));
}

// By doubling: from one unit to 2^31 through the 64-bit sums and their carry,
// and on to 2^64 units in 128 bits.
TEST(LatticeSum, does_not_overflow_for_two_to_the_31_units) {
  const std::int64_t largest = std::int64_t{1} << 31;
  const std::int64_t v[3] = {largest, -largest, 1};
  lattice_sum sum(3);
  sum.add(v);
  int128 units = 1;
  for (int doubling = 1; doubling <= 64; ++doubling) {
    const lattice_sum copy = sum;
    sum.add(copy);
    sum.add(v);
    units = 2 * units + 1;
    ASSERT_TRUE(sum[0] == units * largest) << doubling;
    ASSERT_TRUE(sum[1] == -units * largest) << doubling;
    ASSERT_TRUE(sum[2] == units) << doubling;
  }
}

TEST(GradientSum, does_not_depend_on_the_order_or_on_how_units_are_divided) {
  const std::size_t n = 1000, d = 15;
  seeded_random bits(3);
  Eigen::MatrixXd g(d, n);
  for (double& entry : g.reshaped()) {
    entry = bits.bits64() % 50 ? normal(bits) : hostile(bits);
  }
  const lattice_clip clip(Eigen::VectorXd(Eigen::VectorXd::Constant(d, 0.5)));
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::vector<int128> first;
  for (int run = 0; run < 5; ++run) {
    std::vector<double> values(n, -1);
    gradient_sum sum(clip, &values);
    auto other = sum.split();
    auto third = other->split();
    unit_consumer* consumers[3] = {&sum, other.get(), third.get()};
    for (const std::size_t i : order) {
      const double value = static_cast<double>(i);
      consumers[uniform_below(bits, 3)]->take(
          {&i, 1, &value, g.data() + i * d});
    }
    other->join(*third);
    sum.join(*other);
    std::vector<int128> answer;
    for (std::size_t j = 0; j < d; ++j) {
      answer.push_back(sum.sum()[j]);
    }
    first = run == 0 ? answer : first;
    EXPECT_TRUE(answer == first);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(values[i], static_cast<double>(i));
    }
    for (std::size_t i = n - 1; i > 0; --i) {
      std::swap(order[i], order[uniform_below(bits, i + 1)]);
    }
  }
}

TEST(GradientSum, a_unit_that_does_not_count_leaves_the_others_alone) {
  const lattice_clip clip(Eigen::VectorXd(Eigen::Vector2d(1, 1)));
  const double g[8] = {0.5, 0, nan_value, 0.25, 0, inf, 0, 0.25};
  const std::size_t units[4] = {0, 1, 2, 3};
  const double values[4] = {1, 2, nan_value, 4};
  std::vector<double> kept(4, 0);
  gradient_sum sum(clip, &kept);
  sum.take({units, 4, values, g});
  EXPECT_TRUE(sum.sum()[0] == lattice_unit / 2);
  EXPECT_TRUE(sum.sum()[1] == lattice_unit / 4);
  EXPECT_EQ(kept[1], 2);
  EXPECT_TRUE(std::isnan(kept[2]));
}
