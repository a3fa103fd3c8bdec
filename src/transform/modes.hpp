// Which modes of an axis a spectrum holds, and where. Layouts of spectra count kept indices, so
// most code need not handle dropped modes.
#pragma once

#include <vector>
#include <weft/layout.hpp>
#include <weft/transform.hpp>

#include "device_kernel/nyquist.hpp"

namespace weft {

/// Elements mode, mode + step, ... of a line, `count` of them, which the kept indices kept to
/// kept + count - 1 hold.
struct ModeRun {
  Index mode = 0;
  Index kept = 0;
  Index count = 0;
  Index step = 1;  ///< above 1 only where cyclic parts of the line lie one behind the other
  friend bool operator==(const ModeRun&, const ModeRun&) = default;
};

/// The modes of one axis.
struct ModeMap {
  Index line = 0;             ///< elements of a whole line, as the 1-D transform sees it
  Index kept = 0;             ///< elements that the spectrum holds
  std::vector<ModeRun> runs;  ///< ascending
  Nyquist nyquist = Nyquist::plain;

  /// Whether the spectrum holds the elements of the line in another order: all of them, dealt out
  /// to cyclic parts.
  bool is_dealt() const { return !runs.empty() && runs.front().step > 1; }
  /// Whether the spectrum holds the whole line unchanged.
  bool whole() const { return kept == line && nyquist == Nyquist::plain && !is_dealt(); }
  /// Elements along this axis of an array that has room for the dropped modes.
  Index room() const { return nyquist == Nyquist::packed ? kept : line; }
  /// How many elements below `element` are kept.
  Index kept_before(Index element) const;
  friend bool operator==(const ModeMap&, const ModeMap&) = default;
};

/// The two elements of a whole line that one kept mode stands for; they are equal if the line has
/// only one of them.
struct NyquistPair {
  Index kept = 0;
  Index implied = 0;
};

/// The pair of an axis whose `nyquist` is not Nyquist::plain.
NyquistPair nyquist_pair(const ModeMap& modes);

/// The modes of an axis; all indices if it is not transformed. Throws if `modes` or `ellipse` ask
/// for modes that the axis does not have.
ModeMap mode_map(const Transform& transform, int axis);

PerAxis<ModeMap> mode_maps(const Transform& transform);

/// The wavenumbers of the kept indices of every axis.
PerAxis<std::vector<double>> kept_wavenumbers(const Transform& transform);

/// The wavenumber of an element of a whole line along the axis.
Index wavenumber_of(const Transform& transform, int axis, Index element);

/// Converts a layout of whole lines to kept indices: each rank keeps the kept modes in its box.
Layout kept_layout(const Layout& full, const PerAxis<ModeMap>& maps);

}  // namespace weft
