// Kernels of any length, compiled when a plan is made from the same source as those that are
// compiled with the plugin, which it carries as text.
#pragma once

#include <string>

#include "backend/backend.hpp"

namespace weft {

/// The kernel's name in what is compiled here.
inline constexpr const char* kernel_name = "weft_tiles";

/// The kernel as a cubin for that architecture (90 for compute capability 9.0): from the store, or
/// compiled and kept there. It needs no GPU. Throws an Error where NVRTC is not found
/// or reports an error.
std::string kernel_for(const TileWork& work, int architecture, KernelStore& store);

}  // namespace weft
