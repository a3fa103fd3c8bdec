// The kernels that are compiled together with the plugin, for all its architectures.
#pragma once

#include <span>

#include "backend/kernel_launcher.hpp"

namespace weft {

struct CompiledKernel {
  TileWork work;
  const void* function;  ///< for cudaLaunchKernel
};

std::span<const CompiledKernel> compiled_kernels_double();
std::span<const CompiledKernel> compiled_kernels_single();

}  // namespace weft
