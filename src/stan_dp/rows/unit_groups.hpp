#ifndef STAN_DP_ROWS_UNIT_GROUPS_HPP
#define STAN_DP_ROWS_UNIT_GROUPS_HPP

#include <cstddef>
#include <numeric>
#include <unordered_map>
#include <vector>

namespace stan_dp {

/** Which rows belong to which privacy unit, in the order of the file. */
class unit_groups {
 public:
  /** Every row is a unit. */
  explicit unit_groups(std::size_t num_rows)
      : rows_(num_rows), starts_(num_rows + 1) {
    std::iota(rows_.begin(), rows_.end(), std::size_t{0});
    std::iota(starts_.begin(), starts_.end(), std::size_t{0});
  }

  /** All rows with the same id are a unit. Units are ordered by the first of
   * their rows. */
  explicit unit_groups(const std::vector<int>& ids) : rows_(ids.size()) {
    std::unordered_map<int, std::size_t> unit_of_id;
    std::vector<std::size_t> unit_of_row;
    std::vector<std::size_t> sizes;
    for (int id : ids) {
      const auto unit = unit_of_id.emplace(id, sizes.size()).first->second;
      if (unit == sizes.size()) {
        sizes.push_back(0);
      }
      ++sizes[unit];
      unit_of_row.push_back(unit);
    }
    starts_.assign(sizes.size() + 1, 0);
    std::partial_sum(sizes.begin(), sizes.end(), starts_.begin() + 1);
    auto place = starts_;
    for (std::size_t row = 0; row < ids.size(); ++row) {
      rows_[place[unit_of_row[row]]++] = row;
    }
  }

  std::size_t size() const { return starts_.size() - 1; }
  const std::size_t* rows(std::size_t unit) const {
    return rows_.data() + starts_[unit];
  }
  std::size_t count(std::size_t unit) const {
    return starts_[unit + 1] - starts_[unit];
  }

 private:
  std::vector<std::size_t> rows_;
  std::vector<std::size_t> starts_;
};

}  // namespace stan_dp
#endif
