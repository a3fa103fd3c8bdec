// The entry of the kernel on a GPU, one block of threads for each tile. nvcc compiles it ahead of
// time, NVRTC while a plan is made.
#pragma once

#include "device_kernel/device_team.hpp"
#include "device_kernel/tile_kernel.hpp"

namespace weft {

/// The number of blocks that a multiprocessor should hold, so that some move data while others
/// compute. It leaves a thread twice the registers of its numbers, at least 32 more than these, and
/// at least 48. A multiprocessor has 64 Ki registers, 2048 threads and 228 KiB of shared memory; a
/// block takes one KiB more of it than it asks for.
constexpr int resident_blocks(const TilePlan& plan, int number_bytes) {
  const int words = plan.held * number_bytes / 4;
  const int wanted = words > 32 ? 2 * words : words + 32, registers = wanted > 48 ? wanted : 48;
  const int by_registers = (64 << 10) / (registers * plan.threads());
  const int by_memory = (228 << 10) / (plan.shared_bytes(number_bytes) + (1 << 10));
  const int by_threads = 2048 / plan.threads();
  int blocks = by_registers < by_memory ? by_registers : by_memory;
  blocks = blocks < by_threads ? blocks : by_threads;
  constexpr int enough = 8;
  if (blocks > enough) return enough;
  return blocks > 1 ? blocks : 1;
}

/// From compute capability 9.0 on, a launch may begin while the launch before it still runs (see
/// CudaLauncher). This launch lets the next one begin once all of its own blocks have begun.
__device__ __forceinline__ void let_next_begin() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}
/// Returns when all earlier launches have ended, and their results can be read.
__device__ __forceinline__ void await_earlier() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

template <class Real, TilePlan plan, TileVariant variant>
__device__ __forceinline__ void run_tile(const TileJob& job) {
  extern __shared__ __align__(128) unsigned char shared[];
  let_next_begin();
  const DeviceTeam team(shared);
  using Plan = FixedPlan<plan, variant>;
  const Plan fixed;
  TileKernel<Real, Plan, DeviceTeam> kernel(team, fixed, job, blockIdx.x);
  await_earlier();  // until here the kernel has read only tables, which no launch writes
  kernel.run();
}

}  // namespace weft
