// Finds kernels, ahead of time or compiled now, and launches them on a stream.
#pragma once

#include <vector>

#include "backend/backend.hpp"
#include "gpu/gpu_stream.hpp"

namespace weft {

/// Memory of the context's device, which may outlive the plan. Throws std::bad_alloc if memory
/// runs out.
std::shared_ptr<std::byte> allocate_on(std::shared_ptr<const GpuContext> context,
                                       std::size_t bytes);

class GpuLauncher : public KernelLauncher {
 public:
  GpuLauncher(std::shared_ptr<const GpuContext> context, const GpuStream& stream,
              std::shared_ptr<KernelStore> store);

  TileLimits limits() const override { return limits_; }
  std::shared_ptr<const void> upload(const void* data, std::size_t bytes) override;
  const void* find_kernel(const TileWork& work) override;
  const void* find_mode_kernel(Precision precision) override;
  void launch(const TileLaunch& launch) override;
  void launch(const ModeLaunch& launch) override;

 private:
  struct Found {
    TileWork work;
    runtime::LoadedKernel loaded;
  };

  runtime::LoadedKernel find(const TileWork& work) const;

  std::shared_ptr<const GpuContext> context_;
  const GpuStream& stream_;
  std::shared_ptr<KernelStore> store_;
  TileLimits limits_;
  bool overlaps_;
  std::string architecture_;
  std::vector<Found> found_;
  runtime::LoadedKernel modes_[2];  // by precision, once an operator has been planned
};

}  // namespace weft
