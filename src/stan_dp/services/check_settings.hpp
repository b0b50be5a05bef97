#ifndef STAN_DP_SERVICES_CHECK_SETTINGS_HPP
#define STAN_DP_SERVICES_CHECK_SETTINGS_HPP

#include <stan_dp/services/settings.hpp>
#include <cmath>
#include <cstddef>
#include <sstream>
#include <stdexcept>
#include <string>

/** @file
 * All checks of what a user chose, in one place and before any query. Each
 * message names the option and says what to do.
 */
namespace stan_dp {

/** A setting with which no run can start. */
class invalid_setting : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

namespace internal {

template <class T>
void require_setting(bool holds, const char* name, T value,
                     const char* wanted) {
  if (!holds) {
    std::ostringstream message;
    message << name << " is " << value << ", and has to be " << wanted << ".";
    throw invalid_setting(message.str());
  }
}

inline void require_positive(const char* name, double value) {
  require_setting(value > 0 && std::isfinite(value), name, value,
                  "positive and finite");
}

inline void require_not_negative(const char* name, double value) {
  require_setting(value >= 0 && std::isfinite(value), name, value,
                  "finite and not negative");
}

inline void require_tempering(double value) {
  require_setting(value > 0 && value <= 1, "tempering", value,
                  "above 0 and at most 1");
}

/** Epsilon and delta have no default. */
inline void require_budget(double epsilon, double delta) {
  std::string missing;
  if (std::isnan(epsilon)) {
    missing = "epsilon";
  }
  if (std::isnan(delta)) {
    missing += missing.empty() ? "delta" : " and delta";
  }
  if (!missing.empty()) {
    const bool both = std::isnan(epsilon) && std::isnan(delta);
    throw invalid_setting(
        "privacy " + missing
        + (both ? " are missing: they have" : " is missing: it has")
        + " no default, because how much a result may reveal about a person is"
          " for you to decide; for example: privacy epsilon=1 delta=1e-6.");
  }
}

}  // namespace internal

inline void check_settings(const privacy_settings& s) {
  internal::require_positive("privacy clip", s.clip);
  internal::require_not_negative("privacy ratio_clip", s.ratio_clip);
  if (!s.engaged) {
    return;
  }
  internal::require_budget(s.epsilon, s.delta);
  internal::require_positive("privacy epsilon", s.epsilon);
  internal::require_setting(s.delta > 0 && s.delta < 1, "privacy delta",
                            s.delta, "above 0 and below 1");
}

inline void check_settings(const sample_settings& s) {
  using internal::require_setting;
  require_setting(s.num_samples >= 0, "num_samples", s.num_samples,
                  "not negative");
  require_setting(s.num_warmup >= 0, "num_warmup", s.num_warmup,
                  "not negative");
  if (s.num_samples == 0 && s.num_warmup == 0) {
    throw invalid_setting(
        "num_samples and num_warmup are both 0: ask for at least one"
        " iteration.");
  }
  require_setting(s.thin > 0, "thin", s.thin, "at least 1");
  require_setting(s.num_chains > 0, "num_chains", s.num_chains, "at least 1");
  internal::require_not_negative("init", s.init_radius);
}

inline void check_settings(const adapt_settings& s) {
  internal::require_positive("adapt gamma", s.gamma);
  internal::require_setting(s.delta > 0 && s.delta < 1, "adapt delta", s.delta,
                            "above 0 and below 1");
  internal::require_positive("adapt kappa", s.kappa);
  internal::require_positive("adapt t0", s.t0);
}

inline void check_settings(const warm_start_settings& s) {
  if (s.kind != warm_start_kind::none) {
    internal::require_setting(s.share > 0 && s.share < 1, "warm_share", s.share,
                              "above 0 and below 1");
  }
}

inline void check_settings(const dp_hmc_settings& s) {
  internal::require_positive("stepsize", s.stepsize);
  internal::require_setting(s.stepsize_jitter >= 0 && s.stepsize_jitter <= 1,
                            "stepsize_jitter", s.stepsize_jitter,
                            "between 0 and 1");
  internal::require_setting(s.num_leapfrog > 0, "num_leapfrog", s.num_leapfrog,
                            "at least 1");
  internal::require_setting(s.ratio_share > 0 && s.ratio_share < 1,
                            "ratio_share", s.ratio_share,
                            "above 0 and below 1");
  internal::require_tempering(s.tempering);
  check_settings(s.warm_start);
}

inline void check_settings(const dp_penalty_settings& s) {
  internal::require_not_negative("scale", s.scale);
  if (s.proposal == proposal_kind::fitted
      && s.warm_start.kind == warm_start_kind::none) {
    throw invalid_setting(
        "proposal=fitted moves around the Gaussian that a warm start fits: add"
        " warm_start=dp_fullrank.");
  }
  internal::require_tempering(s.tempering);
  check_settings(s.warm_start);
}

inline void check_settings(const dp_sgld_settings& s) {
  internal::require_not_negative("stepsize", s.stepsize);
  internal::require_not_negative("decay_offset", s.decay_offset);
  internal::require_not_negative("decay_power", s.decay_power);
  internal::require_tempering(s.tempering);
}

inline void check_settings(const dp_sghmc_settings& s) {
  internal::require_not_negative("stepsize", s.stepsize);
  internal::require_not_negative("decay_offset", s.decay_offset);
  internal::require_not_negative("decay_power", s.decay_power);
  internal::require_not_negative("friction", s.friction);
  internal::require_setting(s.num_leapfrog > 0, "num_leapfrog", s.num_leapfrog,
                            "at least 1");
  if (s.stepsize > 0 && s.friction > 0) {
    internal::require_setting(s.stepsize * s.friction <= 0.5,
                              "stepsize times friction",
                              s.stepsize * s.friction, "at most 0.5");
  }
  internal::require_tempering(s.tempering);
}

inline void check_settings(const dp_sgnht_settings& s) {
  internal::require_not_negative("stepsize", s.stepsize);
  internal::require_tempering(s.tempering);
}

inline void check_settings(const dp_variational_settings& s) {
  using internal::require_setting;
  require_setting(s.iter > 0, "iter", s.iter, "at least 1");
  require_setting(s.grad_samples > 0, "grad_samples", s.grad_samples,
                  "at least 1");
  require_setting(s.output_samples >= 0, "output_samples", s.output_samples,
                  "not negative");
  internal::require_not_negative("eta", s.eta);
  require_setting(s.average >= 0 && s.average <= s.iter, "average", s.average,
                  "at most iter");
}

/**
 * Whether the number of units may be known: not where neighbours differ in it.
 */
inline bool units_are_public(const privacy_settings& s) {
  return !s.engaged || s.relation == neighbors::substitute;
}

/** What `rate=` and `batch=` may be, as far as no row has to be counted. */
inline void check_settings(const batch_settings& s,
                           const privacy_settings& privacy) {
  internal::require_setting(s.rate >= 0 && s.rate <= 1, "rate", s.rate,
                            "above 0 and at most 1");
  internal::require_not_negative("batch", s.batch);
  if (s.rate > 0 && s.batch > 0) {
    throw invalid_setting(
        "rate and batch say the same thing in two ways: give one of them.");
  }
  if (s.batch > 0 && !units_are_public(privacy)) {
    throw invalid_setting(
        "batch is refused with neighbors=add_remove, where the number of units"
        " is not public: give rate in its place.");
  }
}

/**
 * The sampling rate that `rate=` or `batch=` ask for; all units by default.
 *
 * @param num_units read only where it is public
 */
inline double sampling_rate(const batch_settings& s,
                            const privacy_settings& privacy,
                            std::size_t num_units) {
  check_settings(s, privacy);
  if (s.batch == 0) {
    return s.rate > 0 ? s.rate : 1;
  }
  internal::require_setting(s.batch <= num_units, "batch", s.batch,
                            "at most the number of units");
  return s.batch / num_units;
}

}  // namespace stan_dp
#endif
