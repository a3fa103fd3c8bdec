// Code shared by the passes on the host.
#include "pass/tile_pass.hpp"

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

}  // namespace weft
