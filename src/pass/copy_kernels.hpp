// The two copies that every gather and scatter is made of, in SIMD, for the processor at hand.
#pragma once

#include "pass/view.hpp"

namespace weft {

/// A copy of `rows` contiguous source runs of `columns` elements; strides (of runs) in bytes.
using CopyKernel = void (*)(const std::byte* source, Index source_stride, std::byte* target,
                            Index target_stride, Index rows, Index columns, double factor);

/// The copies of one element type. The `stream` forms write past the caches where alignment allows:
/// for targets that are not read again soon. Call `store_fence` before others may read them.
struct CopyKernels {
  CopyKernel rows;  ///< target[r][c] = source[r][c]
  CopyKernel rows_stream;
  CopyKernel transposed;  ///< target[c][r] = source[r][c]: `columns` runs of `rows` elements
  CopyKernel transposed_stream;
};

/// The kernels for an element type; `scaled` ones multiply by their factor, others ignore it.
CopyKernels copy_kernels(const Element& element, bool scaled);

/// Between two forms of the same element; the factor counts whether `scaled` or not where they
/// differ.
CopyKernels copy_kernels(const Element& from, const Element& to, bool scaled);

/// Makes streamed stores visible before later stores.
void store_fence();

/// The instruction set chosen, "AVX3" for example.
std::string simd_target();

}  // namespace weft
