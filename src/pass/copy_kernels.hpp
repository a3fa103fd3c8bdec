// The two copies that every gather and scatter is made of, in SIMD, for the processor at hand.
#pragma once

#include "pass/view.hpp"

namespace weft {

/// Copies `rows` runs of `columns` elements; strides in bytes; runs contiguous on both sides.
using CopyRows = void (*)(const std::byte* source, Index source_stride, std::byte* target,
                          Index target_stride, Index rows, Index columns, double factor);

/// target[c][r] = source[r][c]: `rows` contiguous source runs of `columns` elements become
/// `columns` contiguous target runs of `rows` elements; strides (of runs) in bytes. The bytes at
/// `prefetch` bytes beyond each source element are fetched meanwhile (0: none).
using CopyTransposed = void (*)(const std::byte* source, Index source_stride, std::byte* target,
                                Index target_stride, Index rows, Index columns, double factor,
                                Index prefetch);

/// The copies of one element type. The `stream` forms write past the caches where alignment allows:
/// for targets that are not read again soon. Call `store_fence` before others may read them.
struct CopyKernels {
  CopyRows rows;
  CopyRows rows_stream;
  CopyTransposed transposed;
  CopyTransposed transposed_stream;
};

/// The kernels for an element type; `scaled` ones multiply by their factor, others ignore it.
CopyKernels copy_kernels(const Element& element, bool scaled);

/// Makes streamed stores visible before later stores.
void store_fence();

/// The instruction set chosen, "AVX3" for example.
std::string simd_target();

}  // namespace weft
