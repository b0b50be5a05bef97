#ifndef STAN_DP_SERVICES_SETTINGS_HPP
#define STAN_DP_SERVICES_SETTINGS_HPP

#include <stan_dp/privacy/plan.hpp>
#include <stan_dp/samplers/optimizer_kind.hpp>
#include <stan_dp/samplers/proposal_kind.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

/** @file
 * What a user may choose, as plain values: the option table of the front ends
 * fills these, services read them. Names and defaults are those of the command
 * line.
 */
namespace stan_dp {

/** The group `privacy`, shared by all private algorithms. */
struct privacy_settings {
  bool engaged = true;
  /** no default: NaN means that the user did not say */
  double epsilon = std::numeric_limits<double>::quiet_NaN();
  double delta = std::numeric_limits<double>::quiet_NaN();
  neighbors relation = neighbors::substitute;
  /** the data variable that counts the rows */
  std::string rows = "N";
  /** the data variable that names each row's unit; empty: a row is a unit */
  std::string unit;
  /** data variables that the user declares public */
  std::vector<std::string> public_names;
  double clip = 1;
  /** 0: the same as clip */
  double ratio_clip = 0;
  std::string ledger;
  /** makes the run reproducible and NOT PRIVATE */
  std::optional<std::uint64_t> noise_seed;
};

/** Arguments of `sample` that all chains share. */
struct sample_settings {
  int num_samples = 1000;
  int num_warmup = 1000;
  bool save_warmup = false;
  int thin = 1;
  int num_chains = 1;
  int id = 1;
  int refresh = 100;
  unsigned int seed = 0;
  double init_radius = 2;
};

/** CmdStan's `adapt` group; `delta` is the target acceptance rate. */
struct adapt_settings {
  bool engaged = true;
  double gamma = 0.05;
  double delta = 0.3;
  double kappa = 0.75;
  double t0 = 10;
  unsigned int init_buffer = 75;
  unsigned int term_buffer = 50;
  unsigned int window = 25;
};

enum class warm_start_kind { none, dp_meanfield, dp_fullrank };
enum class metric_kind { unit_e, diag_e };

struct warm_start_settings {
  warm_start_kind kind = warm_start_kind::none;
  double share = 0.2;
};

/** A subsample: its Poisson rate or the expected number of units. 0: not said.
 */
struct batch_settings {
  double rate = 0;
  double batch = 0;
};

struct dp_hmc_settings {
  double stepsize = 0.1;
  double stepsize_jitter = 0;
  int num_leapfrog = 10;
  metric_kind metric = metric_kind::diag_e;
  std::string metric_file;
  /** part of the budget that goes to the acceptance tests */
  double ratio_share = 0.5;
  double tempering = 1;
  warm_start_settings warm_start;
};

struct dp_penalty_settings {
  /** 0: chosen */
  double scale = 0;
  proposal_kind proposal = proposal_kind::full;
  metric_kind metric = metric_kind::diag_e;
  std::string metric_file;
  double tempering = 1;
  warm_start_settings warm_start;
};

struct dp_sgld_settings {
  batch_settings batch;
  /** 0: the largest that the budget and the minibatch noise allow */
  double stepsize = 0;
  double decay_offset = 1;
  /** 0: constant steps */
  double decay_power = 0;
  double tempering = 1;
};

struct dp_sghmc_settings {
  batch_settings batch;
  double stepsize = 0;
  double decay_offset = 1;
  double decay_power = 0;
  /** 0: ten times the smallest that privacy allows, or more */
  double friction = 0;
  int num_leapfrog = 10;
  double tempering = 1;
};

struct dp_sgnht_settings {
  batch_settings batch;
  double stepsize = 0;
  double tempering = 1;
};

struct dp_variational_settings {
  batch_settings batch;
  bool full_rank = false;
  int iter = 10000;
  int grad_samples = 1;
  int output_samples = 1000;
  /** 0: chosen by the optimizer's default */
  double eta = 0;
  optimizer_kind optimizer = optimizer_kind::adam;
  /** iterates at the end that are averaged; 0: the last half */
  int average = 0;
};

}  // namespace stan_dp
#endif
