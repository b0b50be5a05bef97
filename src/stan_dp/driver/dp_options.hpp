#ifndef STAN_DP_DRIVER_DP_OPTIONS_HPP
#define STAN_DP_DRIVER_DP_OPTIONS_HPP

#include <stan_dp/driver/option.hpp>
#include <stan_dp/services/check_settings.hpp>
#include <stan_dp/services/settings.hpp>
#include <string>
#include <variant>
#include <vector>

/** @file
 * The one table of options that private algorithms have. The stand-alone
 * driver and the overlay for CmdStan are generated from it: arguments, help,
 * errors, and the settings that services read.
 */
namespace stan_dp {

/** A value of `algorithm=`; beside its options it has the group `privacy`. */
struct dp_algorithm {
  std::string name;
  /** `sample` or `variational` */
  std::string method;
  std::string help;
  std::vector<option> options;
};

namespace internal {

inline option real_option(const char* name, const char* preset,
                          option_range range, const char* help) {
  return {name, option_type::real, preset, range, {}, help};
}
inline option integer_option(const char* name, const char* preset,
                             option_range range, const char* help) {
  return {name, option_type::integer, preset, range, {}, help};
}
inline option truth_option(const char* name, const char* preset,
                           const char* help) {
  return {name, option_type::truth, preset, {}, {}, help};
}
inline option text_option(const char* name, const char* preset,
                          const char* help) {
  return {name, option_type::text, preset, {}, {}, help};
}
inline option choice_option(const char* name, const char* preset,
                            std::vector<std::string> choices,
                            const char* help) {
  return {name, option_type::choice, preset, {}, std::move(choices), help};
}

inline constexpr double largest_count = std::numeric_limits<int>::max();

inline option rows_option() {
  return text_option("rows", "N",
                     "Data variable that holds the number of rows");
}
inline option unit_option() {
  return text_option("unit", "",
                     "Data variable, one integer a row, that says whose row it "
                     "is; a person's rows are protected together "
                     "(empty: each row by itself)");
}
inline option public_option() {
  return text_option("public", "",
                     "Data variables, separated by commas, that are public and "
                     "need no protection");
}
inline option tempering_option() {
  return real_option("tempering", "1", up_to(0, 1),
                     "Power of the likelihood; below 1 the posterior is wider "
                     "and costs less privacy");
}
inline option metric_option() {
  return choice_option("metric", "diag_e", {"unit_e", "diag_e"},
                       "Geometry of base manifold; clipping and noise follow "
                       "it");
}
inline option metric_file_option() {
  return text_option("metric_file", "",
                     "Input file with a metric, which you assert to be public");
}
inline option warm_start_option() {
  return choice_option("warm_start", "none",
                       {"none", "dp_meanfield", "dp_fullrank"},
                       "A private variational run that gives the chain its "
                       "start and its metric");
}
inline option warm_share_option() {
  return real_option("warm_share", "0.2", strictly_between(0, 1),
                     "Part of epsilon that the warm start may spend");
}
inline option rate_option() {
  return real_option("rate", "0", from_to(0, 1),
                     "Poisson sampling rate of the minibatches (0: from batch, "
                     "or chosen)");
}
inline option batch_option() {
  return real_option("batch", "0", at_least(0),
                     "Expected number of units in a minibatch, in place of "
                     "rate; needs neighbors=substitute (0: from rate)");
}
inline option sg_stepsize_option() {
  return real_option("stepsize", "0", at_least(0),
                     "Step size (0: the largest for which privacy holds and "
                     "minibatch noise stays small)");
}
inline option decay_offset_option() {
  return real_option("decay_offset", "1", above(0),
                     "b in the step sizes a (b + t)^(-decay_power)");
}
inline option decay_power_option() {
  return real_option("decay_power", "0", from_to(0, 1),
                     "Power with which step sizes fall (0: constant steps)");
}
inline option num_leapfrog_option() {
  return integer_option("num_leapfrog", "10", from_to(1, largest_count),
                        "Number of steps between two draws of the momentum");
}

}  // namespace internal

/** The group `privacy`, shared by all private algorithms. */
inline const std::vector<option>& privacy_options() {
  using namespace internal;
  static const std::vector<option> table{
      truth_option("engaged", "1",
                   "Privacy engaged? Without it the run is NOT PRIVATE: only "
                   "for public or simulated data"),
      real_option("epsilon", "", above(0),
                  "Privacy budget epsilon; no default, because only you know "
                  "what your data may cost"),
      real_option("delta", "", strictly_between(0, 1),
                  "Privacy budget delta; no default; well below one over the "
                  "number of people"),
      choice_option("neighbors", "substitute", {"substitute", "add_remove"},
                    "Neighbouring data sets differ in one unit: by "
                    "substitution (their number is public), or one has it and "
                    "the other has not"),
      rows_option(),
      unit_option(),
      public_option(),
      real_option("clip", "1", above(0),
                  "Bound on the norm of a unit's gradient; what it cuts off is "
                  "bias: 1% of the units clipped can move the mean by most of "
                  "a posterior sd, 0.1% does not show"),
      real_option("ratio_clip", "0", at_least(0),
                  "Bound on a unit's difference of log likelihoods per unit of "
                  "distance (0: the same as clip)"),
      text_option("ledger", "",
                  "JSON file that keeps what all runs on these people have "
                  "cost together"),
      integer_option("noise_seed", "", at_least(0),
                     "Seed of the noise, for tests: makes the run repeatable "
                     "and NOT PRIVATE")};
  return table;
}

/** The options of `diagnose test=row_product`. */
inline const std::vector<option>& row_product_options() {
  static const std::vector<option> table{internal::rows_option(),
                                         internal::unit_option(),
                                         internal::public_option()};
  return table;
}

inline const char* row_product_help() {
  return "Check on the real rows that the likelihood is a product over them; "
         "the output is for the person who holds the data, NOT PRIVATE";
}

inline const char* privacy_help() {
  return "Privacy budget, and what it protects";
}

/** All private algorithms, in the order in which help shows them. */
inline const std::vector<dp_algorithm>& dp_algorithms() {
  using namespace internal;
  static const std::vector<option> sghmc{
      rate_option(),
      batch_option(),
      sg_stepsize_option(),
      decay_offset_option(),
      decay_power_option(),
      real_option("friction", "0", at_least(0),
                  "Friction (0: ten times the smallest that privacy allows, or "
                  "what minibatch noise asks for)"),
      num_leapfrog_option(),
      tempering_option()};
  static const std::vector<option> variational{
      rate_option(), batch_option(),
      choice_option("optimizer", "adam", {"adam", "adagrad"},
                    "Stochastic optimizer"),
      integer_option("average", "0", from_to(0, largest_count),
                     "Number of last iterates that are averaged (0: the last "
                     "half)")};
  static const std::vector<dp_algorithm> table{
      {"dp_hmc",
       "sample",
       "Private Hamiltonian Monte Carlo with the penalty test (where adapt "
       "delta is left at 0.8 it aims at 0.3)",
       {real_option("stepsize", "0.1", above(0),
                    "Step size for discrete evolution"),
        real_option("stepsize_jitter", "0", from_to(0, 1),
                    "Uniformly random jitter of the stepsize, as a fraction"),
        integer_option("num_leapfrog", "10", from_to(1, largest_count),
                       "Number of leapfrog steps of a trajectory; each costs a "
                       "gradient"),
        metric_option(), metric_file_option(),
        real_option("ratio_share", "0.5", strictly_between(0, 1),
                    "Part of the budget that goes to the acceptance tests, the "
                    "rest goes to gradients"),
        tempering_option(), warm_start_option(), warm_share_option()}},
      {"dp_penalty",
       "sample",
       "Private random walk with the penalty test (where adapt delta is left "
       "at 0.8 it aims at 0.3)",
       {real_option("scale", "0", at_least(0),
                    "Scale of a proposal, in the coordinates of the metric (0: "
                    "0.1); with proposal=fitted up to 1, which is a fresh draw "
                    "of the fitted Gaussian (0: as far as the noise allows)"),
        choice_option("proposal", "full",
                      {"full", "component", "guided", "fitted"},
                      "How a proposal moves: all coordinates, one, one in a "
                      "direction that is kept until a rejection, or all around "
                      "the Gaussian that the warm start fitted"),
        metric_option(), metric_file_option(), tempering_option(),
        warm_start_option(), warm_share_option()}},
      {"dp_sgld",
       "sample",
       "Private stochastic gradient Langevin dynamics",
       {rate_option(), batch_option(), sg_stepsize_option(),
        decay_offset_option(), decay_power_option(), tempering_option()}},
      {"dp_sghmc", "sample",
       "Private stochastic gradient Hamiltonian Monte Carlo", sghmc},
      {"dp_sgnht",
       "sample",
       "Private stochastic gradient Nose-Hoover thermostat",
       {rate_option(), batch_option(), sg_stepsize_option(),
        tempering_option()}},
      {"dp_meanfield", "variational",
       "Private variational inference, mean-field approximation", variational},
      {"dp_fullrank", "variational",
       "Private variational inference, full-rank covariance", variational}};
  return table;
}

/** The private algorithm of that name, or null. */
inline const dp_algorithm* find_dp_algorithm(const std::string& name) {
  for (const auto& algorithm : dp_algorithms()) {
    if (algorithm.name == name) {
      return &algorithm;
    }
  }
  return nullptr;
}

namespace internal {

inline std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; !text.empty() && begin <= text.size();) {
    std::size_t end = std::min(text.find(',', begin), text.size());
    names.push_back(text.substr(begin, end - begin));
    if (names.back().empty()) {
      throw std::invalid_argument(
          "public=" + text
          + " is refused: it is a list of names of data variables with a comma "
            "between two of them, such as public=K,x.");
    }
    begin = end + 1;
  }
  return names;
}

