#ifndef STAN_DP_ROWS_RECOGNISE_FORM_HPP
#define STAN_DP_ROWS_RECOGNISE_FORM_HPP

#include <stan_dp/rows/closed_form.hpp>
#include <stan_dp/rows/exponential_form.hpp>
#include <stan_dp/rows/logistic_form.hpp>
#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace stan_dp {
namespace internal {

/** Fewer invented rows than this show nothing. */
constexpr std::size_t least_watched = 8;

/** Answers of all invented rows at points where they have some. */
struct invented_answers {
  std::vector<Eigen::VectorXd> points;
  /** rows that answer at all of the points */
  std::vector<std::size_t> rows;
  /** gradients of these: `dimension` rows for each point, columns scaled to
   * norm 1 unless they are zero */
  Eigen::MatrixXd gradients;
};

inline bool answers_at(const few_answers& answers, Eigen::Index row) {
  return std::isfinite(answers.values[row])
         && answers.gradients.col(row).allFinite();
}

/** Leaves out points at which more than a quarter of the rows fail, then rows
 * that fail at one of the others. */
inline invented_answers ask_invented(const stan_units& invented,
                                     std::size_t num_points) {
  std::vector<std::size_t> all(invented.num_units());
  std::iota(all.begin(), all.end(), std::size_t{0});
  invented_answers result;
  std::vector<few_answers> answers;
  for (const auto& point : scattered_points(invented.dimension(), num_points)) {
    auto here = ask_models(invented, all, point);
    const auto good = std::count_if(all.begin(), all.end(), [&](auto row) {
      return answers_at(here, row);
    });
    if (4 * static_cast<std::size_t>(good) >= 3 * all.size()) {
      result.points.push_back(point);
      answers.push_back(std::move(here));
    }
  }
  std::copy_if(all.begin(), all.end(), std::back_inserter(result.rows),
               [&](auto row) {
                 return std::all_of(
                     answers.begin(), answers.end(),
                     [row](const auto& here) { return answers_at(here, row); });
               });
  const auto d = static_cast<Eigen::Index>(invented.dimension());
  result.gradients.resize(d * answers.size(), result.rows.size());
  for (std::size_t p = 0; p < answers.size(); ++p) {
    for (std::size_t k = 0; k < result.rows.size(); ++k) {
      result.gradients.col(k).segment(d * p, d)
          = answers[p].gradients.col(result.rows[k]);
    }
  }
  for (auto column : result.gradients.colwise()) {
    column.stableNormalize();
  }
  return result;
}

/**
 * Columns that span all others, if there is no doubt which: the part of a
 * column that is new is above 1e-6 for these and below 1e-10 for the others.
 */
inline std::optional<std::vector<std::size_t>> spanning_columns(
    const Eigen::MatrixXd& columns) {
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(columns);
  const Eigen::VectorXd fresh = qr.matrixR().diagonal().cwiseAbs();
  std::vector<std::size_t> spanning;
  for (Eigen::Index k = 0; k < fresh.size(); ++k) {
    if (fresh[k] > 1e-6) {
      spanning.push_back(qr.colsPermutation().indices()[k]);
    } else if (!(fresh[k] < 1e-10)) {
      return {};
    }
  }
  return spanning;
}

/** The form, if it describes all invented rows that it is to be watched on. */
inline std::unique_ptr<closed_form> if_it_describes(
    const stan_units& invented, std::unique_ptr<closed_form> form) {
  std::vector<double> description(form->size());
  unit_probe probe(invented, form->probes());
  const auto& watched = form->watched();
  const bool all = std::all_of(watched.begin(), watched.end(), [&](auto row) {
    return form->describe(probe(row), description.data());
  });
  return all ? std::move(form) : nullptr;
}

inline std::unique_ptr<closed_form> recognise_exponential(
    const stan_units& invented) {
  const std::size_t d = invented.dimension();
  const std::size_t num_points = std::max<std::size_t>(4, 24 / d);
  const auto seen = ask_invented(invented, num_points);
  if (seen.points.empty() || seen.rows.size() < least_watched) {
    return nullptr;
  }
  const auto columns = spanning_columns(seen.gradients);
  if (!columns || columns->empty() || 2 * columns->size() > seen.rows.size()) {
    return nullptr;
  }
  std::vector<std::size_t> basis, watched;
  for (std::size_t k = 0; k < seen.rows.size(); ++k) {
    const bool spans = std::count(columns->begin(), columns->end(), k) > 0;
    (spans ? basis : watched).push_back(seen.rows[k]);
  }
  // two points more than the weights need
  const std::size_t wanted = (basis.size() + d - 1) / d + 2;
  if (wanted > seen.points.size()) {
    return nullptr;
  }
  return if_it_describes(
      invented,
      std::make_unique<exponential_form>(
          invented, basis, watched,
          probe_points(invented.prior(),
                       {seen.points.begin(), seen.points.begin() + wanted})));
}

inline std::unique_ptr<closed_form> recognise_logistic(
    const stan_units& invented) {
  std::vector<std::size_t> all(invented.num_units());
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (all.size() < least_watched) {
    return nullptr;
  }
  return if_it_describes(invented,
                         std::make_unique<logistic_form>(invented, all));
}

}  // namespace internal

/**
 * The form that invented rows have, or null.
 *
 * @param invented models of invented rows; outlives the form
 */
inline std::unique_ptr<closed_form> recognise_form(const stan_units& invented) {
  if (invented.dimension() == 0) {
    return nullptr;
  }
  if (auto form = internal::recognise_logistic(invented)) {
    return form;
  }
  return internal::recognise_exponential(invented);
}

}  // namespace stan_dp
#endif
