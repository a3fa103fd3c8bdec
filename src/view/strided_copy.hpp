// Copies one strided box to another with the widest kernel that their strides allow.
#pragma once

#include "view/copy_kernels.hpp"

namespace weft {

/// Copies `extents` elements from one strided layout to another (strides in bytes). In order of
/// preference: rows, if an axis is contiguous on both sides; a transpose, if each side has a
/// contiguous axis; single elements.
struct StridedCopy {
  const CopyKernels* kernels;
  Index source_bytes;  ///< of an element
  Index target_bytes;
  double factor;
  bool stream;

  void operator()(const std::byte* source, const PerAxis<Index>& source_strides, std::byte* target,
                  const PerAxis<Index>& target_strides, const Shape& extents) const;
};

/// Sets `extents` elements of a strided layout to zero, without touching the gaps between them.
void fill_with_zeros(std::byte* target, const PerAxis<Index>& strides, const Shape& extents,
                     Index element_bytes);

}  // namespace weft
