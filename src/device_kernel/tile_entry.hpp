// The entry of the kernel on a GPU, one block of threads for each tile. nvcc compiles it ahead of
// time, NVRTC and HIPRTC while a plan is made.
#pragma once

#include "device_kernel/device_team.hpp"
#include "device_kernel/tile_kernel.hpp"

namespace weft {

/// The resources that the blocks on a multiprocessor share.
struct Multiprocessor {
  int registers;  ///< of 4 bytes
  int threads;
  int shared_bytes;
  int reserved_bytes;   ///< of shared memory, taken by each block beside its own
  int counted_threads;  ///< __launch_bounds__ counts blocks (0), or groups of that many threads
};
#ifdef __HIP__
/// A compute unit of CDNA 2 and 3. The second argument of __launch_bounds__ is a number of
/// wavefronts of 64 threads on each of its 4 SIMD units.
inline constexpr Multiprocessor multiprocessor{128 << 10, 2048, 64 << 10, 0, 4 * 64};
#else
inline constexpr Multiprocessor multiprocessor{64 << 10, 2048, 228 << 10, 1 << 10, 0};
#endif

/// The second argument of __launch_bounds__ for the blocks that a multiprocessor should hold, so
/// that some move data while others compute. It leaves a thread twice the registers of its numbers,
/// at least 32 more than these, and at least 48.
constexpr int residency(const TilePlan& plan, int number_bytes) {
  const int words = plan.held * number_bytes / 4;
  const int wanted = words > 32 ? 2 * words : words + 32, registers = wanted > 48 ? wanted : 48;
  const int by_registers = multiprocessor.registers / (registers * plan.threads());
  const int by_memory = multiprocessor.shared_bytes /
                        (plan.shared_bytes(number_bytes) + multiprocessor.reserved_bytes);
  const int by_threads = multiprocessor.threads / plan.threads();
  int blocks = by_registers < by_memory ? by_registers : by_memory;
  blocks = blocks < by_threads ? blocks : by_threads;
  constexpr int enough = 8;
  blocks = blocks > enough ? enough : blocks > 1 ? blocks : 1;
  const int counted = multiprocessor.counted_threads;
  return counted == 0 ? blocks : (blocks * plan.threads() + counted - 1) / counted;
}

/// From compute capability 9.0 on, a launch may begin while the launch before it still runs (see
/// runtime::Launch). This launch lets the next one begin once all of its own blocks have begun.
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
