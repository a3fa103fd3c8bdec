// The instruction sets of this processor that line kernels are compiled for, and how a test forces
// one of them.
#pragma once

#include <hwy/targets.h>

#include <cstdint>
#include <vector>

namespace weft::test {

/// Uses one instruction set while it lives.
class OnlyTarget {
 public:
  explicit OnlyTarget(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
  }
  ~OnlyTarget() {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
  }
  OnlyTarget(const OnlyTarget&) = delete;
};

/// The best one comes first. With sanitizers the kernels have only one, and tests of the others
/// would repeat it.
inline std::vector<std::int64_t> kernel_targets() {
  std::vector<std::int64_t> all;
  std::int64_t left = hwy::SupportedTargets() & (HWY_SSE4 | HWY_AVX2 | HWY_AVX3 | HWY_NEON);
  for (; left != 0; left &= left - 1) all.push_back(left & -left);
  all.push_back(HWY_SCALAR);
#ifdef WEFT_ONE_INSTRUCTION_SET
  all.resize(1);
#endif
  return all;
}

}  // namespace weft::test
