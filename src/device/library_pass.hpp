// Passes of a device whose lines the device's own FFT library transforms: lines too long for Weft's
// kernels, or all lines at the caller's request. Memory is swept three times instead of once, but
// two of these sweeps find their lines in the cache.
#pragma once

#include <memory>
#include <vector>

#include "backend/kernel_launcher.hpp"
#include "backend/line_library.hpp"
#include "pass/pass.hpp"

namespace weft {

/// Whether the pass transforms lines too long for a block of threads, or was asked to use the
/// library.
bool needs_library(const PassSpec& spec, const TileLimits& limits);

/// Like make_kernel_pass, with the same errors, but for lines of any length. The library must live
/// as long as the pass.
std::unique_ptr<Pass> make_library_pass(PassParts parts, KernelLauncher& launcher,
                                        LineLibrary& library);

}  // namespace weft
