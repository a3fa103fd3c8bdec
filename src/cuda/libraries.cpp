// CUDA in the terms of the plugins: names, libraries, and the compiler's options.
#include <cuda_runtime_api.h>

#include "gpu/runtime.hpp"

namespace weft::runtime {

const char* const device_kind = "cuda";
const int dlpack_kind = 2;  // kDLCUDA
const VendorLibrary fft_library{"libcufft.so.12", "cufft", "cuFFT"};
const VendorLibrary message_library{"libnccl.so.2", "nccl", "NCCL"};
const VendorLibrary compiler_library{"libnvrtc.so.13", "nvrtc", "NVRTC"};
const char* const compiled_form = "CUBIN";

static_assert(CUDART_VERSION / 1000 == 13, "the libraries above are those of CUDA 13");

std::vector<std::string> compiler_options(const std::string& architecture) {
  return {"--std=c++20", "--device-as-default-execution-space",
          "--gpu-architecture=" + architecture};
}

}  // namespace weft::runtime
