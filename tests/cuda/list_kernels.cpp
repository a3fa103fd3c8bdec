// Prints the kernels of common lengths, and how many numbers a thread of each transforms.
#include <cstdio>

#include "cuda/common_lengths.hpp"
#include "device_kernel/tile_plan.hpp"

namespace {

void print(const char* precision, int real_bytes) {
  for (const int length : weft::common_lengths) {
    const weft::TilePlan plan = weft::make_tile_plan(weft::TileKind::c2c, length, real_bytes);
    std::printf("%s c2c %d plain %.3f\n", precision, length,
                static_cast<double>(plan.numbers) / plan.line_threads);
  }
}

}  // namespace

int main() {
  print("double", sizeof(double));
  print("single", sizeof(float));
}
