// A launch copies a job of some 80 bytes; planning has looked up everything else.
#include "cuda/cuda_launcher.hpp"

#include <algorithm>
#include <new>

#include "cuda/runtime_compiler.hpp"
#include "cuda_kernel/compiled_kernels.hpp"
#include "cuda_kernel/mode_kernels.hpp"

namespace weft {
namespace {

int number_bytes(const TileWork& work) { return work.precision == Precision::double_ ? 16 : 8; }

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  check_cuda(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

TileLimits limits_of(int device) {
  TileLimits limits;
  limits.shared_bytes = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  limits.threads = attribute(cudaDevAttrMaxThreadsPerBlock, device);
  // A register has 4 bytes; half of the registers are for the numbers.
  limits.register_bytes = 2 * attribute(cudaDevAttrMaxRegistersPerBlock, device);
  return limits;
}

/// The kernel that was compiled with the plugin; null if that was not for this device's
/// architecture.
const void* compiled_with_plugin(const TileWork& work) {
  const auto kernels =
      work.precision == Precision::double_ ? compiled_kernels_double() : compiled_kernels_single();
  const auto kernel = std::ranges::find(kernels, work, &CompiledKernel::work);
  if (kernel == kernels.end()) return nullptr;
  cudaFuncAttributes attributes{};
  if (cudaFuncGetAttributes(&attributes, kernel->function) == cudaSuccess) return kernel->function;
  cudaGetLastError();
  return nullptr;
}

}  // namespace

std::shared_ptr<std::byte> allocate_cuda(std::shared_ptr<const CudaContext> context,
                                         std::size_t bytes) {
  const CudaContext::Current current(*context);
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, bytes);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw std::bad_alloc();
  }
  check_cuda(status, "cudaMalloc");
  return {static_cast<std::byte*>(memory), [context = std::move(context)](std::byte* freed) {
            free_on(*context, [&] { cudaFree(freed); });
          }};
}

CudaLauncher::CudaLauncher(std::shared_ptr<const CudaContext> context, const CudaStream& stream,
                           std::shared_ptr<KernelStore> store)
    : context_(std::move(context)),
      stream_(stream),
      store_(std::move(store)),
      limits_(limits_of(context_->number())),
      architecture_(10 * attribute(cudaDevAttrComputeCapabilityMajor, context_->number()) +
                    attribute(cudaDevAttrComputeCapabilityMinor, context_->number())) {}

std::shared_ptr<const void> CudaLauncher::upload(const void* data, std::size_t bytes) {
  std::shared_ptr<const std::byte> memory =
      allocate_cuda(context_, std::max<std::size_t>(bytes, 1));
  const CudaContext::Current current(*context_);
  if (bytes == 0) return memory;
  // cudaMemcpy would use the default stream, for which streams of callers need not wait.
  check_cuda(cudaMemcpyAsync(const_cast<std::byte*>(memory.get()), data, bytes, cudaMemcpyDefault,
                             stream_.get()),
             "cudaMemcpyAsync");
  check_cuda(cudaStreamSynchronize(stream_.get()), "cudaStreamSynchronize");
  return memory;
}

CudaLauncher::Found CudaLauncher::find(const TileWork& work) const {
  if (const void* const kernel = compiled_with_plugin(work)) return {work, kernel, nullptr};
  const std::string cubin = kernel_for(work, architecture_, *store_);
  cudaLibrary_t library = nullptr;
  check_cuda(cudaLibraryLoadData(&library, cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
             "cudaLibraryLoadData");
  std::shared_ptr<void> loaded(library, [context = context_](void* unloaded) {
    free_on(*context, [&] { cudaLibraryUnload(static_cast<cudaLibrary_t>(unloaded)); });
  });
  cudaKernel_t kernel = nullptr;
  check_cuda(cudaLibraryGetKernel(&kernel, library, kernel_name), "cudaLibraryGetKernel");
  return {work, kernel, std::move(loaded)};
}

const void* CudaLauncher::find_kernel(const TileWork& work) {
  const auto known = std::ranges::find(found_, work, &Found::work);
  if (known != found_.end()) return known->kernel;
  const CudaContext::Current current(*context_);
  Found found = find(work);
  check_cuda(cudaFuncSetAttribute(found.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  work.plan.shared_bytes(number_bytes(work))),
             "cudaFuncSetAttribute");
  found_.push_back(std::move(found));
  return found_.back().kernel;
}

void CudaLauncher::launch(const TileLaunch& launch) {
  const CudaContext::Current current(*context_);
  TileJob job = launch.job;
  void* arguments[] = {&job};
  // Blocks of this launch may begin while the last blocks of the launch before still run. They look
  // up their lines, and then wait until that launch has ended.
  cudaLaunchAttribute overlaps{};
  overlaps.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlaps.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(job.tiles));
  config.blockDim = dim3(static_cast<unsigned>(launch.work.plan.threads()));
  config.dynamicSmemBytes =
      static_cast<std::size_t>(launch.work.plan.shared_bytes(number_bytes(launch.work)));
  config.stream = stream_.get();
  config.attrs = &overlaps;
  config.numAttrs = architecture_ >= 90 ? 1 : 0;
  check_cuda(cudaLaunchKernelExC(&config, launch.kernel, arguments), "cudaLaunchKernelExC");
}

void CudaLauncher::launch(const ModeLaunch& launch) {
  const CudaContext::Current current(*context_);
  check_cuda(launch_modes(launch.job, launch.precision, stream_.get()), "cudaLaunchKernel");
}

}  // namespace weft
