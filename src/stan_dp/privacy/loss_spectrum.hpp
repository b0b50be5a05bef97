#ifndef STAN_DP_PRIVACY_LOSS_SPECTRUM_HPP
#define STAN_DP_PRIVACY_LOSS_SPECTRUM_HPP

#include <stan_dp/privacy/fourier.hpp>
#include <stan_dp/privacy/loss_lattice.hpp>
#include <stan_dp/privacy/step_groups.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace stan_dp {
namespace internal {

/** `log(share e^a + (1 - share) e^b)` */
inline double log_mix(double share, double a, double b) {
  double top = std::max(a, b);
  return top
         + std::log(share * std::exp(a - top)
                    + (1 - share) * std::exp(b - top));
}

/**
 * The product of the steps' characteristic functions, each step tilted by
 * `exp(order * loss)`, with a bound on its rounding errors.
 *
 * At a frequency with product U in absolute value, factors F_i with errors
 * e_i change the product by at most U (prod (1 + e_i/|F_i|) - 1). The sum of
 * many losses is smooth: soon only the lowest frequencies are not negligible,
 * and only these are followed. No factor exceeds one, so that a bound on a
 * product holds for all that come of it.
 */
class loss_spectrum {
 public:
  loss_spectrum(std::int64_t size, double spacing, double order,
                double high_order)
      : size_(static_cast<std::size_t>(size)),
        spacing_(spacing),
        order_(order),
        high_order_(high_order),
        fourier_(size_),
        product_(size_ / 2 + 1, {1, 0}),
        factor_(product_.size()),
        log_bound_(product_.size(), 0),
        risk_(product_.size(), 0),
        active_(product_.size()) {}

  /** Multiplies by all steps of all groups. */
  void multiply(const step_groups& groups, const lattice_rule& rule) {
    node first;
    node second;
    for (const step_group& group : groups.groups()) {
      if (same(group.first, second.pair)) {
        std::swap(first, second);
      } else if (!same(group.first, first.pair)) {
        transform(group.first, rule, first);
      }
      if (group.mixed()) {
        transform(group.second, rule, second);
      }
      multiply(group, first, group.mixed() ? second : first);
    }
  }

  /** Tilted masses at the indices from `first` on, from above. */
  std::vector<double> masses(std::int64_t first) {
    double error = 0;
    double total = 0;
    for (std::size_t w = 0; w < product_.size(); ++w) {
      double copies = w == 0 || w + 1 == product_.size() ? 1 : 2;
      double bound = std::exp(log_bound_[w]);
      total += copies * bound;
      error += copies * bound * std::min(2.0, std::expm1(risk_[w]));
      if (log_bound_[w] < smallest_log) {
        product_[w] = 0;
      }
    }
    auto n = static_cast<double>(size_);
    error = 1.01 * (error + fourier_.error() * total) / n;
    std::vector<double> cyclic;
    fourier_.inverse(product_, cyclic);
    std::vector<double> result(size_);
    for (std::size_t i = 0; i < size_; ++i) {
      result[i] = std::max(0.0, cyclic[wrap(first + std::int64_t(i))] + error);
    }
    return result;
  }

  /** log of the moment of the order of the tilt, from above */
  double log_moment() const { return log_moment_; }
  /** log of the moment of the second order, from above */
  double log_high_moment() const { return log_high_moment_; }
  /** P-mass that counts as infinite loss, over all steps */
  double infinite() const { return infinite_; }
  /** how far rounding may have moved the sum of the losses */
  double shift() const { return shift_; }

 private:
  using complex = std::complex<double>;
  /** products below e^-50 are zero, and their bound counts as error */
  static constexpr double smallest_log = -50;

  /** One step on the lattice, transformed. */
  struct node {
    dominating_pair pair{loss_direction::remove, 0, 0};
    std::vector<complex> values;
    double log_moment = 0;
    double log_high_moment = 0;
    double infinite = 0;
    double shift = 0;
    /** bound on the error of every value */
    double error = 0;
  };

  static bool same(const dominating_pair& a, const dominating_pair& b) {
    return a.direction == b.direction && a.rate == b.rate && a.noise == b.noise;
  }

  static double unit() { return std::numeric_limits<double>::epsilon(); }

  static double modulus(complex x) {
    return std::sqrt(x.real() * x.real() + x.imag() * x.imag());
  }

  std::size_t wrap(std::int64_t index) const {
    auto n = static_cast<std::int64_t>(size_);
    std::int64_t rest = index % n;
    return static_cast<std::size_t>(rest < 0 ? rest + n : rest);
  }

  /** log of the moment of some order, and the tilted masses before scaling */
  double tilt(const loss_lattice& lattice, double order,
              std::vector<double>& weights) const {
    weights.resize(lattice.mass.size());
    double top = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < weights.size(); ++i) {
      weights[i] = std::log(lattice.mass[i])
                   + order * spacing_ * static_cast<double>(lattice.index[i]);
      top = std::max(top, weights[i]);
    }
    double sum = 0;
    for (double& weight : weights) {
      weight = std::exp(weight - top);
      sum += weight;
    }
    for (double& weight : weights) {
      weight /= sum;
    }
    double reach = spacing_
                   * static_cast<double>(
                       std::max(-lattice.index.front(), lattice.index.back()));
    double rounding = unit() * (8 + 4 * order * reach);
    return top + std::log(sum) + rounding;
  }

