// The kernel of spectral operators, compiled for all architectures of the plugin, and as PTX. The
// driver compiles the PTX for other architectures.
#include "cuda_kernel/mode_kernels.hpp"
#include "device_kernel/device_team.hpp"

namespace weft {
namespace {

constexpr unsigned threads = 256;
constexpr Index most_blocks = Index{1} << 20;

template <class Real>
__global__ void run_modes(const __grid_constant__ ModeJob job) {
  const DeviceTeam team(nullptr);
  const Index step = static_cast<Index>(gridDim.x) * threads;
  for (Index mode = static_cast<Index>(blockIdx.x) * threads + threadIdx.x; mode < job.modes;
       mode += step)
    run_mode<Real>(team, job, mode);
}

}  // namespace

cudaError_t launch_modes(const ModeJob& job, Precision precision, cudaStream_t stream) {
  const Index blocks = (job.modes + threads - 1) / threads;
  const dim3 grid(static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks));
  if (precision == Precision::double_)
    run_modes<double><<<grid, threads, 0, stream>>>(job);
  else
    run_modes<float><<<grid, threads, 0, stream>>>(job);
  return cudaGetLastError();
}

}  // namespace weft
