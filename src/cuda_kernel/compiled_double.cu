// The kernels for numbers of double precision.
#include "cuda_kernel/compiled_kernels.cuh"

namespace weft {

std::span<const CompiledKernel> compiled_kernels_double() { return compiled_kernels<double>(); }

}  // namespace weft
