#ifndef STAN_DP_PRIVACY_LEDGER_HPP
#define STAN_DP_PRIVACY_LEDGER_HPP

#include <stan_dp/privacy/durable_file.hpp>
#include <stan_dp/privacy/ledger_contents.hpp>
#include <stan_dp/privacy/random_bits.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

/** @file
 * What all runs on one population cost together, when a person chooses each
 * run after seeing the results of those before.
 *
 * Such a total has to be a *privacy filter*: a rule, fixed before the first
 * run, that stops at the limit whatever the choices were. These are:
 * - gaussian: the sum of `mu` stays below the limit. The runs are then, like
 *   one Gaussian of that mu, (epsilon, delta) private (Smith and Thakurta
 *   2022; Koskela, Tobaben, Honkela 2023: fully adaptive Gaussian privacy).
 * - renyi: the sum of the Renyi divergences at *one* order stays below its
 *   limit, and all runs together have that divergence (Feldman and Zrnic 2021,
 *   theorem 3.1; Lecuyer 2021). It is converted to (epsilon, delta) by
 *   Canonne, Kamath, Steinke 2020, proposition 12. The order depends on the
 *   budget alone.
 * - basic: epsilons and deltas are added (Rogers, Roth, Ullman, Vadhan 2016).
 * A tight privacy loss distribution of all runs is *not* a filter. Nor may the
 * best of several rules be taken afterwards, so the rule stands in the file.
 */
namespace stan_dp {

/** What is used up of a limit. */
struct ledger_balance {
  double spent;
  double limit;
};

namespace internal {

/** Renyi divergence that costs (epsilon, delta) at `order`. */
inline double renyi_limit(const ledger_budget& budget, double order) {
  return budget.epsilon - std::log1p(-1 / order)
         + (std::log(budget.delta) + std::log(order)) / (order - 1);
}

/** Place of the order at which a Gaussian, of divergence mu * order, may have
 * the largest mu. */
inline std::size_t renyi_place(const ledger_budget& budget) {
  const auto& orders = ledger_orders();
  std::size_t best = 0;
  const auto largest_mu = [&](std::size_t i) {
    return renyi_limit(budget, orders[i]) / orders[i];
  };
  for (std::size_t i = 1; i < orders.size(); ++i) {
    best = largest_mu(i) > largest_mu(best) ? i : best;
  }
  return best;
}

/** The sum over entries of what `cost` says. */
template <class Cost>
double total_cost(const ledger_contents& contents, const Cost& cost) {
  double sum = 0;
  for (const ledger_entry& entry : contents.entries) {
    sum += cost(entry);
  }
  return sum;
}

/** Sums of decimal fractions round: ten times 0.1 is within 1. */
inline bool within(const ledger_balance& balance) {
  return balance.spent <= balance.limit * (1 + 1e-12);
}

}  // namespace internal

/** The sum that the ledger's rule bounds (epsilon, where the rule is basic). */
inline ledger_balance balance_of(const ledger_contents& contents) {
  using internal::total_cost;
  const ledger_budget& budget = contents.budget;
  switch (contents.rule.value_or(composition::basic)) {
    case composition::gaussian:
      return {total_cost(contents, [](const auto& e) { return *e.mu; }),
              budget.mu};
    case composition::renyi: {
      const std::size_t place = internal::renyi_place(budget);
      return {total_cost(contents, [=](const auto& e) { return e.rdp[place]; }),
              internal::renyi_limit(budget, ledger_orders()[place])};
    }
    default:
      return {total_cost(contents, [](const auto& e) { return e.epsilon; }),
              budget.epsilon};
  }
}

/** The sum of deltas, which counts where the rule is basic. */
inline ledger_balance delta_balance_of(const ledger_contents& contents) {
  return {internal::total_cost(contents, [](const auto& e) { return e.delta; }),
          contents.budget.delta};
}

/**
 * A ledger in a file. Objects hold no state but its name: every call locks the
 * file, reads it and, if it changes it, replaces it durably.
 */
class ledger {
 public:
  /**
   * Makes the file of a new ledger.
   *
   * @param rule how runs add up; if nothing, the first run decides: gaussian if
   * all its queries are, basic otherwise. (That run is chosen before anything
   * was released, so the rule does not depend on the data.)
   * @throws ledger_error if there is a file of that name, or the budget is none
   */
  static void create(const std::string& path, const ledger_budget& budget,
                     std::optional<composition> rule = std::nullopt);

  /** @param path a file that exists */
  explicit ledger(const std::string& path);

  ledger_contents read() const;

  /** The hash of some data under this ledger's salt. */
  std::string hash(const std::string& data) const {
    return sha256(read().salt + data);
  }

  /**
   * Enters a run before it starts. When this returns the entry is on the disk,
   * and no crash takes it back.
   *
   * @return whether the data is not that of the last entry: worth a warning.
   * The budget is the population's, not the file's, and is not reset.
   * @throws ledger_error if the run would pass the total, or does not fit what
   * the first entry fixed; nothing is entered then
   */
  bool charge(const ledger_entry& entry);

 private:
  [[noreturn]] void refuse(const std::string& reason) const {
    throw ledger_error("The ledger " + path_ + " " + reason);
  }
  void require_valid(const ledger_contents& contents) const;
  void require_same_population(const ledger_contents& contents,
                               const ledger_entry& entry) const;
  void require_costs(composition rule, const ledger_entry& entry) const;
  void require_within_budget(const ledger_contents& contents) const;

