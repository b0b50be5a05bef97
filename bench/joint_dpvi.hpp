#ifndef BENCH_JOINT_DPVI_HPP
#define BENCH_JOINT_DPVI_HPP

#include <stan_dp/privacy/private_likelihood.hpp>
#include <stan_dp/samplers/dpvi.hpp>
#include <memory>
#include <vector>

/** @file
 * DPVI as in Jalko, Dikmen and Honkela (2017): the gradient for all 2d
 * parameters of a mean-field approximation is clipped and noised together. For
 * comparison with the product, which noises the d numbers for theta alone.
 */
namespace bench {

using Eigen::VectorXd;

/** Turns gradients for theta into gradients for (mu, omega). */
class joint_consumer final : public stan_dp::unit_consumer {
 public:
  joint_consumer(stan_dp::unit_consumer& target, const VectorXd& spread)
      : target_(&target), spread_(spread) {}

  std::unique_ptr<unit_consumer> split() override {
    auto part = std::make_unique<joint_consumer>(*target_, spread_);
    part->own_ = target_->split();
    part->target_ = part->own_.get();
    return part;
  }

  void take(const stan_dp::unit_block& block) override {
    const Eigen::Index d = spread_.size();
    gradients_.resize(2 * d, block.count);
    const Eigen::Map<const Eigen::MatrixXd> g(block.gradients, d, block.count);
    gradients_.topRows(d) = g;
    gradients_.bottomRows(d) = spread_.asDiagonal() * g;
    target_->take({block.units, block.count, block.values, gradients_.data()});
  }

  void join(unit_consumer& other) override {
    target_->join(*static_cast<joint_consumer&>(other).target_);
  }

 private:
  stan_dp::unit_consumer* target_;
  std::unique_ptr<unit_consumer> own_;
  VectorXd spread_;
  Eigen::MatrixXd gradients_;
};

/** The units as functions of (mu, omega), for one draw of eps. */
class joint_units final : public stan_dp::unit_likelihood {
 public:
  explicit joint_units(const stan_dp::unit_likelihood& units)
      : units_(units), eps_(VectorXd::Zero(units.dimension())) {}

  void set_eps(const VectorXd& eps) { eps_ = eps; }
  std::size_t num_units() const override { return units_.num_units(); }
  std::size_t dimension() const override { return 2 * units_.dimension(); }

  void sweep(const VectorXd& parameters, const std::vector<std::size_t>* subset,
             bool gradients, stan_dp::unit_consumer& out) const override {
    const Eigen::Index d = units_.dimension();
    const VectorXd spread = parameters.tail(d).array().exp() * eps_.array();
    joint_consumer consumer(out, spread);
    units_.sweep(parameters.head(d) + spread, subset, gradients, consumer);
  }

 private:
  const stan_dp::unit_likelihood& units_;
  VectorXd eps_;
};

/** A mean-field run with noise on all 2d numbers. */
inline stan_dp::variational_family joint_dpvi(
    const stan_dp::prior_density& prior, const stan_dp::unit_likelihood& units,
    const stan_dp::dpvi_options& options, const stan_dp::plan& plan,
    double clip, stan_dp::random_bits& bits) {
  using stan_dp::variational_kind;
  joint_units joint(units);
  stan_dp::meter meter(plan);
  stan_dp::private_likelihood likelihood(joint, {clip, clip}, meter, bits);
  const Eigen::Index d = units.dimension();
  stan_dp::variational_family q(variational_kind::mean_field, VectorXd::Zero(d),
                                stan_dp::dpvi_first_scale);
  stan_dp::optimizer climb(options.optimizer, options.eta, 2 * d);
  stan_dp::iterate_average average(options.iter, options.average);
  for (int i = 0; i < options.iter; ++i) {
    const VectorXd eps = stan_dp::normal_vector(bits, d);
    joint.set_eps(eps);
    VectorXd prior_gradient;
    prior.log_density(q.transform(eps), prior_gradient);
    VectorXd gradient = q.gradient(eps, prior_gradient);
    gradient
        += likelihood.gradient(q.parameters(), 0) / plan.mechanisms[0].rate;
    q.set_parameters(q.parameters() + climb.step(gradient));
    average.add(q.parameters());
  }
  q.set_parameters(average.mean());
  return q;
}

}  // namespace bench
#endif
