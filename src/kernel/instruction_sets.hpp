// The instruction sets that kernels are compiled for, by their names in Highway;
// src/CMakeLists.txt has the same list. To be included before Highway's own headers.
#pragma once

#include <hwy/detect_compiler_arch.h>

// Left out are sets that differ from AVX3 (AVX-512) in nothing that an FFT needs; all of them have
// lower bits. SSSE3 is left out because few processors stop at it. The vectors of SVE and RVV are
// left out because they have no fixed size, and kernels keep arrays of vectors. Processors with SVE
// use NEON instead.
#define HWY_DISABLED_TARGETS \
  ((HWY_AVX3 - 1) | HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

// Other architectures have only the set that their compiler was told to use.
#if !HWY_ARCH_X86 && !HWY_ARCH_ARM && !defined(HWY_COMPILE_ONLY_STATIC)
#define HWY_COMPILE_ONLY_STATIC
#endif
