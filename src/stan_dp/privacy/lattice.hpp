#ifndef STAN_DP_PRIVACY_LATTICE_HPP
#define STAN_DP_PRIVACY_LATTICE_HPP

#include <stan_dp/privacy/integers.hpp>
#include <stan_dp/rows/unit_likelihood.hpp>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

/** @file
 * Clipped vectors on an integer lattice, and their sums.
 *
 * A vector of norm at most C becomes integers by multiplication with 2^30 / C
 * and rounding, which moves it by at most `sqrt(d) / 2` steps. So its norm is
 * at most `Delta_1 = 2^30 + ceil(sqrt(d) / 2)`, and that is *checked* in
 * integers: a vector that fails contributes zero. Adding or removing a unit
 * moves the sum by at most Delta_1, replacing one by at most 2 Delta_1, for
 * every input, whatever floating point did before.
 */
namespace stan_dp {

/** Lattice steps to the clip bound. */
constexpr std::int64_t lattice_unit = std::int64_t{1} << 30;

/**
 * `Delta_1` for vectors of length `dimension`, at most 2^32: then it is at most
 * `2^30 + 2^15`.
 */
inline std::int64_t lattice_sensitivity(std::size_t dimension) {
  if (dimension > std::size_t{1} << 32) {
    throw std::invalid_argument("There are too many parameters.");
  }
  auto half_root = static_cast<std::uint64_t>(
      std::sqrt(static_cast<double>(dimension)) / 2);
  // the smallest integer r with 2 r >= sqrt(d), found in integers
  while (4 * half_root * half_root < dimension) {
    ++half_root;
  }
  while (half_root > 0 && 4 * (half_root - 1) * (half_root - 1) >= dimension) {
    --half_root;
  }
  return lattice_unit + static_cast<std::int64_t>(half_root);
}

/**
 * Sum of integer vectors whose entries are at most 2^31 in absolute value.
 *
 * Entries are added in 64 bits and carried over to 128 bits after 2^31 vectors
 * at most: `2^31 * 2^31 = 2^62`. In 128 bits there is room for 2^96 vectors.
 */
class lattice_sum {
 public:
  static constexpr std::uint64_t carry_after = std::uint64_t{1} << 31;

  explicit lattice_sum(std::size_t dimension)
      : partial_(dimension, 0), total_(dimension, 0) {}

  std::size_t dimension() const { return partial_.size(); }

  /** @param v `dimension` entries, each at most 2^31 in absolute value */
  void add(const std::int64_t* v) {
    if (count_ == carry_after) {
      carry();
    }
    ++count_;
    std::int64_t* sum = partial_.data();
    const std::size_t d = partial_.size();
    for (std::size_t j = 0; j < d; ++j) {
      sum[j] += v[j];
    }
  }

  void add(const lattice_sum& other) {
    if (count_ + other.count_ > carry_after) {
      carry();
    }
    if (count_ + other.count_ > carry_after) {
      throw std::logic_error("lattice_sum: a partial sum was not carried.");
    }
    for (std::size_t j = 0; j < partial_.size(); ++j) {
      partial_[j] += other.partial_[j];
      total_[j] += other.total_[j];
    }
    count_ += other.count_;
  }

  int128 operator[](std::size_t j) const { return total_[j] + partial_[j]; }

 private:
  void carry() {
    for (std::size_t j = 0; j < partial_.size(); ++j) {
      total_[j] += partial_[j];
      partial_[j] = 0;
    }
    count_ = 0;
  }

  std::vector<std::int64_t> partial_;
  std::vector<int128> total_;
  std::uint64_t count_ = 0;
};

/**
 * Clips a vector and rounds it to the lattice.
 */
class lattice_clip {
 public:
  /**
   * @param weights what each entry is multiplied with to be in units of the
   * clip bound; finite and positive
   */
  explicit lattice_clip(Eigen::VectorXd weights)
      : weights_(std::move(weights)),
        bound_(lattice_sensitivity(weights_.size())),
        square_bound_(static_cast<std::uint64_t>(bound_) * bound_) {
    if (!(weights_.array() > 0).all() || !weights_.allFinite()) {
      throw std::invalid_argument(
          "The scales divided by the clip bound must be finite and positive.");
    }
  }

  std::size_t dimension() const { return weights_.size(); }
  std::int64_t sensitivity() const { return bound_; }

