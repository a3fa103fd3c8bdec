// Modes that stand for two. Kernels include this file, so it includes nothing.
#pragma once

namespace weft {

/// Whether a kept mode of a line also stands for another one.
enum class Nyquist {
  plain,
  split,    ///< the highest is +N/2 and -N/2 of a grid of N points, N even; the line has both
  doubled,  ///< the same along a halved axis, where -N/2 is implied
  packed    ///< the imaginary part of the first element holds mode n/2
};

}  // namespace weft
