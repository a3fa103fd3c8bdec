// Which modes of an axis a spectrum holds, and where: every layout of spectra is in kept indices.
#pragma once

#include <vector>
#include <weft/layout.hpp>
#include <weft/transform.hpp>

namespace weft {

/// Kept indices kept ... kept + count - 1 hold the elements mode ... mode + count - 1 of a line.
struct ModeRun {
  Index mode = 0;
  Index kept = 0;
  Index count = 0;
  friend bool operator==(const ModeRun&, const ModeRun&) = default;
};

/// What else a line's highest kept mode stands for.
enum class Nyquist {
  plain,
  split,    ///< +-N/2 of a grid of N points, N even, both of which the longer line has
  doubled,  ///< the same along a halved axis, where -N/2 is implied
  packed    ///< n/2 is the imaginary part of the first element
};

/// The modes of one axis.
struct ModeMap {
  Index line = 0;             ///< elements of a whole line, as the 1-D transform has them
  Index kept = 0;             ///< elements that are held
  std::vector<ModeRun> runs;  ///< ascending
  Nyquist nyquist = Nyquist::plain;

  /// True where all is held as it is.
  bool whole() const { return kept == line && nyquist == Nyquist::plain; }
  /// Elements of an array that has room for those that are dropped.
  Index room() const { return nyquist == Nyquist::packed ? kept : line; }
  /// How many elements below that one are kept.
  Index kept_before(Index element) const;
  friend bool operator==(const ModeMap&, const ModeMap&) = default;
};

/// The modes of an axis; all of it where it is not transformed. Throws where `modes` or `ellipse`
/// ask for modes that the axis does not have.
ModeMap mode_map(const Transform& transform, int axis);

/// mode_map of every axis.
PerAxis<ModeMap> mode_maps(const Transform& transform);

/// The wavenumbers of every axis's kept indices.
PerAxis<std::vector<double>> kept_wavenumbers(const Transform& transform);

/// The wavenumber of an element of a line of the axis.
Index wavenumber_of(const Transform& transform, int axis, Index element);

/// A full layout in kept indices: each rank keeps what lies in its box.
Layout kept_layout(const Layout& full, const PerAxis<ModeMap>& maps);

}  // namespace weft