  std::string path_;
};

namespace internal {

/** 256 random bits in hexadecimal digits. */
inline std::string random_salt() {
  system_random bits;
  std::string salt;
  for (int i = 0; i < 4; ++i) {
    char digits[17];
    std::snprintf(digits, sizeof(digits), "%016llx",
                  static_cast<unsigned long long>(bits.bits64()));
    salt += digits;
  }
  return salt;
}

inline std::string number_text(double x) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", x);
  return text;
}

}  // namespace internal

inline void ledger::create(const std::string& path, const ledger_budget& budget,
                           std::optional<composition> rule) {
  if (!(budget.epsilon > 0 && std::isfinite(budget.epsilon) && budget.delta > 0
        && budget.delta < 1 && budget.mu > 0 && std::isfinite(budget.mu))) {
    throw ledger_error(
        "A ledger's total epsilon must be finite and above zero, and its total"
        " delta between zero and one.");
  }
  ledger_contents contents{budget, rule, internal::random_salt(), {}};
  if (!(balance_of(contents).limit > 0)) {
    throw ledger_error(
        "The total budget is too small for composition=renyi; use basic.");
  }
  try {
    const file_lock lock(path);
    create_text(path, to_json(contents));
  } catch (const std::system_error& error) {
    throw ledger_error("The ledger " + path
                       + " cannot be made: " + error.code().message() + ".");
  }
}

inline ledger::ledger(const std::string& path) : path_(path) {
  std::error_code missing;
  // Two names of one file have one lock.
  path_ = std::filesystem::canonical(path, missing).string();
  if (missing) {
    path_ = path;
    refuse("cannot be read (" + missing.message()
           + "): make it with its total, privacy ledger file=" + path
           + " epsilon= delta=.");
  }
}

inline ledger_contents ledger::read() const {
  try {
    ledger_contents contents = from_json(read_text(path_));
    require_valid(contents);
    return contents;
  } catch (const std::system_error& error) {
    refuse("cannot be read (" + error.code().message() + ").");
  } catch (const ledger_error& error) {
    refuse(std::string("is damaged or no ledger (") + error.what()
           + "): restore it from a copy; it was left as it is.");
  }
}

/** Entries have what the rule adds up. */
inline void ledger::require_valid(const ledger_contents& contents) const {
  if (!contents.entries.empty() && !contents.rule) {
    throw ledger_error("it has entries and no composition");
  }
  for (const ledger_entry& entry : contents.entries) {
    require_costs(*contents.rule, entry);
  }
}

inline void ledger::require_costs(composition rule,
                                  const ledger_entry& entry) const {
  const auto is_cost = [](double x) { return x >= 0 && std::isfinite(x); };
  if (!is_cost(entry.epsilon) || !is_cost(entry.delta)
      || !is_cost(entry.mu.value_or(0))
      || !std::all_of(entry.rdp.begin(), entry.rdp.end(), is_cost)) {
    refuse("takes no run whose cost is negative or not finite.");
  }
  if (rule == composition::gaussian && !entry.mu) {
    refuse(
        "adds up Gaussian queries on all units, and takes no run that"
        " samples units: use rate=1, or a ledger made with"
        " composition=basic.");
  }
  if (rule == composition::renyi
      && entry.rdp.size() != ledger_orders().size()) {
    refuse("adds up Renyi divergences, and takes no run without them.");
  }
}

inline void ledger::require_same_population(const ledger_contents& contents,
                                            const ledger_entry& entry) const {
  if (contents.entries.empty()) {
    return;
  }
  const ledger_entry& first = contents.entries.front();
  if (entry.relation != first.relation) {
    refuse(std::string("is for neighbors=") + internal::name_of(first.relation)
           + ": use the same, or another population's ledger.");
  }
  if (entry.unit != first.unit) {
    refuse("is for unit=" + first.unit
           + ": use the same, or another population's ledger.");
  }
}

/** @param contents with the run that is asked for as the last entry */
inline void ledger::require_within_budget(
    const ledger_contents& contents) const {
  const auto require = [&](const ledger_balance& balance, const char* name) {
    if (!internal::within(balance)) {
      refuse(std::string("would pass its total with this run: ") + name + " = "
             + internal::number_text(balance.spent) + " of "
             + internal::number_text(balance.limit)
             + "; use a smaller budget for the run.");
    }
  };
  switch (*contents.rule) {
    case composition::gaussian:
      return require(balance_of(contents), "the sum of mu");
    case composition::renyi:
      return require(balance_of(contents), "the sum of Renyi divergences");
    default:
      require(balance_of(contents), "the sum of epsilon");
      return require(delta_balance_of(contents), "the sum of delta");
  }
}

inline bool ledger::charge(const ledger_entry& entry) {
  try {
    const file_lock lock(path_);
    ledger_contents contents = read();
    const bool changed = !contents.entries.empty()
                         && contents.entries.back().data != entry.data;
    contents.rule = contents.rule.value_or(entry.mu ? composition::gaussian
                                                    : composition::basic);
    require_same_population(contents, entry);
    require_costs(*contents.rule, entry);
    contents.entries.push_back(entry);
    require_within_budget(contents);
    const std::string text = to_json(contents);
    from_json(text);  // what could not be read again is not written
    replace_text(path_, text);
    return changed;
  } catch (const std::system_error& error) {
    refuse("cannot be written (" + error.code().message() + ").");
  }
}

}  // namespace stan_dp
#endif
