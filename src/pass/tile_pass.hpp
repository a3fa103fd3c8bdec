// The base of passes that consist of sweeps: their bindings, and the loop over their work. Each
// thread has the same part of that loop in every call, which keeps its data in its caches at the
// cost of balance between uneven tiles.
#pragma once

#ifdef _OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <exception>

#include "pass/pass.hpp"
#include "pass/sweep.hpp"
#include "view/copy_kernels.hpp"

namespace weft {

/// The number of the calling thread in the team that shares a loop.
inline int thread_number() {
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}

/// Whether a sweep is the first or the last one of its pass.
struct SweepPlace {
  bool is_first = false;
  bool is_last = false;
};

/// Holds the data that sweeps are made from and run on. Derived classes process the cells.
class TilePass : public Pass {
 public:
  TilePass(PassParts parts, const Caches& caches);

  void bind_source(const void* data) override { parts_.bind_source(data); }
  void bind_target(void* data) override { parts_.bind_target(data); }
  void bind_function(const RawLineFunction* function) override { call_.function = function; }
  void bind_scale(double scale) override { call_.scale = scale; }
  bool may_run_in_place() const override { return in_place_; }
  std::size_t traffic_bytes() const override { return parts_.traffic_bytes(); }

 protected:
  const PassSpec& spec() const { return parts_.spec; }
  const std::vector<Cell>& cells() const { return parts_.cells; }
  const std::vector<View>& from() const { return parts_.from; }
  const std::vector<View>& to() const { return parts_.to; }
  const SweepCall& call() const { return call_; }
  /// Sets the axes along which the first and the last sweep add elements to the sums.
  void prepare_sums(const Sweep& first, const Sweep& last) const;
  /// The sums of a sweep: the first sweep of a pass adds up the input, the last one the output.
  SweepSums sums(SweepPlace place, int worker) const {
    if (spec().sums == nullptr) return {};
    return {place.is_first ? spec().sums->source.get() : nullptr,
            place.is_last ? spec().sums->target.get() : nullptr, worker};
  }

  /// Describes a sweep of this pass between cached planes.
  SweepSpec sweep_spec(LineComputation computation) const;
  /// The sides of sweeps that read the pass's source or write its target.
  SweepSide source_side() const { return {spec().source, cached_, false}; }
  SweepSide target_side() const { return {spec().target, cached_, false}; }

  /// Calls work(unit, worker) for each unit of a cell; workers are numbered from 0 to
  /// spec().threads - 1. Before the pass's last cell it fills spec().blank with zeros.
  template <class Work>
  void run_units(int cell, Index units, const std::function<void()>& poll, Work&& work) const;

 private:
  void blank(const View& to) const;

  PassParts parts_;
  SweepCall call_;
  bool cached_ = false;  // the data that it reads and writes fit the caches
  bool in_place_ = false;
};

/// For at most one step: every tile is processed independently.
std::unique_ptr<Pass> make_one_sweep_pass(PassParts parts, const Caches& caches);
/// For two steps: sweeps through planes that are small enough to stay cached.
std::unique_ptr<Pass> make_plane_pass(PassParts parts, const Caches& caches);

template <class Work>
void TilePass::run_units(int cell, Index units, const std::function<void()>& poll,
                         Work&& work) const {
  if (spec().sums != nullptr && cell == 0) spec().sums->reset(call_.scale);
  // Only at the last cell: in place, earlier cells may still have to read these parts.
  if (cell + 1 == static_cast<int>(cells().size())) blank(to()[cells()[cell].produces]);
  if (spec().threads == 1) {
    for (Index unit = 0; unit < units; ++unit) {
      work(unit, 0);
      poll();
    }
    store_fence();
    return;
  }
  // Units of sparse arrays without elements take no time and follow one another, so threads take
  // turns. An exception must not leave the thread that threw it; a caller's function may throw.
  const bool is_sparse = spec().source.sparse || spec().target.sparse;
  [[maybe_unused]] const Index chunk =
      is_sparse ? 1 : std::max<Index>(1, (units + spec().threads - 1) / spec().threads);
  std::exception_ptr failure;
#pragma omp parallel num_threads(spec().threads)
  {
    const int worker = thread_number();
#pragma omp for schedule(static, chunk)
    for (Index unit = 0; unit < units; ++unit) {
      try {
        work(unit, worker);
        if (worker == 0) poll();
      } catch (...) {
#pragma omp critical(weft_failure)
        failure = std::current_exception();
      }
    }
    store_fence();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace weft
