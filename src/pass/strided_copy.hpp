// Copies one strided box to another with the widest kernel that their strides allow.
#pragma once

#include "pass/copy_kernels.hpp"

namespace weft {

/// Copies `extents` elements from one strided layout to another (strides in bytes). Prefers, in
/// this order: an axis contiguous on both sides (rows), one contiguous on each (transposed), one by
/// one.
struct StridedCopy {
  const CopyKernels* kernels;
  Index source_bytes;  ///< of an element
  Index target_bytes;
  double factor;
  bool stream;

  void operator()(const std::byte* source, const PerAxis<Index>& source_strides, std::byte* target,
                  const PerAxis<Index>& target_strides, const Shape& extents) const;
};

/// Zeroes `extents` elements of a strided layout, and nothing between them.
void fill_with_zeros(std::byte* target, const PerAxis<Index>& strides, const Shape& extents,
                     Index element_bytes);

}  // namespace weft
