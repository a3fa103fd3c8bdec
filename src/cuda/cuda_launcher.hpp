// Finds kernels, ahead of time or compiled now, and launches them on a stream.
#pragma once

#include <vector>

#include "backend/backend.hpp"
#include "cuda/cuda_stream.hpp"

namespace weft {

/// Memory of the context's device, which may outlive the plan. Throws std::bad_alloc if memory
/// runs out.
std::shared_ptr<std::byte> allocate_cuda(std::shared_ptr<const CudaContext> context,
                                         std::size_t bytes);

class CudaLauncher : public KernelLauncher {
 public:
  CudaLauncher(std::shared_ptr<const CudaContext> context, const CudaStream& stream,
               std::shared_ptr<KernelStore> store);

  TileLimits limits() const override { return limits_; }
  std::shared_ptr<const void> upload(const void* data, std::size_t bytes) override;
  const void* find_kernel(const TileWork& work) override;
  void launch(const TileLaunch& launch) override;
  void launch(const ModeLaunch& launch) override;

 private:
  struct Found {
    TileWork work;
    const void* kernel;
    std::shared_ptr<void> library;  ///< holds the kernel if it was compiled now
  };

  Found find(const TileWork& work) const;

  std::shared_ptr<const CudaContext> context_;
  const CudaStream& stream_;
  std::shared_ptr<KernelStore> store_;
  TileLimits limits_;
  int architecture_ = 0;  // 90 for compute capability 9.0
  std::vector<Found> found_;
};

}  // namespace weft
