// Prints the kernels that passes of common lengths ask for, and how many numbers a thread of each
// transforms.
#include <cstdio>

#include "cuda_kernel/common_lengths.hpp"
#include "device_kernel/tile_plan.hpp"

namespace {

using weft::TileAccess;
using weft::TileKind;

constexpr TileKind kinds[] = {TileKind::c2c, TileKind::r2c, TileKind::c2r};
constexpr const char* kind_names[] = {"c2c", "r2c", "c2r"};
constexpr const char* access_names[] = {"any", "across", "along"};
constexpr TileAccess accesses[] = {TileAccess::any, TileAccess::across, TileAccess::along};

void print(const char* precision, int real_bytes, TileKind kind, int length) {
  const weft::TilePlan plan = weft::make_tile_plan(kind, length, real_bytes);
  for (const TileAccess from : accesses)
    for (const TileAccess to : accesses)
      if (weft::variant_of(plan, from, to) == weft::TileVariant{from, to})
        std::printf("%s %s %d %s-%s %.3f\n", precision, kind_names[static_cast<int>(kind)], length,
                    access_names[static_cast<int>(from)], access_names[static_cast<int>(to)],
                    static_cast<double>(plan.numbers) / plan.line_threads);
}

}  // namespace

int main() {
  for (const int length : weft::common_lengths)
    for (const TileKind kind : kinds) {
      print("double", sizeof(double), kind, length);
      print("single", sizeof(float), kind, length);
    }
}
