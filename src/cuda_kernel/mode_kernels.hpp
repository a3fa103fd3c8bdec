// The kernel of spectral operators that is compiled together with the plugin.
#pragma once

namespace weft {

/// For cudaLaunchKernel.
const void* compiled_mode_kernel(bool is_double);

}  // namespace weft
