// The two SIMD copies that every gather and scatter consists of: two-dimensional only, so that few
// kernels serve all strides.
#pragma once

#include "view/view.hpp"

namespace weft {

/// Copies `rows` contiguous source runs of `columns` elements; strides between runs are in bytes.
using CopyKernel = void (*)(const std::byte* source, Index source_stride, std::byte* target,
                            Index target_stride, Index rows, Index columns, double factor);

/// The copies of one element type. The `stream` forms bypass the caches where alignment allows, for
/// targets that are not read again soon. Call `store_fence` before other threads or ranks read
/// them.
struct CopyKernels {
  CopyKernel rows;  ///< target[r][c] = source[r][c]
  CopyKernel rows_stream;
  CopyKernel transposed;  ///< target[c][r] = source[r][c]: `columns` runs of `rows` elements
  CopyKernel transposed_stream;
};

/// Whether copies multiply by their factor; if not, they ignore it.
enum class Scaling { none, by_factor };

/// The kernels for an element type. Elements that are no numbers have no factor.
CopyKernels copy_kernels(const Element& element, Scaling scaling);

/// Kernels between two wire forms of the same element. If the forms differ, the kernels always
/// apply the factor.
CopyKernels copy_kernels(const Element& from, const Element& to, Scaling scaling);

/// Makes streamed stores visible before later stores.
void store_fence();

/// The instruction set chosen, for example "AVX3".
std::string simd_target();

}  // namespace weft
