// The data of a kernel's launch, as plain data in the device's memory: boxes of lines, and the
// addresses of their elements.
#pragma once

#include <weft/wire.hpp>

#include "device_kernel/numbers.hpp"
#include "device_kernel/nyquist.hpp"

namespace weft {

/// Axes of a patch besides the axis of the lines and the axis across a tile.
inline constexpr int outer_axes = 4;

/// The elements [begin, end) of a line, in one piece of a view.
struct TileSegment {
  int begin = 0;
  int end = 0;
  bool bound = false;         ///< the address is relative to the array that the launch is bound to
  DeviceAddress address = 0;  ///< of element 0 of the patch's first line, if the segment had it
  Index along = 0;            ///< bytes from an element of a line to the next
  Index across = 0;           ///< from a line of a tile to the next
  Index outer[outer_axes] = {};
};

/// The differences between kept modes and the values of the transform, and between their places.
struct TileModes {
  Nyquist nyquist = Nyquist::plain;
  int kept = 0;          ///< the position of the mode that stands for two
  int implied = 0;       ///< the position of the other mode
  bool ellipse = false;  ///< modes outside it are 0: they have larger squares than the line allows
  Index squares = 0;     ///< of the positions, the first one's place in TileJob::squares
  Index allowed = 0;     ///< for the patch's lines, the first one's place
  int classes = 1;       ///< positions lie in the order of their remainder by this number
  bool twiddle = false;  ///< modes are multiplied by a factor of each line, see Twiddle in src/pass
  Index coarse = 0;   ///< rows of factors, one for `fine` lines: the first one's place in squares
  Index fine = 0;     ///< rows of factors of the lines after the first of these
  int fine_rows = 1;  ///< their number
  Index rows = 0;     ///< for the patch's lines, their numbers: the first one's place

  WEFT_KERNEL bool are_plain() const {
    return nyquist == Nyquist::plain && !ellipse && classes == 1 && !twiddle;
  }
};

/// The position of lines in memory on one side of a launch.
enum class TileAccess {
  any,     ///< unknown: each tile says it
  across,  ///< in one piece, without a wire form: at equal steps from the first element
  along,   ///< the same, and elements of a line are neighbours
};

/// A kernel may be made for less than all launches.
struct TileVariant {
  TileAccess from = TileAccess::any;
  TileAccess to = TileAccess::any;

  friend constexpr bool operator==(const TileVariant&, const TileVariant&) = default;
};

/// The elements of a patch on one side, in the source or in the target.
struct TileSide {
  int first = 0;             ///< of its segments, which ascend
  int segments = 0;          ///< their number
  bool covers = true;        ///< no element is missing; missing elements are read as 0
  bool along_lines = false;  ///< elements of a line are next to each other; else, lines are
  Wire wire = Wire::exact;   ///< how elements are stored
  TileModes modes = {};

  WEFT_KERNEL TileAccess access() const {
    if (segments != 1 || !covers || wire != Wire::exact || !modes.are_plain())
      return TileAccess::any;
    return along_lines ? TileAccess::along : TileAccess::across;
  }
};

/// A box of lines that have the same segments. Segments count elements from the patch's first one.
struct TilePatch {
  unsigned across = 0;  ///< lines that tiles are cut from
  unsigned extents[outer_axes] = {1, 1, 1, 1};
  unsigned first_tile = 0;  ///< of this patch among all tiles of the launch
  int length = 0;           ///< elements of a line that is only copied
  TileSide from;
  TileSide to;
};

/// The most tiles, or blocks of threads, of a launch. Devices divide by 32-bit numbers faster, and
/// start fewer than 2^31 blocks at a time.
inline constexpr Index max_tiles = (Index{1} << 31) - 1;

/// The data that differ from launch to launch; all other data lie in the device's memory already.
struct TileJob {
  // In the device's memory:
  const TilePatch* patches = nullptr;
  const TileSegment* segments = nullptr;
  const void* constants = nullptr;  ///< see TilePlan
  const double* squares = nullptr;  ///< of wavenumbers, and factors; see TileModes
  int patch_count = 0;
  bool backward = false;     ///< c2c: with exp(+2 pi i ...)
  Index tiles = 0;           ///< of all patches
  double factor = 1;         ///< of all results
  DeviceAddress source = 0;  ///< of bound segments that are read
  DeviceAddress target = 0;  ///< of bound segments that are written
};

}  // namespace weft
