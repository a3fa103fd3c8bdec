// Converts views to the boxes that kernels read. In a box, the pieces of both views differ only
// along the lines, so that a tile of lines has one short list of segments. This costs a list entry
// for each box, but a running kernel looks up no element in a view.
#pragma once

#include <vector>

#include "device_kernel/tile_job.hpp"
#include "device_kernel/tile_plan.hpp"
#include "pass/computation.hpp"
#include "pass/pass.hpp"
#include "view/view.hpp"

namespace weft {

/// The lines of a pass and their transform, as kernels need them.
struct KernelLines {
  int axis = 0;
  TilePlan plan;
  Element input;  ///< as the views hold them
  Element output;
  std::optional<Step> step;  ///< none: lines are copied
};

/// The axis of lines that are copied between such views: an axis along which one array is
/// contiguous, if the other array is contiguous along another axis.
int copied_axis(const View& from, const View& to, const Element& input, const Element& output);

/// The boxes of one launch. The indices of first tiles, segments and squares count from 0.
struct TileViews {
  std::vector<TilePatch> patches;
  std::vector<TileSegment> segments;
  std::vector<double> squares;
  unsigned tiles = 0;
};

/// `domain`: whole lines, in indices of the input side. Base 0 of a view is bound when a kernel is
/// launched; the other bases keep their addresses.
TileViews make_tile_views(const KernelLines& lines, const Box& domain, const View& from,
                          const View& to);

/// A launch, and the plan and variant of its kernel, chosen by the positions of the lines in
/// memory.
struct PlannedTiles {
  TilePlan plan;
  TileVariant variant;
  TileViews views;
};
PlannedTiles plan_tiles(const KernelLines& lines, const Box& domain, const View& from,
                        const View& to);

}  // namespace weft
