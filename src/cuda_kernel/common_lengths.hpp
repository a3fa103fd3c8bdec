// The lengths of lines for which kernels are compiled together with the plugin, for both precisions
// and for c2c, r2c and c2r. All others are compiled when a plan asks for them, which takes a second
// or two, once. Each length takes about half a minute of compiling, for three architectures.
#pragma once

namespace weft {

inline constexpr int common_lengths[] = {64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048};

}  // namespace weft
