// Kernels that are compiled when a plan is made: NVRTC and HIPRTC need no GPU, so that kernels are
// compiled here as they would be there. The program's arguments are two architectures.
#include <gtest/gtest.h>

#include <map>

#include "gpu/runtime.hpp"
#include "gpu/runtime_compiler.hpp"

namespace weft::test {
namespace {

/// Counts what it is asked.
class CountingStore : public KernelStore {
 public:
  std::optional<std::string> find(const std::string& key) override {
    const auto kept = kernels.find(key);
    if (kept == kernels.end()) return std::nullopt;
    ++hits;
    return kept->second;
  }
  void keep(const std::string& key, const std::string& kernel) override { kernels[key] = kernel; }

  std::map<std::string, std::string> kernels;
  int hits = 0;
};

/// The work of the kernel for lines with these accesses, or for any lines where there is none.
TileWork work_of(TileKind kind, int length, Precision precision = Precision::double_,
                 TileVariant accesses = {TileAccess::across, TileAccess::across}) {
  const int real_bytes = precision == Precision::double_ ? 8 : 4;
  const TilePlan plan = make_tile_plan(kind, length, real_bytes);
  const TileVariant variant = variant_of(plan, accesses.from, accesses.to);
  return {plan_for(plan, variant), precision, variant};
}

bool is_program_of_a_gpu(const std::string& kernel) {
  return kernel.starts_with(
             "\x7f"
             "ELF") &&
         kernel.find(kernel_name) != std::string::npos;
}

std::string architecture, other_architecture;

TEST(RuntimeCompiler, CompilesAnyLength) {
  CountingStore store;
  constexpr TileAccess across = TileAccess::across, along = TileAccess::along;
  const TileWork works[] = {
      work_of(TileKind::c2c, 15), work_of(TileKind::c2c, 77, Precision::single_),
      work_of(TileKind::r2c, 90, Precision::double_, {along, across}), work_of(TileKind::c2r, 101),
      work_of(TileKind::c2c, 1000, Precision::single_, {along, along})};
  for (const TileWork& work : works) {
    ASSERT_GT(work.plan.lines, 0);
    EXPECT_TRUE(is_program_of_a_gpu(compiled_kernel(work, architecture, store)))
        << work.plan.length;
  }
  EXPECT_EQ(store.kernels.size(), std::size(works));
  EXPECT_EQ(store.hits, 0);
}

TEST(RuntimeCompiler, CompilesOperators) {
  CountingStore store;
  for (const Precision precision : {Precision::single_, Precision::double_})
    EXPECT_TRUE(is_program_of_a_gpu(compiled_mode_kernel(precision, architecture, store)));
  EXPECT_EQ(store.kernels.size(), 2u);
}

TEST(RuntimeCompiler, CompilesOnce) {
  CountingStore store;
  TileWork work = work_of(TileKind::c2c, 7);
  const std::string first = compiled_kernel(work, architecture, store);
  EXPECT_EQ(compiled_kernel(work, architecture, store), first);
  EXPECT_EQ(store.hits, 1);
  // Another kernel is not taken for it.
  EXPECT_NE(compiled_kernel(work, other_architecture, store), first);
  work.variant = {};
  EXPECT_NE(compiled_kernel(work, architecture, store), first);
  EXPECT_EQ(store.hits, 1);
}

TEST(RuntimeCompiler, SaysWhatTheCompilerDoesNotLike) {
  CountingStore store;
  TileWork work = work_of(TileKind::c2c, 8);
  work.plan.held = -1;  // an array has at least one number
  try {
    compiled_kernel(work, architecture, store);
    FAIL() << "the kernel cannot be compiled";
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with(runtime::compiler_library.name)) << text;
    EXPECT_NE(text.find("error"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace weft::test

int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  if (count != 3) return 2;
  weft::test::architecture = arguments[1];
  weft::test::other_architecture = arguments[2];
  return RUN_ALL_TESTS();
}
