// From views to what kernels read: boxes in which the pieces of both views differ only along the
// lines, so that a tile of lines has one short list of segments. Costs a list entry for each box;
// no element is looked up in a view when a kernel runs.
#pragma once

#include <vector>

#include "device_kernel/tile_job.hpp"
#include "device_kernel/tile_plan.hpp"
#include "pass/computation.hpp"
#include "pass/pass.hpp"
#include "view/view.hpp"

namespace weft {

/// What kernels of a pass do to lines.
struct KernelLines {
  int axis = 0;
  TilePlan plan;
  Element input;  ///< as the views hold them
  Element output;
  std::optional<Step> step;  ///< none: lines are copied
};

/// The axis of lines that are copied between such views: one along which an array is contiguous, if
/// the other array is contiguous along another.
int copied_axis(const View& from, const View& to, const Element& input, const Element& output);

/// One launch. First tiles, segments and squares are counted from 0.
struct TileViews {
  std::vector<TilePatch> patches;
  std::vector<TileSegment> segments;
  std::vector<double> squares;
  unsigned tiles = 0;
};

/// `domain`: whole lines, in indices of the input side. Base 0 of a view is bound when a kernel is
/// launched; the others are where they are.
TileViews make_tile_views(const KernelLines& lines, const Box& domain, const View& from,
                          const View& to);

/// A launch, and how its kernel is made: as suits where the lines lie.
struct PlannedTiles {
  TilePlan plan;
  TileVariant variant;
  TileViews views;
};
PlannedTiles plan_tiles(const KernelLines& lines, const Box& domain, const View& from,
                        const View& to);

}  // namespace weft
