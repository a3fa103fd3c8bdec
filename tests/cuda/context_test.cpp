// How long contexts of GPUs are kept, with a driver that is pretended.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "gpu/runtime.hpp"

namespace {

/// A driver of two devices. As the real one, it destroys a context with its last reference.
struct PretendedDriver {
  int references[2] = {};
  int made = 0;
  std::vector<CUcontext> current;

  CUcontext context_of(CUdevice device) { return reinterpret_cast<CUcontext>(references + device); }
};
PretendedDriver driver;

CUresult get_device(CUdevice* device, int number) {
  *device = number;
  return CUDA_SUCCESS;
}
CUresult retain(CUcontext* context, CUdevice device) {
  driver.made += driver.references[device]++ == 0;
  *context = driver.context_of(device);
  return CUDA_SUCCESS;
}
CUresult release(CUdevice device) {
  --driver.references[device];
  return CUDA_SUCCESS;
}
CUresult push(CUcontext context) {
  driver.current.push_back(context);
  return CUDA_SUCCESS;
}
CUresult pop(CUcontext* context) {
  *context = driver.current.back();
  driver.current.pop_back();
  return CUDA_SUCCESS;
}
CUresult text_of(CUresult, const char** text) {
  *text = "pretended";
  return CUDA_SUCCESS;
}

template <class Function>
void* address_of(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

extern "C" {

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** found, unsigned,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* status) {
  struct Entry {
    const char* name;
    void* function;
  };
  const Entry entries[] = {{"cuDeviceGet", address_of(get_device)},
                           {"cuDevicePrimaryCtxRetain", address_of(retain)},
                           {"cuDevicePrimaryCtxRelease", address_of(release)},
                           {"cuCtxPushCurrent", address_of(push)},
                           {"cuCtxPopCurrent", address_of(pop)},
                           {"cuGetErrorString", address_of(text_of)}};
  *status = cudaDriverEntryPointSymbolNotFound;
  for (const Entry& entry : entries) {
    if (std::strcmp(entry.name, name) != 0) continue;
    *found = entry.function;
    *status = cudaDriverEntryPointSuccess;
  }
  return cudaSuccess;
}
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorString(cudaError_t) { return "pretended"; }
}

namespace weft {
namespace {

TEST(GpuContext, IsMadeOncePerDevice) {
  for (int plan = 0; plan < 3; ++plan)
    for (const int number : {0, 1}) GpuContext context(number);
  EXPECT_EQ(driver.made, 2);
  EXPECT_GT(driver.references[0], 0);
  EXPECT_GT(driver.references[1], 0);
}

TEST(GpuContext, IsTheThreadsUntilTheCallEnds) {
  const GpuContext context(1);
  {
    const GpuContext::Current current(context);
    EXPECT_EQ(driver.current, std::vector{driver.context_of(1)});
  }
  EXPECT_TRUE(driver.current.empty());
}

}  // namespace
}  // namespace weft
