#ifndef STAN_DP_SERVICES_PRIVACY_REPORT_HPP
#define STAN_DP_SERVICES_PRIVACY_REPORT_HPP

#include <stan_dp/privacy/plan.hpp>
#include <stan_dp/services/settings.hpp>
#include <stan_dp/version.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

/** @file
 * What a run says about privacy: a block at the head of each CSV, a paragraph
 * before the first query and one after the last. All of it is fixed by the
 * settings and the plan, before any row is looked at.
 */
namespace stan_dp {

/** What the report is made of. */
struct privacy_facts {
  privacy_settings settings;
  stan_dp::plan plan;
  /** what the plan costs at `settings.delta`, as an upper bound; NaN if
   * privacy is not engaged */
  double epsilon = 0;
  /** the accountant that decided */
  std::string accountant;
  /** number of units, only where it is public */
  std::optional<std::size_t> units;
  std::vector<std::string> protected_names;
  /** what the ledger says, one sentence; empty without a ledger */
  std::string ledger;
};

/** Why a run is not private, or an empty string if it is. */
inline std::string why_not_private(const privacy_settings& settings) {
  if (!settings.engaged) {
    return "privacy engaged=0: no noise was added";
  }
  if (settings.noise_seed) {
    return "noise_seed is set: whoever knows it can take the noise off";
  }
  return "";
}

namespace internal {

/** Seventeen digits: the number, to the bit. */
inline std::string exact(double value) {
  std::ostringstream text;
  text << std::setprecision(17) << value;
  return text.str();
}

inline std::string short_number(double value) {
  std::ostringstream text;
  text << std::setprecision(4) << value;
  return text.str();
}

inline std::string joined(const std::vector<std::string>& names) {
  std::string result;
  for (const std::string& name : names) {
    result += (result.empty() ? "" : ", ") + name;
  }
  return result.empty() ? "none" : result;
}

/** Mechanisms of one kind and rate, whose noise may vary. */
struct query_group {
  query_kind kind;
  double rate;
  double least_noise;
  double most_noise;
  std::int64_t count;
};

inline std::vector<query_group> query_groups(const plan& p) {
  std::vector<query_group> groups;
  for (const mechanism& m : p.mechanisms) {
    const auto same = [&m](const query_group& g) {
      return g.kind == m.kind && g.rate == m.rate;
    };
    auto group = std::find_if(groups.begin(), groups.end(), same);
    if (group == groups.end()) {
      groups.push_back({m.kind, m.rate, m.noise, m.noise, m.count});
    } else {
      group->least_noise = std::min(group->least_noise, m.noise);
      group->most_noise = std::max(group->most_noise, m.noise);
      group->count += m.count;
    }
  }
  return groups;
}

inline const char* kind_name(query_kind kind) {
  return kind == query_kind::gradient ? "gradient" : "log_ratio";
}

inline std::string noise_text(const query_group& g) {
  return g.least_noise == g.most_noise
             ? exact(g.least_noise)
             : exact(g.least_noise) + " to " + exact(g.most_noise);
}

inline const char* relation_name(neighbors relation) {
  return relation == neighbors::substitute ? "substitute" : "add_remove";
}

inline std::string unit_name(const privacy_settings& settings) {
  return settings.unit.empty() ? "one row of " + settings.rows
                               : "all rows with one value of " + settings.unit;
}

inline double ratio_clip(const privacy_settings& settings) {
  return settings.ratio_clip > 0 ? settings.ratio_clip : settings.clip;
}

}  // namespace internal

/** The lines `privacy: key = value` at the head of a CSV. */
inline std::vector<std::string> privacy_header(const privacy_facts& facts) {
  using internal::exact;
  std::vector<std::string> lines;
  const auto add = [&lines](const std::string& key, const std::string& value) {
    lines.push_back("privacy: " + key + " = " + value);
  };
  const privacy_settings& s = facts.settings;
  const std::string reason = why_not_private(s);
  if (!reason.empty()) {
    lines.push_back("privacy: NOT PRIVATE (" + reason + ")");
  }
  if (s.engaged) {
    add("epsilon", exact(s.epsilon));
    add("delta", exact(s.delta));
    add("epsilon_of_plan", exact(facts.epsilon));
    add("accountant", facts.accountant);
  }
  add("neighbors", internal::relation_name(s.relation));
  add("unit", internal::unit_name(s));
  if (facts.units) {
    add("num_units", std::to_string(*facts.units));
  }
  add("clip", exact(s.clip));
  add("ratio_clip", exact(internal::ratio_clip(s)));
  for (const internal::query_group& g : internal::query_groups(facts.plan)) {
    const std::string kind = internal::kind_name(g.kind);
    const std::string suffix = g.rate < 1 ? " at rate " + exact(g.rate) : "";
    add("noise multiplier of " + kind + suffix, internal::noise_text(g));
    add("number of " + kind + " queries" + suffix, std::to_string(g.count));
  }
  add("protected", internal::joined(facts.protected_names));
  add("public", internal::joined(s.public_names));
  add("version", version);
  return lines;
}

/** The paragraph before the first query, line by line. */
inline std::vector<std::string> privacy_preface(const privacy_facts& facts) {
  using internal::short_number;
  const privacy_settings& s = facts.settings;
  std::vector<std::string> lines;
  const std::string reason = why_not_private(s);
  if (!reason.empty()) {
    lines.push_back("NOT PRIVATE (" + reason + ").");
  }
  if (s.engaged) {
    lines.push_back("This run will spend epsilon = "
                    + short_number(facts.epsilon)
                    + " at delta = " + short_number(s.delta)
                    + " (asked: " + short_number(s.epsilon)
                    + "), neighbors = " + internal::relation_name(s.relation)
                    + ", for " + internal::unit_name(s) + ".");
  }
  lines.push_back("Protected data: " + internal::joined(facts.protected_names)
                  + ". Public data: " + internal::joined(s.public_names)
                  + ", and integer sizes.");
  for (const internal::query_group& g : internal::query_groups(facts.plan)) {
    const bool gradient = g.kind == query_kind::gradient;
    const double clip = gradient ? s.clip : internal::ratio_clip(s);
    std::string line = std::to_string(g.count) + " noisy "
                       + (gradient ? "gradients" : "log ratios") + ", noise sd "
                       + short_number(g.most_noise * clip)
                       + (gradient ? "" : " per unit of distance");
    if (facts.units) {
      line += ", against at most clip x units = "
              + short_number(clip * g.rate * static_cast<double>(*facts.units));
    }
    lines.push_back(line + ".");
  }
  if (!facts.ledger.empty()) {
    lines.push_back(facts.ledger);
  }
  return lines;
}

/** The lines after the draws, below `Elapsed Time`. */
inline std::vector<std::string> privacy_footer(const privacy_facts& facts) {
  const std::string reason = why_not_private(facts.settings);
  if (!reason.empty()) {
    return {"privacy: NOT PRIVATE (" + reason + ")"};
  }
  return {"privacy: spent epsilon = " + internal::exact(facts.epsilon)
          + ", delta = " + internal::exact(facts.settings.delta)};
}

/** The paragraph after the last query. */
inline std::vector<std::string> privacy_afterword(const privacy_facts& facts) {
  const std::string reason = why_not_private(facts.settings);
  if (!reason.empty()) {
    return {"NOT PRIVATE (" + reason + "): do not release these draws."};
  }
  return {"Spent epsilon = " + internal::short_number(facts.epsilon)
              + " at delta = " + internal::short_number(facts.settings.delta)
              + "; a second run is a second release and costs again.",
          "The draws may be released; data, init and metric files and the"
          " terminal's timings may not."};
}

/** What is odd about the settings but stops nothing. */
inline std::vector<std::string> privacy_warnings(const privacy_facts& facts) {
  const privacy_settings& s = facts.settings;
  std::vector<std::string> warnings;
  if (s.engaged && facts.units
      && s.delta * static_cast<double>(*facts.units) >= 1) {
    warnings.push_back(
        "privacy delta is not below one over the number of units: a mechanism"
        " that publishes a random unit would satisfy it; choose a smaller"
        " delta.");
  }
  if (s.engaged && s.epsilon > 10) {
    warnings.push_back(
        "privacy epsilon is above 10: that promises next to nothing.");
  }
  return warnings;
}

}  // namespace stan_dp
#endif
