// The instruction sets that line kernels are compiled for, in Highway's words; src/CMakeLists.txt
// has the same list. To be included before Highway's own headers.
#pragma once

#include <hwy/detect_compiler_arch.h>

// Left out are those that differ from AVX3 (AVX-512) in nothing that an FFT needs, all of which
// have lower bits; SSSE3, whose processors are few; and, since tiles are arrays of vectors, the
// sizeless vectors of SVE and RVV: processors with SVE use NEON instead.
#define HWY_DISABLED_TARGETS \
  ((HWY_AVX3 - 1) | HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

// Other architectures have the one set that their compiler was told.
#if !HWY_ARCH_X86 && !HWY_ARCH_ARM && !defined(HWY_COMPILE_ONLY_STATIC)
#define HWY_COMPILE_ONLY_STATIC
#endif
