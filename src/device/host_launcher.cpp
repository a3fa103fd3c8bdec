// Any length runs from the same code, since the plan is a variable here.
#include "device/host_launcher.hpp"

#include <cstring>

#include "device_kernel/tile_kernel.hpp"
#include "machine/aligned_buffer.hpp"

namespace weft {
namespace {

template <class Real>
void run_tiles(const TileLaunch& launch, const DeviceTranslation& translate) {
  const VariablePlan plan{launch.work.plan, launch.work.variant};
  const HostTeam team(plan.value.threads(), plan.value.shared_bytes(sizeof(Number<Real>)),
                      translate);
  for (unsigned tile = 0; tile < launch.job.tiles; ++tile)
    TileKernel<Real, VariablePlan, HostTeam>(team, plan, launch.job, tile).run();
}

template <class Real>
void run_modes(const ModeLaunch& launch, const DeviceTranslation& translate) {
  const HostTeam team(1, 0, translate);
  for (Index mode = 0; mode < launch.job.modes; ++mode) run_mode<Real>(team, launch.job, mode);
}

}  // namespace

void run_on_host(const TileLaunch& launch, const DeviceTranslation& translate) {
  if (launch.work.precision == Precision::double_)
    run_tiles<double>(launch, translate);
  else
    run_tiles<float>(launch, translate);
}

std::shared_ptr<const void> HostLauncher::upload(const void* data, std::size_t bytes) {
  const auto copy = std::make_shared<AlignedBuffer>(bytes);
  if (bytes > 0) std::memcpy(copy->data(), data, bytes);
  return {copy, copy->data()};
}

void HostLauncher::launch(const TileLaunch& launch) {
  append_([launch, translate = translate_] { run_on_host(launch, translate); });
}

void HostLauncher::launch(const ModeLaunch& launch) {
  append_([launch, translate = translate_] {
    if (launch.precision == Precision::double_)
      run_modes<double>(launch, translate);
    else
      run_modes<float>(launch, translate);
  });
}

}  // namespace weft
