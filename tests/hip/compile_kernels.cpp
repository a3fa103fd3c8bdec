// compile_kernels ARCHITECTURE FOLDER: compiles kernels of lengths that stand for the others, and
// writes each as FOLDER/NAME, where NAME says what it computes.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "device/checked_team.hpp"
#include "gpu/runtime_compiler.hpp"

namespace weft {
namespace {

using test::compute_unit;

constexpr const char* kind_names[] = {"c2c", "r2c", "c2r"};
constexpr const char* access_names[] = {"any", "across", "along"};

class NoStore : public KernelStore {
 public:
  std::optional<std::string> find(const std::string&) override { return std::nullopt; }
  void keep(const std::string&, const std::string&) override {}
};

void compile(const std::string& architecture, const std::filesystem::path& folder, TileKind kind,
             int length, Precision precision, TileVariant accesses) {
  const int real_bytes = precision == Precision::double_ ? 8 : 4;
  const TilePlan plan = make_tile_plan(kind, length, real_bytes, compute_unit.limits);
  const TileVariant variant = variant_of(plan, accesses.from, accesses.to);
  NoStore store;
  const std::string code =
      compiled_kernel({plan_for(plan, variant), precision, variant}, architecture, store);
  const std::string name = std::string(precision == Precision::double_ ? "double" : "single") +
                           " " + kind_names[static_cast<int>(kind)] + " " + std::to_string(length) +
                           " " + access_names[static_cast<int>(variant.from)] + "-" +
                           access_names[static_cast<int>(variant.to)];
  std::ofstream(folder / name, std::ios::binary) << code;
}

}  // namespace
}  // namespace weft

int main(int count, char** arguments) {
  using namespace weft;
  if (count != 3) return 2;
  constexpr TileAccess across = TileAccess::across, along = TileAccess::along;
  for (const Precision precision : {Precision::double_, Precision::single_}) {
    for (const int length : {64, 96, 512, 1024}) {
      compile(arguments[1], arguments[2], TileKind::c2c, length, precision, {across, across});
      compile(arguments[1], arguments[2], TileKind::c2c, length, precision, {along, across});
    }
    compile(arguments[1], arguments[2], TileKind::r2c, 512, precision, {along, across});
    compile(arguments[1], arguments[2], TileKind::c2r, 512, precision, {across, along});
    compile(arguments[1], arguments[2], TileKind::c2c, 509, precision, {});
  }
}
