// Kernels that are compiled while a plan is made. The plugin carries their source as text. NVRTC
// and HIPRTC have the same functions, but for their prefixes.
#pragma once

#include <string>

#include "backend/backend.hpp"

namespace weft {

/// The kernel's name in the compiled program.
inline constexpr const char* kernel_name = "weft_kernel";

/// The kernel for this work, as a program of that architecture ("sm_90", "gfx90a"): from the store,
/// or compiled and kept there. Needs no GPU. Throws an Error if the compiler is not found or
/// reports an error.
std::string compiled_kernel(const TileWork& work, const std::string& architecture,
                            KernelStore& store);

/// The kernel of spectral operators.
std::string compiled_mode_kernel(Precision precision, const std::string& architecture,
                                 KernelStore& store);

}  // namespace weft
