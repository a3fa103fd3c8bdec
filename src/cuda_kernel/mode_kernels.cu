// The kernel of spectral operators, compiled for all architectures of the plugin, and as PTX. The
// driver compiles the PTX for other architectures.
#include "cuda_kernel/mode_kernels.hpp"
#include "device_kernel/mode_entry.hpp"

namespace weft {
namespace {

template <class Real>
__global__ void __launch_bounds__(mode_threads) run_modes(WEFT_ARGUMENT ModeJob job) {
  run_modes_in_turn<Real>(job);
}

}  // namespace

const void* compiled_mode_kernel(bool is_double) {
  return is_double ? reinterpret_cast<const void*>(&run_modes<double>)
                   : reinterpret_cast<const void*>(&run_modes<float>);
}

}  // namespace weft
