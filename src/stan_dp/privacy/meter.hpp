#ifndef STAN_DP_PRIVACY_METER_HPP
#define STAN_DP_PRIVACY_METER_HPP

#include <stan_dp/privacy/plan.hpp>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace stan_dp {

/**
 * A query that the plan does not hold, or not any more: a defect in a sampler.
 */
class unplanned_query : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/**
 * Counts a plan down. Shared by all chains of a run; thread safe.
 *
 * What was charged is spent, whatever became of the answer.
 */
class meter {
 public:
  explicit meter(stan_dp::plan plan)
      : plan_(std::move(plan)), spent_(plan_.mechanisms.size()) {
    for (const mechanism& m : plan_.mechanisms) {
      if (m.count < 0) {
        throw std::invalid_argument(
            "A planned number of queries must not be negative.");
      }
    }
  }
  meter(const meter&) = delete;
  meter& operator=(const meter&) = delete;

  const stan_dp::plan& plan() const { return plan_; }

  /**
   * Charges one query.
   *
   * @throws unplanned_query if none is left; nothing is counted then
   */
  void charge(std::size_t query) {
    require_planned(query);
    std::atomic<std::int64_t>& count = spent_[query];
    std::int64_t before = count.load();
    do {
      if (before >= plan_.mechanisms[query].count) {
        throw unplanned_query("Query " + std::to_string(query)
                              + " has used up its part of the plan.");
      }
    } while (!count.compare_exchange_weak(before, before + 1));
  }

  std::int64_t spent(std::size_t query) const {
    require_planned(query);
    return spent_[query].load();
  }

  std::int64_t left(std::size_t query) const {
    return plan_.mechanisms[query].count - spent(query);
  }

  /** Refuses a query of which the plan knows nothing. */
  void require_planned(std::size_t query) const {
    if (query >= spent_.size()) {
      throw unplanned_query("Query " + std::to_string(query)
                            + " is not in the plan.");
    }
  }

 private:
  stan_dp::plan plan_;
  std::vector<std::atomic<std::int64_t>> spent_;
};

}  // namespace stan_dp
#endif
