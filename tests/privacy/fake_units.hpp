#ifndef TESTS_PRIVACY_FAKE_UNITS_HPP
#define TESTS_PRIVACY_FAKE_UNITS_HPP

#include <stan_dp/privacy/random_bits.hpp>
#include <stan_dp/rows/unit_likelihood.hpp>
#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

/** A likelihood that is a function; counts what it is asked. */
class fake_units : public stan_dp::unit_likelihood {
 public:
  /** the value of a unit at theta; writes its gradient */
  using function
      = std::function<double(std::size_t, const Eigen::VectorXd&, double*)>;

  fake_units(std::size_t units, std::size_t dimension, function f)
      : units_(units), dimension_(dimension), f_(std::move(f)) {}

  std::size_t num_units() const override { return units_; }
  std::size_t dimension() const override { return dimension_; }

  void sweep(const Eigen::VectorXd& theta,
             const std::vector<std::size_t>* subset, bool gradients,
             stan_dp::unit_consumer& out) const override {
    ++(gradients ? gradient_sweeps : value_sweeps);
    last_batch = subset == nullptr ? units_ : subset->size();
    std::vector<double> g(dimension_);
    const auto part = [&](std::size_t begin, std::size_t end,
                          stan_dp::unit_consumer& consumer) {
      for (std::size_t k = begin; k < end; ++k) {
        const std::size_t i = subset == nullptr ? k : (*subset)[k];
        const double value = f_(i, theta, g.data());
        consumer.take({&i, 1, &value, gradients ? g.data() : nullptr});
      }
    };
    // as two threads would: one part each
    const auto other = out.split();
    part(last_batch / 2, last_batch, *other);
    part(0, last_batch / 2, out);
    out.join(*other);
  }

  mutable int gradient_sweeps = 0;
  mutable int value_sweeps = 0;
  mutable std::size_t last_batch = 0;

 private:
  std::size_t units_;
  std::size_t dimension_;
  function f_;
};

/** Words from a list, then zeros. */
class scripted_bits : public stan_dp::random_bits {
 public:
  explicit scripted_bits(std::vector<std::uint64_t> script)
      : random_bits(&block_), script_(std::move(script)) {}

 private:
  void refill(std::uint64_t* words) override {
    constexpr std::size_t size = stan_dp::random_block::size;
    for (std::size_t i = 0; i < size; ++i) {
      words[size - 1 - i] = next_ < script_.size() ? script_[next_++] : 0;
    }
  }

  stan_dp::random_block block_{};
  std::vector<std::uint64_t> script_;
  std::size_t next_ = 0;
};

#endif
