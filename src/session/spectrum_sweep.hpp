// Calls a function for every line of kept modes of spectra in arrays. It serves functions that need
// several fields, because a pass has only one in its tile.
#pragma once

#include <span>
#include <vector>
#include <weft/layout.hpp>
#include <weft/spectrum.hpp>

namespace weft {

class SpectrumSweep {
 public:
  /// For this rank's part of a spectrum with this layout.
  SpectrumSweep(const Transform& transform, const Layout& layout, int rank, Index element_bytes);

  /// `fields`: arrays in the layout, changed in place, by `threads` threads. An exception of the
  /// function in any thread is thrown here.
  void run(std::span<void* const> fields, const RawFieldsFunction& function, int threads) const;

 private:
  /// Neighbouring kept indices of the line's axis, in this rank's box.
  struct Stretch {
    Index begin = 0;
    Index count = 0;
  };

  void run_line(std::span<void* const> fields, const RawFieldsFunction& function, Index line) const;
  void call(std::span<void* const> fields, Index offset, const Stretch& stretch,
            const PerAxis<double>& at, const RawFieldsFunction& function) const;

  Index element_bytes_;
  int axis_ = 0;  ///< along which lines lie: the fastest in memory
  Point lower_;
  PerAxis<Index> strides_;
  PerAxis<std::vector<double>> wavenumbers_;  // by coordinate of boxes
  PerAxis<std::vector<Index>> kept_;  // indices in this rank's box; one entry along the lines
  std::vector<Stretch> stretches_;
};

}  // namespace weft
