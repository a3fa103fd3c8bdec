// The entry of the kernel of spectral operators on a GPU: threads take modes in turn.
#pragma once

#include "device_kernel/mode_kernel.hpp"
#ifdef WEFT_ON_DEVICE
#include "device_kernel/device_team.hpp"
#endif

namespace weft {

inline constexpr unsigned mode_threads = 256;  ///< of a block

constexpr unsigned mode_blocks(Index modes) {
  constexpr Index most = Index{1} << 20;
  const Index blocks = (modes + mode_threads - 1) / mode_threads;
  return static_cast<unsigned>(blocks < most ? blocks : most);
}

#ifdef WEFT_ON_DEVICE
template <class Real>
__device__ __forceinline__ void run_modes_in_turn(const ModeJob& job) {
  const DeviceTeam team(nullptr);
  const Index step = static_cast<Index>(gridDim.x) * mode_threads;
  for (Index mode = static_cast<Index>(blockIdx.x) * mode_threads + threadIdx.x; mode < job.modes;
       mode += step)
    run_mode<Real>(team, job, mode);
}
#endif

}  // namespace weft