inline metric_kind read_metric(const option_values& v) {
  return v.text("metric") == "unit_e" ? metric_kind::unit_e
                                      : metric_kind::diag_e;
}

inline warm_start_settings read_warm_start(const option_values& v) {
  const std::string& kind = v.text("warm_start");
  return {kind == "none"           ? warm_start_kind::none
          : kind == "dp_meanfield" ? warm_start_kind::dp_meanfield
                                   : warm_start_kind::dp_fullrank,
          v.real("warm_share")};
}

}  // namespace internal

/**
 * The budget is checked here too, before any file is opened.
 *
 * @throws std::invalid_argument with a sentence for the user
 */
inline privacy_settings read_privacy(const option_values& v) {
  privacy_settings s;
  s.engaged = v.truth("engaged");
  if (v.given("epsilon")) {
    s.epsilon = v.real("epsilon");
  }
  if (v.given("delta")) {
    s.delta = v.real("delta");
  }
  s.relation = v.text("neighbors") == "add_remove" ? neighbors::add_remove
                                                   : neighbors::substitute;
  s.rows = v.text("rows");
  s.unit = v.text("unit");
  s.public_names = internal::split_names(v.text("public"));
  s.clip = v.real("clip");
  s.ratio_clip = v.real("ratio_clip");
  s.ledger = v.text("ledger");
  if (v.given("noise_seed")) {
    s.noise_seed = static_cast<std::uint64_t>(v.integer("noise_seed"));
  }
  check_settings(s);
  return s;
}

