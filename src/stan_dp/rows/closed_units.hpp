#ifndef STAN_DP_ROWS_CLOSED_UNITS_HPP
#define STAN_DP_ROWS_CLOSED_UNITS_HPP

#include <stan_dp/rows/closed_form.hpp>
#include <stan_dp/rows/memory.hpp>
#include <stan_dp/rows/recognise_form.hpp>
#include <stan_dp/rows/stan_units.hpp>
#include <stan_dp/rows/unit_likelihood.hpp>
#include <stan_dp/rows/unit_sweep.hpp>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace stan_dp {

/**
 * Units of a program that has a closed form (see closed_form.hpp): those that
 * the form describes are evaluated by it, the others by their models.
 */
class closed_units : public unit_likelihood {
 public:
  /**
   * @param units one model for each unit
   * @param invented models of invented rows
   * @param form recognised on `invented`
   */
  closed_units(std::unique_ptr<stan_units> units,
               std::unique_ptr<stan_units> invented,
               std::unique_ptr<closed_form> form)
      : units_(std::move(units)),
        invented_(std::move(invented)),
        form_(std::move(form)),
        size_(form_->size()),
        described_(units_->num_units()),
        descriptions_(units_->num_units() * size_) {
    for_unit_ranges(num_units(), units_->threads(),
                    [this](std::size_t begin, std::size_t end) {
                      unit_probe probe(*units_, form_->probes());
                      for (std::size_t unit = begin; unit != end; ++unit) {
                        described_[unit]
                            = form_->describe(probe(unit), description(unit));
                      }
                    });
    watch();
  }

  std::size_t num_units() const override { return units_->num_units(); }
  std::size_t dimension() const override { return units_->dimension(); }

  const closed_form& form() const { return *form_; }

  /** How many units the form describes. Raw: not for release. */
  std::size_t num_described() const {
    return std::count(described_.begin(), described_.end(), 1);
  }

  /** Whether a sweep of all units at a point uses the form. */
  bool holds_at(const Eigen::VectorXd& theta) const {
    const auto point = form_->at(theta, true);
    return point && holds(*point, theta, true, true);
  }

  void sweep(const Eigen::VectorXd& theta,
             const std::vector<std::size_t>* subset, bool gradients,
             unit_consumer& out) const override {
    const auto point = form_->at(theta, gradients);
    if (!point || !holds(*point, theta, gradients, subset == nullptr)) {
      units_->sweep(theta, subset, gradients, out);
      return;
    }
    sweep_units(
        {subset, num_units(), dimension(), gradients,
         units_->threads() ? grain : 0},
        [&] { return answers(*this, *point, theta, gradients); }, out);
  }

 private:
  /** Below this many units a second thread costs more than it saves. */
  static constexpr std::size_t grain = 2048;
  /** Invented rows compared in a sweep of all units, and of a subsample. */
  static constexpr std::size_t many = 32;
  static constexpr std::size_t few = 2;
  /** The fit of the weights, carried to points further out. */
  static constexpr double watch_tolerance = 1e-6;

  /** By the form, or by the unit's model. */
  class answers {
   public:
    answers(const closed_units& units, const closed_point& point,
            const Eigen::VectorXd& theta, bool gradients)
        : units_(units), point_(point), theta_(theta), gradients_(gradients) {}

    /** A subsample lies scattered in memory. */
    void expect(std::size_t unit) {
      constexpr std::size_t line = 64 / sizeof(double);
      const double* first = units_.description(unit);
      for (std::size_t i = 0; i < units_.size_; i += line) {
        __builtin_prefetch(first + i);
      }
    }

    double answer(std::size_t unit, double* gradient) {
      if (units_.described_[unit]) {
        return point_.answer(units_.description(unit), gradient);
      }
      if (!models_) {
        prior_.emplace(units_.units_->prior(), theta_, gradients_);
        models_.emplace(*units_.units_, theta_, *prior_);
      }
      return models_->answer(unit, gradient);
    }

   private:
    const closed_units& units_;
    const closed_point& point_;
    const Eigen::VectorXd& theta_;
    bool gradients_;
    std::optional<stan_units::prior_answer> prior_;
    std::optional<stan_units::answers> models_;
  };

  double* description(std::size_t unit) {
    return descriptions_.data() + unit * size_;
  }
  const double* description(std::size_t unit) const {
    return descriptions_.data() + unit * size_;
  }

  /** Describes the invented rows that will be compared. */
  void watch() {
    unit_probe probe(*invented_, form_->probes());
    watched_ = form_->watched();
    watched_.resize(std::min(many, watched_.size()));
    for (const auto row : watched_) {
      watched_descriptions_.emplace_back(size_);
      form_->describe(probe(row), watched_descriptions_.back().data());
    }
    watched_few_ = watched_;
    watched_few_.resize(std::min(few, watched_.size()));
  }

  /** Whether the form and the models of invented rows agree at a point. */
  bool holds(const closed_point& point, const Eigen::VectorXd& theta,
             bool gradients, bool thorough) const {
    const auto& rows = thorough ? watched_ : watched_few_;
    const few_answers models = ask_models(*invented_, rows, theta, gradients);
    few_answers forms{
        Eigen::VectorXd(models.values.size()),
        Eigen::MatrixXd(models.gradients.rows(), models.gradients.cols())};
    for (std::size_t k = 0; k < rows.size(); ++k) {
      forms.values[k]
          = point.answer(watched_descriptions_[k].data(),
                         gradients ? forms.gradients.col(k).data() : nullptr);
    }
    return models.finite()
           && close(models.values, forms.values, models.prior_value)
           && close(models.gradients, forms.gradients, models.prior_gradient);
  }

  /** Relative to the largest entry, up to the rounding of the prior. */
  template <typename T>
  static bool close(const T& expected, const T& found, double prior) {
    return expected.size() == 0
           || (expected - found).cwiseAbs().maxCoeff()
                  <= watch_tolerance * expected.cwiseAbs().maxCoeff()
                         + form_tolerance * prior;
  }

  std::unique_ptr<stan_units> units_;
  std::unique_ptr<stan_units> invented_;
  std::unique_ptr<closed_form> form_;
  const std::size_t size_;
  /** not a vector of bits: threads write to neighbours */
  std::vector<char> described_;
  std::vector<double> descriptions_;
  std::vector<std::size_t> watched_, watched_few_;
  std::vector<std::vector<double>> watched_descriptions_;
};

/**
 * The units, by a closed form if their program has one and there is room for
 * it.
 *
 * @param invented models of invented rows; null if there are none
 */
inline std::unique_ptr<unit_likelihood> with_closed_form(
    std::unique_ptr<stan_units> units, std::unique_ptr<stan_units> invented) {
  auto form = invented ? recognise_form(*invented) : nullptr;
  const double bytes = form ? static_cast<double>(units->num_units())
                                  * form->size() * sizeof(double)
                            : 0;
  if (!form || bytes > 0.5 * available_bytes()) {
    return units;
  }
  return std::make_unique<closed_units>(std::move(units), std::move(invented),
                                        std::move(form));
}

}  // namespace stan_dp
#endif
