// Code shared by the passes on the host.
#include "pass/tile_pass.hpp"

#include "pass/shared_loop.hpp"
#include "view/strided_copy.hpp"

namespace weft {

TilePass::TilePass(PassParts parts, const Caches& caches) : parts_(std::move(parts)) {
  in_place_ = parts_.may_run_in_place();
  cached_ = traffic_bytes() <= cached_budget(caches);
  parts_.make_index();
}

SweepSpec TilePass::sweep_spec(LineComputation computation) const {
  SweepSpec sweep;
  sweep.computation = std::move(computation);
  sweep.source.cached = sweep.target.cached = true;
  sweep.engine = spec().engine;
  sweep.effort = spec().effort;
  sweep.wavenumbers = spec().wavenumbers;
  return sweep;
}

void TilePass::prepare_sums(const Sweep& first, const Sweep& last) const {
  if (spec().sums == nullptr) return;
  if (const int columns = first.source_columns(); columns >= 0)
    spec().sums->source->set_columns(columns);
  if (const int columns = last.target_columns(); columns >= 0) {
    spec().sums->target->set_columns(columns);
    spec().sums->is_scaled = true;
  }
}

void TilePass::blank(const View& to) const {
  for (const Piece& piece : spec().blank)
    fill_with_zeros(to.address(piece, piece.box.lower), piece.strides, piece.box.extents(),
                    spec().computation.output.bytes());
}

void TilePass::run_units(int cell, Index units, const std::function<void()>& poll,
                         const std::function<void(Index unit, int worker)>& work) const {
  if (spec().sums != nullptr && cell == 0) spec().sums->reset(call_.scale);
  // Only at the last cell: in place, earlier cells may still have to read these parts.
  if (cell + 1 == static_cast<int>(cells().size())) blank(to()[cells()[cell].produces]);
  // Units of sparse arrays without elements take no time and follow one another.
  const bool is_sparse = spec().source.sparse || spec().target.sparse;
  share_loop(spec().threads, units, is_sparse ? Sharing::turns : Sharing::blocks,
             [&](Index unit, int worker) {
               work(unit, worker);
               if (worker == 0) poll();
             });
}

}  // namespace weft
