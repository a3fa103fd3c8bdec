// Passes of two axes on a device: bit for bit what two passes of one axis compute.
#include "device/device_plane_pass.hpp"

#include "device/device_passes.hpp"
#include "support/error_checks.hpp"

namespace weft::test {
namespace {

/// The results of both directions on emulated devices whose caches are these, and whether a pass
/// transforms two axes.
struct Results {
  std::vector<double> forward, backward;
  bool has_planes = false;
};

Results results_with(const Caches& caches, const std::string& transform, int ranks,
                     const std::string& options) {
  RouteRequest request{Transform::parse(transform), {}, {}, {}};
  request.options = Options::parse("engine_effort=estimate output=natural " + options);
  Routes routes = make_routes(request, Topology::uniform(ranks, 0), caches);
  const auto device = make_backend_device(make_emulated_backend(EmulatedOrder::eager), 1000);
  Results results;
  for (Route* const route : {&routes.forward, &routes.backward}) {
    std::ranges::fill(route->methods, &find_exchange("loopback"));
    for (const Stage& stage : route->stages) results.has_planes |= stage.steps.size() == 2;
    (route == &routes.forward ? results.forward : results.backward) =
        transformed(*route, request.options, ranks, caches, *device);
  }
  return results;
}

void expect_same_bits(const std::string& transform, int ranks, const std::string& options = "") {
  SCOPED_TRACE(transform + " on " + std::to_string(ranks) + ", " + options);
  const Results planes = results_with(few_planes, transform, ranks, options);
  const Results axes = results_with(no_caches, transform, ranks, options);
  EXPECT_TRUE(planes.has_planes);
  EXPECT_FALSE(axes.has_planes);
  EXPECT_EQ(planes.forward, axes.forward);
  EXPECT_EQ(planes.backward, axes.backward);
}

TEST(DevicePlanePass, SameBitsAsOneAxisAtATime) {
  for (const int ranks : {1, 2, 3}) {
    expect_same_bits("shape=20x18x16 kind=c2c", ranks);
    expect_same_bits("shape=7x12x15 kind=c2c precision=float", ranks);
    expect_same_bits("shape=8x16x18 kind=r2c", ranks);
    expect_same_bits("shape=3x17x13 kind=r2c", ranks);
    expect_same_bits("shape=5x9x8x6 kind=c2c", ranks);
    expect_same_bits("shape=16x18x20 kinds=none,c2c,c2c", ranks);
  }
}

TEST(DevicePlanePass, InChunks) {
  expect_same_bits("shape=20x18x16 kind=c2c", 2, "producer_chunks=3 consumer_chunks=2");
  expect_same_bits("shape=16x18x20 kind=r2c", 4, "consumer_chunks=2");
}

TEST(DevicePlanePass, KeptModes) {
  for (const char* const dropped : {"absent", "zero"})
    for (const char* const kind : {"c2c", "r2c"}) {
      const std::string transform = std::string("shape=12x15x18 kind=") + kind;
      expect_same_bits(transform + " modes=2/3,2/3,2/3 dropped=" + dropped, 2);
      expect_same_bits(transform + " ellipse=4,5,6 dropped=" + dropped, 3);
    }
}

/// Planes leave out an exchange between one rank and itself, which rounds as well.
TEST(DevicePlanePass, ShortNumbersOnTheWire) {
  for (const char* const transform : {"shape=16x18x20 kind=c2c", "shape=16x18x20 kind=r2c"}) {
    const Results planes = results_with(few_planes, transform, 2, "wire=bfloat16");
    const Results axes = results_with(no_caches, transform, 2, "wire=exact");
    EXPECT_TRUE(planes.has_planes);
    EXPECT_LE(relative_distance(planes.forward, axes.forward), 4e-3) << transform;
    EXPECT_GT(relative_distance(planes.forward, axes.forward), 1e-4) << transform;
    EXPECT_LE(relative_distance(planes.backward, axes.backward), 4e-3) << transform;
  }
}

/// Lines that do not fit a block of threads go to the library, also within a plane.
TEST(DevicePlanePass, OfLongLines) {
  const Caches large{std::size_t{32} << 10, std::size_t{4} << 20, 0};
  const std::string transform = "shape=2x9x20011 kind=c2c";
  const Results planes = results_with(large, transform, 1, "");
  EXPECT_TRUE(planes.has_planes);
  EXPECT_EQ(planes.forward, results_with(no_caches, transform, 1, "").forward);
}

TEST(DevicePlanePass, DescribesItsGroups) {
  RouteRequest request{Transform::parse("shape=16x16x16 kind=c2c"), {}, {}, {}};
  const Routes routes = make_routes(request, Topology::uniform(1, 0), few_planes);
  const auto device = make_backend_device(make_emulated_backend(EmulatedOrder::eager), 1000);
  const Stage& stage = routes.forward.stages.front();
  ASSERT_EQ(stage.steps.size(), 2U);
  PassSpec spec;
  spec.computation = stage;
  spec.engine = &find_engine("weft");
  const Box whole = Box::whole({16, 16, 16});
  const View view{{nullptr}, {{whole, 0, byte_strides({16, 16, 16}, {0, 1, 2}, 16)}}};
  const auto pass = device->make_pass({spec, {{whole, 0, 0}}, {view}, {view}}, few_planes);
  // 16 KiB hold four planes of 256 numbers.
  expect_words(pass->describe(), {"4 groups of planes, kernel", ", then kernel"});
  EXPECT_TRUE(pass->may_run_in_place());
  EXPECT_GE(pass->buffer_bytes(), 16384U);
}

}  // namespace
}  // namespace weft::test
