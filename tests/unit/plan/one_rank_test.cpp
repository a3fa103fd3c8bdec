// Plans of one rank: where they work in the result's array, and where a window is needed.
#include <gtest/gtest.h>

#include <algorithm>

#include "exchange/exchange.hpp"
#include "plan/memory_plan.hpp"
#include "plan/program.hpp"

namespace weft::test {
namespace {

constexpr Caches caches{std::size_t{32} << 10, std::size_t{1} << 20, 0};

Routes routes_of(const std::string& transform, const std::string& options = "") {
  RouteRequest request{Transform::parse(transform), {}, {}, {}};
  request.options = Options::parse(options);
  return make_routes(request, Topology::uniform(1, 0), caches);
}

bool is_in_result(const std::string& transform, const std::string& options = "") {
  const Routes routes = routes_of(transform, options);
  EXPECT_EQ(is_alone(routes.forward), is_alone(routes.backward));
  return is_alone(routes.forward);
}

TEST(OneRank, ComplexDataStayInTheResult) {
  for (const char* const shape : {"64x64x64", "7x12x15", "2048x2048", "3000x3000", "5x4x3x2"})
    EXPECT_TRUE(is_in_result(std::string("shape=") + shape + " kind=c2c")) << shape;
  EXPECT_TRUE(is_in_result("shape=32x16x16 kind=c2c precision=float", "output=natural"));
  EXPECT_TRUE(is_in_result("shape=1024x1024x1024 kind=c2c", "device=cuda"));
  EXPECT_TRUE(is_in_result("shape=4096x4096 kind=c2c", "device=cuda"));
}

TEST(OneRank, NeedsNoMemoryThere) {
  const Routes routes = routes_of("shape=64x64x64 kind=c2c");
  for (const Route* const route : {&routes.forward, &routes.backward}) {
    const ProgramPlan plan = plan_program(shape_program(*route, 1), 0);
    EXPECT_EQ(plan.memory.arena_bytes, 0U);
    EXPECT_TRUE(plan.memory.window_bytes.empty());
  }
}

TEST(OneRank, OthersHaveWindows) {
  EXPECT_FALSE(is_in_result("shape=32x32x32 kind=r2c")) << "another type on the way";
  EXPECT_FALSE(is_in_result("shape=32x32x32 kind=dct2")) << "slower on the host";
  EXPECT_FALSE(is_in_result("shape=4096x4096 kind=c2c")) << "long lines that collide in caches";
  EXPECT_FALSE(is_in_result("shape=32x32x32 kind=c2c modes=2/3,2/3,2/3"));
  EXPECT_FALSE(is_in_result("shape=32x32x32 kind=c2c", "wire=float"));
  if (std::ranges::count(engine_names(), "fftw") > 0) {
    EXPECT_FALSE(is_in_result("shape=32x32x32 kind=c2c", "engine=fftw")) << "not measured";
  }
}

TEST(OneRank, OptionsAboutExchangesAreFollowed) {
  EXPECT_FALSE(is_in_result("shape=32x32x32 kind=c2c", "exchange=shared"));
  EXPECT_FALSE(is_in_result("shape=32x32x32 kind=c2c", "producer_chunks=2"));
  EXPECT_FALSE(is_in_result("shape=32x32x32 kind=c2c", "consumer_chunks=1"));
}

}  // namespace
}  // namespace weft::test
