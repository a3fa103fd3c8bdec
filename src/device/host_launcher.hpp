// Runs kernels on the host, from the same source as on devices: for tests of kernels, and for
// emulated devices.
#pragma once

#include <functional>

#include "backend/kernel_launcher.hpp"
#include "device_kernel/host_team.hpp"

namespace weft {

/// Runs a launch, tile after tile. `translate`: maps the arrays' addresses; tables lie in the
/// host's memory.
void run_on_host(const TileLaunch& launch, const DeviceTranslation& translate);

class HostLauncher : public KernelLauncher {
 public:
  /// Appends work to a stream.
  using Append = std::function<void(std::function<void()> work)>;

  /// By default addresses are the host's, and launches run at once.
  HostLauncher() = default;
  HostLauncher(DeviceTranslation translate, Append append)
      : translate_(std::move(translate)), append_(std::move(append)) {}

  TileLimits limits() const override { return {}; }
  std::shared_ptr<const void> upload(const void* data, std::size_t bytes) override;
  const void* find_kernel(const TileWork&) override { return nullptr; }
  void launch(const TileLaunch& launch) override;
  const void* find_mode_kernel(Precision) override { return nullptr; }
  void launch(const ModeLaunch& launch) override;

 private:
  DeviceTranslation translate_ = [](DeviceAddress address) {
    return reinterpret_cast<std::byte*>(address);
  };
  Append append_ = [](const std::function<void()>& work) { work(); };
};

}  // namespace weft
