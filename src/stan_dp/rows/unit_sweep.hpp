#ifndef STAN_DP_ROWS_UNIT_SWEEP_HPP
#define STAN_DP_ROWS_UNIT_SWEEP_HPP

#include <stan_dp/rows/unit_likelihood.hpp>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>
#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace stan_dp {

/**
 * Evaluates units such that what a model does in parallel itself (`reduce_sum`)
 * stays on this thread.
 *
 * Otherwise a thread that waits for the parts of one unit could take up those
 * of another in the middle of it: a division by zero or a profile there would
 * then be this unit's, and how a sum is divided would depend on the others.
 */
template <typename F>
void on_this_thread(const F& evaluate) {
  tbb::task_arena(1).execute(evaluate);
}

/** What is asked of a sweep, and how it is divided among threads. */
struct sweep_request {
  /** the units to evaluate; null for all of them */
  const std::vector<std::size_t>* subset;
  std::size_t num_units;
  std::size_t dimension;
  bool gradients;
  /** fewer units than this stay on the thread that asks; 0 where TBB is not to
   * be used at all */
  std::size_t grain;
};

namespace internal {

/** Units in a block: what a consumer gets at a time. */
constexpr std::size_t sweep_block = 64;
/** How many units before its turn a unit is announced. */
constexpr std::size_t sweep_ahead = 8;

/**
 * Evaluates units `begin` to `end` of the request, block after block.
 *
 * @param make makes what answers on this thread, by `answer(unit, gradient)`
 */
template <typename Make>
void sweep_range(const sweep_request& request, const Make& make,
                 std::size_t begin, std::size_t end, unit_consumer& out) {
  const std::size_t d = request.dimension;
  std::size_t indices[sweep_block];
  double values[sweep_block];
  Eigen::MatrixXd columns(request.gradients ? d : 0,
                          std::min(sweep_block, end - begin));
  auto&& one = make();
  while (begin != end) {
    const std::size_t count = std::min(sweep_block, end - begin);
    for (std::size_t k = 0; k < count; ++k) {
      indices[k] = request.subset ? (*request.subset)[begin + k] : begin + k;
    }
    for (std::size_t k = 0; k < count; ++k) {
      one.expect(indices[std::min(k + sweep_ahead, count - 1)]);
      values[k] = one.answer(
          indices[k], request.gradients ? columns.data() + d * k : nullptr);
    }
    out.take(unit_block{indices, count, values,
                        request.gradients ? columns.data() : nullptr});
    begin += count;
  }
}

/** A body for TBB's `parallel_reduce`. */
template <typename Make>
class sweep_reduction {
 public:
  sweep_reduction(const sweep_request& request, const Make& make,
                  unit_consumer& out)
      : request_(request), make_(make), out_(out) {}
  sweep_reduction(sweep_reduction& other, tbb::split)
      : request_(other.request_),
        make_(other.make_),
        own_(other.out_.split()),
        out_(*own_) {}
  void operator()(const tbb::blocked_range<std::size_t>& range) {
    on_this_thread([&] {
      sweep_range(request_, make_, range.begin(), range.end(), out_);
    });
  }
  void join(sweep_reduction& other) { out_.join(other.out_); }

 private:
  const sweep_request& request_;
  const Make& make_;
  std::unique_ptr<unit_consumer> own_;
  unit_consumer& out_;
};

}  // namespace internal

/**
 * Calls `body(begin, end)` for pieces of all units, on several threads.
 */
template <typename F>
void for_unit_ranges(std::size_t count, bool threads, const F& body) {
  if (!threads) {
    body(std::size_t{0}, count);
    return;
  }
  const tbb::blocked_range<std::size_t> all(0, count, internal::sweep_block);
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(all, [&](const tbb::blocked_range<std::size_t>& range) {
      on_this_thread([&] { body(range.begin(), range.end()); });
    });
  });
}

/**
 * Evaluates units and hands them to a consumer in blocks, on several threads.
 *
 * @param make called once for each piece of the work, on the thread that does
 * it; what it gives has `double answer(std::size_t unit, double* gradient)`,
 * which writes the gradient if it is not null, and `void expect(std::size_t
 * unit)`, which may fetch what the answer will need
 */
template <typename Make>
void sweep_units(const sweep_request& request, const Make& make,
                 unit_consumer& out) {
  const std::size_t count
      = request.subset ? request.subset->size() : request.num_units;
  if (request.grain == 0) {
    internal::sweep_range(request, make, 0, count, out);
    return;
  }
  if (count <= request.grain) {
    on_this_thread(
        [&] { internal::sweep_range(request, make, 0, count, out); });
    return;
  }
  internal::sweep_reduction<Make> body(request, make, out);
  // Without isolation a thread that waits for the rest of this sweep could
  // start on another chain, and come back when that has ended.
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_reduce(
        tbb::blocked_range<std::size_t>(0, count, request.grain), body);
  });
}

}  // namespace stan_dp
#endif
