// Chooses the line kernels of this processor's best instruction set, all of which are compiled into
// objects of their own (line_kernels.cpp.in); that costs code size.
#include "kernel/line_kernel.hpp"

#include "kernel/instruction_sets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/line_kernel.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

namespace weft::HWY_NAMESPACE {
LineKernel* make_kernel(LineKind kind, Precision precision, Index length, int components,
                        bool are_contiguous);
}  // namespace weft::HWY_NAMESPACE

#if HWY_ONCE
namespace weft {

HWY_EXPORT(make_kernel);

std::unique_ptr<LineKernel> make_line_kernel(LineKind kind, Precision precision, Index length,
                                             int components, bool are_contiguous) {
  return std::unique_ptr<LineKernel>(
      HWY_DYNAMIC_DISPATCH(make_kernel)(kind, precision, length, components, are_contiguous));
}

}  // namespace weft
#endif
