// The pretended runtime notices broken rules; if it did not, the tests of the plugin on it would
// show less than they say.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "device_kernel/mode_kernel.hpp"

extern "C" void __cudaRegisterFunction(void**, const char*, char*, const char*, int, void*, void*,
                                       void*, void*, int*);
extern "C" cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, size_t, cudaStream_t);

namespace {

template <class Function>
Function driver_function(const char* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status{};
  cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &status);
  return reinterpret_cast<Function>(found);
}

/// Runs with a current context of device 0.
class PretendedCuda : public testing::Test {
 protected:
  PretendedCuda() {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    CUcontext context = nullptr;
    driver_function<decltype(&cuDevicePrimaryCtxRetain)>("cuDevicePrimaryCtxRetain")(&context, 0);
    driver_function<decltype(&cuCtxPushCurrent)>("cuCtxPushCurrent")(context);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    void* allocated = nullptr;
    cudaMalloc(&allocated, bytes);
    memory = static_cast<std::byte*>(allocated);
  }
  ~PretendedCuda() override {
    cudaStreamDestroy(stream);
    pop();
  }
  static void pop() {
    CUcontext popped = nullptr;
    driver_function<decltype(&cuCtxPopCurrent)>("cuCtxPopCurrent")(&popped);
  }
  void copy(void* to, const void* from, std::size_t size) {
    cudaMemcpyAsync(to, from, size, cudaMemcpyDefault, stream);
  }
  /// An operator on one number at that address.
  void launch(std::byte* at, unsigned threads = 256, std::size_t shared = 0) {
    static const char function = 0;
    __cudaRegisterFunction(nullptr, &function, nullptr, "run_modes<double>", 0, nullptr, nullptr,
                           nullptr, nullptr, nullptr);
    void* kappa = nullptr;
    cudaMalloc(&kappa, sizeof(double));
    const double zero = 0;
    copy(kappa, &zero, sizeof zero);
    weft::ModeJob job;
    job.modes = job.axes = 1;
    job.extents[0] = 1;
    job.kappas = static_cast<const double*>(kappa);
    job.from[0] = job.to[0] = reinterpret_cast<weft::DeviceAddress>(at);
    void* arguments[] = {&job};
    auto* const kernel = reinterpret_cast<cudaKernel_t>(const_cast<char*>(&function));
    __cudaLaunchKernel(kernel, dim3(1), dim3(threads), arguments, shared, stream);
    cudaStreamSynchronize(stream);
  }

  static constexpr std::size_t bytes = 4096;
  cudaStream_t stream = nullptr;
  std::byte* memory = nullptr;
  char host[64] = {};
};

TEST_F(PretendedCuda, RulesThatAreKept) {
  char back[sizeof host] = {};
  std::strcpy(host, "weft");
  copy(memory, host, sizeof host);
  copy(back, memory, sizeof back);
  EXPECT_STREQ(back, host);
  launch(memory);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

TEST_F(PretendedCuda, CallsHaveAContext) {
  void* more = nullptr;
  EXPECT_DEATH((pop(), cudaMalloc(&more, 1)), "cudaMalloc: .*a context is current");
  EXPECT_DEATH((pop(), pop()), "cuCtxPopCurrent: .*a context is current");
}

TEST_F(PretendedCuda, MemoryExistsWhileItIsUsed) {
  EXPECT_DEATH((cudaFree(memory), copy(memory, host, 1)), "exists when it is used");
  EXPECT_DEATH((cudaFree(memory), launch(memory)), "the memory that it uses exists");
  EXPECT_DEATH(copy(memory, host, bytes + 1), "all bytes lie in one allocation");
  EXPECT_DEATH(cudaFree(memory + 256), "cudaFree: .*begins memory");
  EXPECT_DEATH(cudaFreeHost(memory), "cudaFreeHost: .*a matching call");
}

TEST_F(PretendedCuda, KernelsUseNoPageableMemory) {
  EXPECT_DEATH(launch(reinterpret_cast<std::byte*>(host)), "a kernel: .*exists");
}

TEST_F(PretendedCuda, OtherProcessesOpenWholeAllocations) {
  cudaIpcMemHandle_t handle{};
  EXPECT_DEATH(cudaIpcGetMemHandle(&handle, memory + 256), "begins memory");
  cudaIpcGetMemHandle(&handle, memory);
  void* opened = nullptr;
  EXPECT_DEATH(cudaIpcOpenMemHandle(&opened, handle, cudaIpcMemLazyEnablePeerAccess),
               "another process has made the memory");
}

TEST_F(PretendedCuda, LaunchesKeepLimits) {
  EXPECT_DEATH(launch(memory, 1025), "between 1 and 1024 threads");
  EXPECT_DEATH(launch(memory, 256, (48 << 10) + 1), "that much shared memory");
  EXPECT_DEATH(launch(memory + 8), "aligned to their size");
  EXPECT_DEATH(cudaFuncSetAttribute(memory, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20),
               "at most 227 KiB");
}

TEST_F(PretendedCuda, EventsAreRecordedBefore) {
  cudaEvent_t event = nullptr;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  EXPECT_DEATH(cudaEventQuery(event), "recorded before");
  EXPECT_DEATH(cudaStreamWaitEvent(stream, event, 0), "recorded before");
  EXPECT_DEATH((cudaEventDestroy(event), cudaEventQuery(event)), "the event exists");
}

TEST_F(PretendedCuda, WorkIsLate) {
  cudaEvent_t event = nullptr;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  void* pinned = nullptr;
  cudaHostAlloc(&pinned, 1, cudaHostAllocDefault);
  auto* const byte = static_cast<unsigned char*>(pinned);
  *byte = 7;
  cudaMemsetAsync(memory, 1, bytes, stream);
  copy(pinned, memory, 1);
  cudaEventRecord(event, stream);
  EXPECT_EQ(*byte, 7);
  EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
  EXPECT_EQ(cudaGetLastError(), cudaErrorNotReady);
  cudaStreamSynchronize(stream);
  EXPECT_EQ(cudaEventQuery(event), cudaSuccess);
  EXPECT_EQ(*byte, 1);
}

}  // namespace
