// The place of one tile's lines: finds a tile's patch by its number, and addresses of elements.
#pragma once

#include "device_kernel/tile_job.hpp"

namespace weft {

/// The place of a tile among the patches of a launch.
struct TilePlace {
  const TilePatch* patch = nullptr;
  int lines = 0;            ///< of this tile; fewer than usual at the end of a patch
  unsigned first_line = 0;  ///< across
  unsigned outer[outer_axes] = {};

  WEFT_KERNEL TilePlace(const TileJob& job, unsigned tile, unsigned tile_lines) {
    int begin = 0, end = job.patch_count;
    while (end - begin > 1) {
      const int middle = (begin + end) / 2;
      (job.patches[middle].first_tile <= tile ? begin : end) = middle;
    }
    patch = job.patches + begin;
    const unsigned strips = (patch->across + tile_lines - 1) / tile_lines;
    unsigned rest = divided(tile - patch->first_tile, strips, first_line);
    first_line *= tile_lines;
    WEFT_UNROLL
    for (int axis = outer_axes - 1; axis >= 0; --axis)
      rest = divided(rest, patch->extents[axis], outer[axis]);
    const unsigned left = patch->across - first_line;
    lines = static_cast<int>(left < tile_lines ? left : tile_lines);
  }

  /// A line's number among all lines of the patch.
  WEFT_KERNEL Index line_number(int line) const {
    Index number = 0;
    WEFT_UNROLL
    for (int axis = outer_axes - 1; axis >= 0; --axis)
      number = number * patch->extents[axis] + outer[axis];
    return number * patch->across + first_line + line;
  }

 private:
  /// Few axes have more than one index, and divisions take long.
  static WEFT_KERNEL unsigned divided(unsigned a, unsigned b, unsigned& remainder) {
    remainder = 0;
    if (b == 1) return a;
    remainder = a % b;
    return a / b;
  }
};

/// Addresses of one side of a tile, and the form of its elements. Registers keep its data and the
/// segment that was used last: most lines have one segment, and a thread asks for elements in
/// ascending order.
class TileElements {
 public:
  WEFT_KERNEL TileElements(const TileSegment* segments, const TileSide& side,
                           const TilePlace& place, DeviceAddress bound)
      : segments_(segments + side.first),
        count_(side.segments),
        place_(place),
        bound_(bound),
        wire_(side.wire),
        modes_are_plain_(side.modes.are_plain()) {
    if (count_ > 0) use(segments_[0]);
  }

  /// Whether an element of a line is stored anywhere.
  WEFT_KERNEL bool has(int position) {
    if (position < begin_ || position >= end_) find(position);
    return position >= begin_ && position < end_;
  }
  /// Whether an element and the next one are stored in the same segment.
  WEFT_KERNEL bool has_pair(int position) { return has(position) && position + 1 < end_; }
  /// The address of a stored element. The first segment gives addresses for any position.
  WEFT_KERNEL DeviceAddress address(int position, int line) const {
    return first_ + static_cast<DeviceAddress>(position * along_ + line * across_);
  }
  /// Bytes from an element to the next in the same segment.
  WEFT_KERNEL Index along() const { return along_; }
  /// Whether the tile's lines begin at multiples of `bytes`, which is a power of two.
  WEFT_KERNEL bool begins_at_multiples_of(DeviceAddress bytes) const {
    return (first_ | static_cast<DeviceAddress>(across_)) % bytes == 0;
  }
  WEFT_KERNEL Wire wire() const { return wire_; }
  WEFT_KERNEL bool modes_are_plain() const { return modes_are_plain_; }

 private:
  WEFT_KERNEL void use(const TileSegment& segment) {
    begin_ = segment.begin;
    end_ = segment.end;
    along_ = segment.along;
    across_ = segment.across;
    Index offset = place_.first_line * across_;
    WEFT_UNROLL
    for (int axis = 0; axis < outer_axes; ++axis)
      if (place_.outer[axis] != 0) offset += place_.outer[axis] * segment.outer[axis];
    first_ = segment.address + (segment.bound ? bound_ : 0) + static_cast<DeviceAddress>(offset);
  }
  /// Takes the last segment that begins at or before the position.
  WEFT_KERNEL void find(int position) {
    if (count_ < 2) return;
    int begin = 0, end = count_;
    while (end - begin > 1) {
      const int middle = (begin + end) / 2;
      (segments_[middle].begin <= position ? begin : end) = middle;
    }
    use(segments_[begin]);
  }

  const TileSegment* segments_;
  int count_;
  const TilePlace& place_;
  DeviceAddress bound_;
  Wire wire_;
  bool modes_are_plain_;
  int begin_ = 0;
  int end_ = 0;
  DeviceAddress first_ = 0;  // of element 0 of the tile's first line
  Index along_ = 0;
  Index across_ = 0;
};

}  // namespace weft