  void transform(const dominating_pair& pair, const lattice_rule& rule,
                 node& result) {
    loss_lattice lattice = make_lattice(pair, rule);
    std::vector<double> weights;
    result.pair = pair;
    result.infinite = lattice.infinite;
    result.shift = lattice.shift;
    result.log_high_moment = tilt(lattice, high_order_, weights);
    result.log_moment = tilt(lattice, order_, weights);
    auto n = static_cast<double>(size_);
    if (static_cast<double>(weights.size() * active_) < n * std::log2(n)) {
      sum_directly(lattice, weights, result);
      return;
    }
    std::vector<double> masses(size_, 0);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      masses[wrap(lattice.index[i])] += weights[i];
    }
    result.error = fourier_.error();
    fourier_.forward(masses, result.values);
  }

  /**
   * The transform at the first few frequencies, where no others matter:
   * Horner's rule, at all of these frequencies at once.
   */
  void sum_directly(const loss_lattice& lattice,
                    const std::vector<double>& weights, node& result) const {
    std::vector<double> re(active_, 0);
    std::vector<double> im(active_, 0);
    std::vector<double> root_re(active_);
    std::vector<double> root_im(active_);
    std::int64_t gap = -1;
    auto turn_by = [&](std::int64_t steps) {
      if (steps != gap) {
        gap = steps;
        std::size_t angle = 0;
        for (std::size_t w = 0; w < active_; ++w) {
          root_re[w] = fourier_.root(angle).real();
          root_im[w] = fourier_.root(angle).imag();
          angle = wrap(static_cast<std::int64_t>(angle) + steps);
        }
      }
    };
    auto turn_and_add = [&](double weight) {
      for (std::size_t w = 0; w < active_; ++w) {
        double x = re[w] * root_re[w] - im[w] * root_im[w] + weight;
        im[w] = re[w] * root_im[w] + im[w] * root_re[w];
        re[w] = x;
      }
    };
    std::int64_t before = lattice.index.back();
    for (std::size_t i = weights.size(); i-- > 0;) {
      turn_by(before - lattice.index[i]);
      turn_and_add(weights[i]);
      before = lattice.index[i];
    }
    turn_by(before);
    turn_and_add(0);
    result.values.resize(active_);
    for (std::size_t w = 0; w < active_; ++w) {
      result.values[w] = {re[w], im[w]};
    }
    result.error = unit() * (16 + 4 * static_cast<double>(weights.size()));
  }

  void multiply(const step_group& group, const node& first,
                const node& second) {
    double count = 0;
    std::map<std::int64_t, std::vector<double>> shares;
    for (const mixed_step& step : group.steps) {
      auto n = static_cast<double>(step.count);
      count += n;
      double log_m = log_mix(step.share, first.log_moment, second.log_moment);
      log_moment_ += n * log_m;
      log_high_moment_ += n
                          * log_mix(step.share, first.log_high_moment,
                                    second.log_high_moment);
      infinite_ += n
                   * (step.share * first.infinite
                      + (1 - step.share) * second.infinite);
      shift_ += n * std::max(first.shift, second.shift);
      shares[step.count].push_back(step.share
                                   * std::exp(first.log_moment - log_m));
    }
    bound(count, first, second);
    for (const auto& [power, list] : shares) {
      multiply_power(list, power, first, second);
    }
    while (active_ > 0 && log_bound_[active_ - 1] < smallest_log) {
      --active_;
    }
  }

  /** Bounds on the product and on the relative errors of its factors. */
  void bound(double count, const node& first, const node& second) {
    double eta = std::max(first.error, second.error);
    bool mixed = &first != &second;
    for (std::size_t w = 0; w < active_; ++w) {
      double size = modulus(first.values[w]);
      double least = size;
      if (mixed) {
        size = std::max(size, modulus(second.values[w]));
        least = size - modulus(first.values[w] - second.values[w]);
      }
      log_bound_[w] += count * std::log(size + eta);
      risk_[w] += least > 0 ? count * (eta / least + 8 * unit())
                            : std::numeric_limits<double>::infinity();
    }
  }

  /** Multiplies by (the product over steps of their mixtures)^power. */
  void multiply_power(const std::vector<double>& shares, std::int64_t power,
                      const node& first, const node& second) {
    factor_.assign(active_, {1, 0});
    for (double share : shares) {
      for (std::size_t w = 0; w < active_; ++w) {
        double a = share;
        double b = 1 - share;
        double re = a * first.values[w].real() + b * second.values[w].real();
        double im = a * first.values[w].imag() + b * second.values[w].imag();
        factor_[w] = times(factor_[w], {re, im});
      }
    }
    for (std::size_t w = 0; w < active_; ++w) {
      complex base = factor_[w];
      complex value = product_[w];
      for (std::int64_t rest = power; rest > 0; rest /= 2) {
        if (rest % 2 == 1) {
          value = times(value, base);
        }
        base = times(base, base);
      }
      product_[w] = value;
    }
  }

  std::size_t size_;
  double spacing_;
  double order_;
  double high_order_;
  fourier_transform fourier_;
  std::vector<complex> product_;
  std::vector<complex> factor_;
  std::vector<double> log_bound_;
  std::vector<double> risk_;
  std::size_t active_;
  double log_moment_ = 0;
  double log_high_moment_ = 0;
  double infinite_ = 0;
  double shift_ = 0;
};

}  // namespace internal
}  // namespace stan_dp
#endif
