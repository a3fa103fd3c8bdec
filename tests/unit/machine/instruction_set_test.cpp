// WEFT_INSTRUCTIONS: kernels of the named instruction set are used, and no better one.
#include "machine/instruction_set.hpp"

#include <gtest/gtest.h>

#include <string>
#include <typeindex>

#include "kernel/line_kernel.hpp"
#include "support/error_checks.hpp"

namespace weft {
namespace {

/// Kernels of different instruction sets are different types.
std::type_index type_of_kernels() {
  const auto kernel = make_line_kernel(LineKind::c2c_forward, Precision::double_, 8);
  const LineKernel& made = *kernel;
  return typeid(made);
}

TEST(InstructionSet, ALimitChoosesOtherKernels) {
  const std::string best = instruction_set();
  const std::type_index best_type = type_of_kernels();
  limit_instruction_set("plain");
  EXPECT_EQ(instruction_set(), "plain");
  if (best.starts_with("avx")) {
    EXPECT_NE(type_of_kernels(), best_type);
  }
  limit_instruction_set(best);
  EXPECT_EQ(instruction_set(), best);
  EXPECT_EQ(type_of_kernels(), best_type);
  limit_instruction_set("");
  EXPECT_EQ(instruction_set(), best);
}

TEST(InstructionSet, UnknownNamesAreErrorsAndChangeNothing) {
  const std::string best = instruction_set();
  test::expect_error([] { limit_instruction_set("sse9"); }, {"this processor has "});
  EXPECT_EQ(instruction_set(), best);
}

}  // namespace
}  // namespace weft
