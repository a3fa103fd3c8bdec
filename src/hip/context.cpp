// A thread's current device is a number, which hipSetDevice restores.
#include "gpu/runtime.hpp"
#include "hip/hip_call.hpp"

namespace weft {

GpuContext::GpuContext(int number) : number_(number) {}

GpuContext::Current::Current(const GpuContext& context) {
  check_hip(hipGetDevice(&earlier_), "hipGetDevice");
  if (earlier_ != context.number_) check_hip(hipSetDevice(context.number_), "hipSetDevice");
}

GpuContext::Current::~Current() { static_cast<void>(hipSetDevice(earlier_)); }

}  // namespace weft
