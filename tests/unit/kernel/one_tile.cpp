// Transforms one tile, 16 neighbouring lines of 256 complex numbers, with the kernels of one
// instruction set, for tests/unit/kernel/count_instructions: one_tile TARGET float|double
#include <hwy/targets.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "kernel/line_kernel.hpp"
#include "machine/aligned_buffer.hpp"
#include "truth/kernel_targets.hpp"

namespace weft::test {
namespace {

constexpr Index length = 256, lines = 16;

std::vector<std::byte*> rows(std::byte* first, Index row_bytes) {
  std::vector<std::byte*> all;
  for (Index j = 0; j < length; ++j) all.push_back(first + j * row_bytes);
  return all;
}

void run(Precision precision) {
  const Index element_bytes = precision == Precision::double_ ? 16 : 8;
  const auto kernel = make_line_kernel(LineKind::c2c_forward, precision, length);
  const auto bytes = static_cast<std::size_t>(length * lines * element_bytes);
  const AlignedBuffer source(bytes), target(bytes), scratch(kernel->scratch_bytes(lines));
  std::memset(source.data(), 0, bytes);
  const auto from = rows(source.data(), lines * element_bytes);
  const auto to = rows(target.data(), lines * element_bytes);
  kernel->run({from.data(), element_bytes}, {to.data(), element_bytes}, lines, 1, scratch.data());
}

}  // namespace
}  // namespace weft::test

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  for (const std::int64_t target : weft::test::kernel_targets())
    if (std::strcmp(hwy::TargetName(target), argv[1]) == 0) {
      const weft::test::OnlyTarget only(target);
      weft::test::run(std::strcmp(argv[2], "double") == 0 ? weft::Precision::double_
                                                          : weft::Precision::single_);
      return 0;
    }
  std::printf("this processor has no %s\n", argv[1]);
  return 77;
}
