// HIP in the terms of the plugins: names, libraries, and the compiler's options.
#include "gpu/runtime.hpp"
#include "hip/hip_call.hpp"

namespace weft::runtime {

const char* const device_kind = "hip";
const int dlpack_kind = 10;  // kDLROCM
const VendorLibrary fft_library{"libhipfft.so.0", "hipfft", "hipFFT"};
const VendorLibrary message_library{"librccl.so.1", "nccl", "RCCL"};
// HIPRTC became a library of its own with ROCm 6.
#if HIP_VERSION_MAJOR < 6
const VendorLibrary compiler_library{"libamdhip64.so.5", "hiprtc", "HIPRTC"};
#elif HIP_VERSION_MAJOR == 6
const VendorLibrary compiler_library{"libhiprtc.so.6", "hiprtc", "HIPRTC"};
#else
const VendorLibrary compiler_library{"libhiprtc.so.7", "hiprtc", "HIPRTC"};
#endif
const char* const compiled_form = "Code";

std::vector<std::string> compiler_options(const std::string& architecture) {
  return {"-std=c++20", "-O3", "--offload-arch=" + architecture};
}

}  // namespace weft::runtime
