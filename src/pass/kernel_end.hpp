// One half of a sweep: a kernel between the lines of a view and contiguous lines in a tile. It
// serves sweeps that also change lines in the tile: apply a function, cut an ellipse, shorten
// numbers. It saves a copy of the tile on the view's side.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "kernel/line_kernel.hpp"
#include "pass/lane_lines.hpp"
#include "pass/staging.hpp"

namespace weft {

class KernelEnd {
 public:
  struct Spec {
    const Step& step;
    LaneLines::End end;  ///< the side of the view; the tile is the other side
    Element element;     ///< of the view
    Index tile_element_bytes;
    Staging::Lanes lanes;
    Index lines;  ///< of a tile
    Depth depth;  ///< of the view, if it is the target
  };
  KernelEnd(const Spec& spec, std::unique_ptr<LineKernel> kernel);

  /// Contiguous lines in a tile, in the order of the lane axis.
  struct TileSide {
    std::byte* data;
    Index line_bytes;  ///< from line to line
  };
  /// The arguments of one call.
  struct Call {
    double factor = 1;          ///< results are multiplied by it
    Index ahead = 0;            ///< lines to the next tile; 0: nothing is prefetched
    BlockSums* sums = nullptr;  ///< of the view's elements
    int worker = 0;
  };
  /// Transforms the lines of the box, which is in indices of the view.
  void run(const Box& box, const View& view, const TileSide& tile, const Call& call,
           std::byte* scratch) const;
  /// One thread's memory.
  std::size_t scratch_bytes() const;
  int unit_axis() const { return lines_.unit_axis(); }

 private:
  LineRows tile_rows(const TileSide& tile, std::byte** table) const;
  void write(const Box& box, const View& view, const LineRows& tile, const LineRows& target,
             const Call& call, std::byte* memory) const;
  std::size_t table_bytes() const;

  LaneLines lines_;
  LaneLines::End end_;
  int lane_axis_;
  Index line_count_;  // of a tile
  Index tile_elements_;
  Index tile_element_bytes_;
  std::optional<Staging> staging_;  // for results that are written past the cache
  std::unique_ptr<LineKernel> kernel_;
};

}  // namespace weft