/** The settings of one private algorithm. */
using dp_settings = std::variant<dp_hmc_settings, dp_penalty_settings,
                                 dp_sgld_settings, dp_sghmc_settings,
                                 dp_sgnht_settings, dp_variational_settings>;

/**
 * Turns the options of an algorithm into its settings. CmdStan's own arguments
 * (`iter`, `eta`, ...) of a variational run are for the front end to add.
 *
 * @throws std::invalid_argument with a sentence for the user
 */
inline dp_settings read_algorithm(const std::string& name,
                                  const option_values& v,
                                  const privacy_settings& privacy) {
  using namespace internal;
  if (name == "dp_hmc") {
    return dp_hmc_settings{v.real("stepsize"),
                           v.real("stepsize_jitter"),
                           static_cast<int>(v.integer("num_leapfrog")),
                           read_metric(v),
                           v.text("metric_file"),
                           v.real("ratio_share"),
                           v.real("tempering"),
                           read_warm_start(v)};
  }
  if (name == "dp_penalty") {
    const std::string& proposal = v.text("proposal");
    return dp_penalty_settings{v.real("scale"),
                               proposal == "full" ? proposal_kind::full
                               : proposal == "component"
                                   ? proposal_kind::component
                               : proposal == "guided" ? proposal_kind::guided
                                                      : proposal_kind::fitted,
                               read_metric(v),
                               v.text("metric_file"),
                               v.real("tempering"),
                               read_warm_start(v)};
  }
  const batch_settings batch{v.real("rate"), v.real("batch")};
  check_settings(batch, privacy);
  if (name == "dp_sgld") {
    return dp_sgld_settings{batch, v.real("stepsize"), v.real("decay_offset"),
                            v.real("decay_power"), v.real("tempering")};
  }
  if (name == "dp_sghmc") {
    return dp_sghmc_settings{batch,
                             v.real("stepsize"),
                             v.real("decay_offset"),
                             v.real("decay_power"),
                             v.real("friction"),
                             static_cast<int>(v.integer("num_leapfrog")),
                             v.real("tempering")};
  }
  if (name == "dp_sgnht") {
    return dp_sgnht_settings{batch, v.real("stepsize"), v.real("tempering")};
  }
  dp_variational_settings s;
  s.batch = batch;
  s.full_rank = name == "dp_fullrank";
  s.optimizer = v.text("optimizer") == "adam" ? optimizer_kind::adam
                                              : optimizer_kind::adagrad;
  s.average = static_cast<int>(v.integer("average"));
  return s;
}

}  // namespace stan_dp
#endif
