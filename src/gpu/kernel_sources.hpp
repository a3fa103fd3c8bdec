// The headers that a kernel is compiled from, as text. CMake makes the definition from the files
// (embed_sources.cmake).
#pragma once

#include <span>

namespace weft {

struct KernelSource {
  const char* name;  ///< as it is included
  const char* text;
};

std::span<const KernelSource> kernel_sources();

}  // namespace weft
