#ifndef STAN_DP_SERVICES_LEDGER_RESERVATION_HPP
#define STAN_DP_SERVICES_LEDGER_RESERVATION_HPP

#include <stan_dp/privacy/accountant.hpp>
#include <stan_dp/privacy/gaussian_accountant.hpp>
#include <stan_dp/privacy/ledger.hpp>
#include <stan_dp/privacy/plan.hpp>
#include <stan_dp/privacy/renyi_accountant.hpp>
#include <stan_dp/services/settings.hpp>
#include <stan_dp/services/utc_time.hpp>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>

namespace stan_dp {
namespace internal {

inline std::string file_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/** What the plan costs under the ledger's rule. */
inline ledger_entry entry_of(const plan& p, double epsilon,
                             const privacy_settings& settings,
                             const std::string& run, bool renyi) {
  ledger_entry entry;
  entry.run = run;
  entry.time = utc_now();
  entry.relation = p.relation;
  entry.unit = settings.unit.empty() ? "row" : settings.unit;
  entry.epsilon = epsilon;
  entry.delta = p.delta;
  const auto steps = accounted_steps(p);
  if (all_full_data(steps)) {
    entry.mu = gaussian_mu(steps, p.relation);
  }
  if (renyi) {
    for (double order : ledger_orders()) {
      entry.rdp.push_back(renyi_divergence(steps, order, p.relation));
    }
  }
  return entry;
}

}  // namespace internal

/**
 * Enters runs of one algorithm into the ledger that `settings` name: what a
 * service calls once its plan is made, before the first query.
 *
 * @param settings with a ledger, or without: then nothing is entered
 * @param run what runs, for the person who reads the ledger
 * @param data_file hashed with the ledger's salt, to notice that it changed
 * @return a function that enters a plan and gives a sentence on the balance,
 * or that throws `invalid_argument` if the plan would pass the total
 */
inline std::function<std::string(const plan&, double)> ledger_reservation(
    const privacy_settings& settings, const std::string& run,
    const std::string& data_file) {
  if (settings.ledger.empty()) {
    return {};
  }
  return [=](const plan& p, double epsilon) {
    if (!p.engaged || settings.noise_seed) {
      throw std::invalid_argument(
          "A run that is not private cannot be entered into a ledger: leave "
          "ledger= away.");
    }
    try {
      ledger book(settings.ledger);
      auto entry = internal::entry_of(p, epsilon, settings, run,
                                      book.read().rule == composition::renyi);
      entry.data = book.hash(internal::file_text(data_file));
      const bool changed = book.charge(entry);
      const auto contents = book.read();
      const auto balance = balance_of(contents);
      std::string text
          = "The ledger " + settings.ledger + " now holds "
            + std::to_string(contents.entries.size())
            + (contents.entries.size() == 1 ? " run" : " runs") + ": "
            + internal::number_text(100 * balance.spent / balance.limit)
            + " % of its total is used.";
      if (changed) {
        text += " The data file is not the one of the last run; the budget "
                "belongs to the population, so it goes on.";
      }
      return text;
    } catch (const ledger_error& e) {
      throw std::invalid_argument(e.what());
    }
  };
}

}  // namespace stan_dp
#endif
