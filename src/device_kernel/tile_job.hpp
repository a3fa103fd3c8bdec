// What a launch of a kernel works on, as plain data in the device's memory: boxes of lines, and
// where the elements of their lines lie.
#pragma once

#include <weft/wire.hpp>

#include "device_kernel/numbers.hpp"
#include "device_kernel/nyquist.hpp"

namespace weft {

/// Axes of a patch besides that of the lines and that across a tile.
inline constexpr int outer_axes = 4;

/// The elements [begin, end) of a line, in one piece of a view.
struct TileSegment {
  int begin = 0;
  int end = 0;
  bool bound = false;         ///< the address is relative to the array that the launch is bound to
  DeviceAddress address = 0;  ///< where element 0 of the patch's first line would be
  Index along = 0;            ///< bytes from an element of a line to the next
  Index across = 0;           ///< from a line of a tile to the next
  Index outer[outer_axes] = {};
};

/// How the modes that a spectrum keeps differ from those of the transform.
struct TileModes {
  Nyquist nyquist = Nyquist::plain;
  int kept = 0;          ///< the position of the mode that stands for two
  int implied = 0;       ///< that of the other one
  bool ellipse = false;  ///< modes outside it are 0: they have larger squares than the line allows
  Index squares = 0;     ///< of the positions, the first one's place in TileJob::squares
  Index allowed = 0;     ///< for the patch's lines, the first one's place

  WEFT_KERNEL bool are_plain() const { return nyquist == Nyquist::plain && !ellipse; }
};

/// How lines lie on one side of a launch, as far as it is known.
enum class TileAccess {
  any,     ///< nothing: each tile says it
  across,  ///< in one piece and as they are: at equal steps from the first element
  along,   ///< the same, and elements of a line are neighbours
};

/// A kernel may be made for less than all launches.
struct TileVariant {
  TileAccess from = TileAccess::any;
  TileAccess to = TileAccess::any;

  friend constexpr bool operator==(const TileVariant&, const TileVariant&) = default;
};

/// Where a patch is read, or where it is written.
struct TileSide {
  int first = 0;             ///< of its segments, which ascend
  int segments = 0;          ///< how many they are
  bool covers = true;        ///< no element is missing; where one is, it is read as 0
  bool along_lines = false;  ///< elements of a line are next to each other; else, lines are
  Wire wire = Wire::exact;   ///< how elements are stored
  TileModes modes = {};

  WEFT_KERNEL TileAccess access() const {
    if (segments != 1 || !covers || wire != Wire::exact || !modes.are_plain())
      return TileAccess::any;
    return along_lines ? TileAccess::along : TileAccess::across;
  }
};

/// A box of lines for all of which the same segments hold. Segments count elements from the patch's
/// first.
struct TilePatch {
  unsigned across = 0;  ///< lines that tiles are cut from
  unsigned extents[outer_axes] = {1, 1, 1, 1};
  unsigned first_tile = 0;  ///< of this patch among all tiles of the launch
  int length = 0;           ///< elements of a line, where it is only copied
  TileSide from;
  TileSide to;
};

/// The most tiles of a launch, which are blocks of threads: devices divide by numbers of 32 bits
/// faster, and start fewer than 2^31 blocks at a time.
inline constexpr Index max_tiles = (Index{1} << 31) - 1;

/// What differs from launch to launch is here; everything else lies in the device's memory already.
struct TileJob {
  // In the device's memory:
  const TilePatch* patches = nullptr;
  const TileSegment* segments = nullptr;
  const void* constants = nullptr;  ///< numbers, as TilePlan says
  const double* squares = nullptr;  ///< of wavenumbers, as TileModes says
  int patch_count = 0;
  bool backward = false;     ///< c2c: with exp(+2 pi i ...)
  Index tiles = 0;           ///< of all patches
  double factor = 1;         ///< of everything written
  DeviceAddress source = 0;  ///< of bound segments that are read
  DeviceAddress target = 0;  ///< of those that are written
};

}  // namespace weft
