// Kernels of any length, compiled while a plan is made. The plugin carries their source as text,
// and is itself compiled from the same source.
#pragma once

#include <string>

#include "backend/backend.hpp"

namespace weft {

/// The kernel's name in the compiled program.
inline constexpr const char* kernel_name = "weft_tiles";

/// The kernel as a cubin for that architecture (90 for compute capability 9.0): from the store,
/// or compiled and kept there. Needs no GPU. Throws an Error if NVRTC is not found or reports
/// an error.
std::string kernel_for(const TileWork& work, int architecture, KernelStore& store);

}  // namespace weft
