// The kernels for numbers of single precision.
#include "cuda_kernel/compiled_kernels.cuh"

namespace weft {

std::span<const CompiledKernel> compiled_kernels_single() { return compiled_kernels<float>(); }

}  // namespace weft