  /**
   * The lattice point of `x`.
   *
   * @param x `dimension` numbers of any kind
   * @param[out] v `dimension` integers, of norm at most `sensitivity()`
   * @param scratch `dimension` numbers
   * @return whether there is one: false if `x` is not finite (or overflows
   * when it is weighted), or if the integers fail the check; v is not to be
   * used then
   */
  bool operator()(const double* x, std::int64_t* v, double* scratch) const {
    const Eigen::Index d = weights_.size();
    Eigen::Map<Eigen::VectorXd> y(scratch, d);
    y = Eigen::Map<const Eigen::VectorXd>(x, d).cwiseProduct(weights_);
    double square = y.squaredNorm();
    double factor = lattice_unit;
    if (!(square <= 1)) {
      if (!std::isfinite(square) && !rescale(scratch, square)) {
        return false;
      }
      factor /= std::sqrt(square);
    }
    round(scratch, factor, v);
    return passes(v);
  }

 private:
  /** Divides by the largest entry, where squares would overflow. */
  bool rescale(double* y, double& square) const {
    Eigen::Map<Eigen::VectorXd> map(y, weights_.size());
    if (!map.allFinite()) {
      return false;
    }
    map /= map.cwiseAbs().maxCoeff();
    square = map.squaredNorm();
    return true;
  }

  /**
   * Nearest integers, by the bits of `1.5 * 2^52 + y`. That is right for
   * `|y| < 2^51`, which holds here; were it not, `passes` would see it, or a
   * wrong but bounded vector would be added.
   */
  void round(const double* y, double factor, std::int64_t* v) const {
    constexpr double shift = 0x1.8p52;
    constexpr std::uint64_t shift_bits = 0x4338000000000000;
    const std::size_t d = dimension();
    for (std::size_t j = 0; j < d; ++j) {
      const double shifted = y[j] * factor + shift;
      std::int64_t bits;
      std::memcpy(&bits, &shifted, sizeof(bits));
      v[j] = static_cast<std::int64_t>(static_cast<std::uint64_t>(bits)
                                       - shift_bits);
    }
  }

  /**
   * Whether `sum v^2 <= Delta_1^2`, in integers.
   *
   * An entry from 2^31 on fails. So a square is at most 2^62, and the sums of
   * the lower and of the upper halves of up to 2^32 squares are below 2^64.
   */
  bool passes(const std::int64_t* v) const {
    const std::size_t d = dimension();
    std::uint64_t outside = 0, low = 0, high = 0;
    for (std::size_t j = 0; j < d; ++j) {
      // in unsigned arithmetic, where every sum is defined
      outside |= (static_cast<std::uint64_t>(v[j]) + (std::uint64_t{1} << 31))
                 >> 32;
      const auto entry = static_cast<std::int32_t>(v[j]);
      const auto square
          = static_cast<std::uint64_t>(std::int64_t{entry} * entry);
      low += square & 0xffffffff;
      high += square >> 32;
    }
    return outside == 0
           && (static_cast<uint128>(high) << 32) + low <= square_bound_;
  }

  Eigen::VectorXd weights_;
  std::int64_t bound_;
  std::uint64_t square_bound_;
};

/** Keeps the values of the units that pass by, each at its own index. */
class unit_values final : public unit_consumer {
 public:
  /** @param values one for each unit of the likelihood; outlives this */
  explicit unit_values(std::vector<double>& values) : values_(values) {}

  std::unique_ptr<unit_consumer> split() override {
    return std::make_unique<unit_values>(values_);
  }
  void take(const unit_block& block) override {
    for (std::size_t i = 0; i < block.count; ++i) {
      values_[block.units[i]] = block.values[i];
    }
  }
  void join(unit_consumer&) override {}

 private:
  std::vector<double>& values_;
};

/** Sums the clipped gradients of the units that pass by. */
class gradient_sum final : public unit_consumer {
 public:
  /**
   * @param clip outlives this
   * @param values if not null, takes the values of the units on the way
   */
  gradient_sum(const lattice_clip& clip, std::vector<double>* values)
      : clip_(clip),
        values_(values),
        sum_(clip.dimension()),
        point_(clip.dimension()),
        scratch_(clip.dimension()) {}

  std::unique_ptr<unit_consumer> split() override {
    return std::make_unique<gradient_sum>(clip_, values_);
  }

  void take(const unit_block& block) override {
    const std::size_t d = clip_.dimension();
    for (std::size_t i = 0; i < block.count; ++i) {
      if (clip_(block.gradients + i * d, point_.data(), scratch_.data())) {
        sum_.add(point_.data());
      }
    }
    if (values_ != nullptr) {
      unit_values(*values_).take(block);
    }
  }

  void join(unit_consumer& other) override {
    sum_.add(static_cast<gradient_sum&>(other).sum_);
  }

  const lattice_sum& sum() const { return sum_; }

 private:
  const lattice_clip& clip_;
  std::vector<double>* values_;
  lattice_sum sum_;
  std::vector<std::int64_t> point_;
  std::vector<double> scratch_;
};

}  // namespace stan_dp
#endif
