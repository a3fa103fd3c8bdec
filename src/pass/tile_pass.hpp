// Passes made of sweeps: what they are bound to, and the loop over their work, which threads share.
#pragma once

#ifdef _OPENMP
#include <omp.h>
#endif

#include "pass/pass.hpp"
#include "pass/sweep.hpp"

namespace weft {

/// Of the calling thread, in the team that shares a loop.
inline int thread_number() {
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}

/// All that a pass is given.
struct PassParts {
  PassSpec spec;
  std::vector<Cell> cells;
  std::vector<View> from;
  std::vector<View> to;
};

/// What sweeps are made from and run on. The classes behind it differ in what they do with a cell.
class TilePass : public Pass {
 public:
  TilePass(PassParts parts, const Caches& caches);

  void bind_source(const void* data) override;
  void bind_target(void* data) override;
  void bind_function(const RawLineFunction* function) override { call_.function = function; }
  void bind_scale(double scale) override { call_.scale = scale; }
  bool may_run_in_place() const override { return in_place_; }
  std::size_t traffic_bytes() const override;

 protected:
  const PassSpec& spec() const { return parts_.spec; }
  const std::vector<Cell>& cells() const { return parts_.cells; }
  const std::vector<View>& from() const { return parts_.from; }
  const std::vector<View>& to() const { return parts_.to; }
  const SweepCall& call() const { return call_; }

  /// A sweep of this pass between planes in the cache.
  SweepSpec sweep_spec(LineComputation computation) const;
  /// The ends of one that begins at the source, or leads to the target.
  SweepSide source_side() const { return {spec().source, cached_, false}; }
  SweepSide target_side() const { return {spec().target, cached_, false}; }

  /// The loop over the units of a cell: work(unit, worker) for each, the workers being numbered
  /// from 0 to spec().threads - 1. Before its last cell the pass blanks what it must.
  template <class Work>
  void run_units(int cell, Index units, const std::function<void()>& poll, Work&& work) const;

 private:
  void blank(const View& to) const;

  PassParts parts_;
  SweepCall call_;
  bool cached_ = false;  // what it reads and writes fits the caches
  bool in_place_ = false;
};

/// At most one step: every tile is done by itself.
std::unique_ptr<Pass> make_one_sweep_pass(PassParts parts, const Caches& caches);
/// Two steps: sweeps that meet in planes small enough to stay cached.
std::unique_ptr<Pass> make_plane_pass(PassParts parts, const Caches& caches);

template <class Work>
void TilePass::run_units(int cell, Index units, const std::function<void()>& poll,
                         Work&& work) const {
  // Not before the last cell: in place, what is there may have to be read until then.
  if (cell + 1 == static_cast<int>(cells().size())) blank(to()[cells()[cell].produces]);
  if (spec().threads == 1) {
    for (Index unit = 0; unit < units; ++unit) {
      work(unit, 0);
      poll();
    }
    store_fence();
    return;
  }
#pragma omp parallel num_threads(spec().threads)
  {
    const int worker = thread_number();
#pragma omp for schedule(dynamic)
    for (Index unit = 0; unit < units; ++unit) {
      work(unit, worker);
      if (worker == 0) poll();
    }
    store_fence();
  }
}

}  // namespace weft
