// The lengths of lines whose kernels are compiled together with the plugin, for both precisions
// and for c2c, r2c and c2r. Each length takes about half a minute of compiling, for three
// architectures. Kernels of other lengths are compiled when a plan first needs them, in a second
// or two.
#pragma once

namespace weft {

inline constexpr int common_lengths[] = {64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048};

}  // namespace weft
