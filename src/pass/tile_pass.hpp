// The base of passes that consist of sweeps: their bindings, and the loop over their work, which
// threads share.
#pragma once

#include <functional>

#include "pass/pass.hpp"
#include "pass/sweep.hpp"

namespace weft {

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
  void run_units(int cell, Index units, const std::function<void()>& poll,
                 const std::function<void(Index unit, int worker)>& work) const;

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

}  // namespace weft
