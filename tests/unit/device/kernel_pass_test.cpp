// Passes made of kernels compute what the host's passes do: single passes, and the passes of whole
// transforms of several ranks in one process.
#include <gtest/gtest.h>

#include "device/device_passes.hpp"
#include "device/host_launcher.hpp"
#include "support/error_checks.hpp"

namespace weft::test {
namespace {

TEST(KernelPass, TransformsOfSeveralRanksAreThoseOfTheHost) {
  for (const char* precision : {"double", "float"})
    for (const char* kind : {"c2c", "r2c"})
      for (const char* shape : {"12x10", "16x9x20", "8x17x6", "5x6x7x8", "64"})
        for (const int ranks : {1, 2, 3, 4}) {
          if (std::string(shape) == "64" && ranks > 1) continue;
          const auto transform =
              std::string("shape=") + shape + " kind=" + kind + " precision=" + precision;
          expect_as_on_host(transform, ranks, "producer_chunks=1, consumer_chunks=1");
          expect_as_on_host(transform, ranks, "producer_chunks=2, consumer_chunks=3");
        }
}

TEST(KernelPass, AxesThatAreNotTransformedAreBatches) {
  for (const char* kinds : {"none,c2c,c2c", "c2c,none,c2c", "c2c,c2c,none", "none,c2c,none,r2c",
                            "none,none,c2c", "none,none,none", "c2r,none,c2c"}) {
    const std::string shape = std::string(kinds).size() > 15 ? "6x8x5x10" : "6x8x10";
    for (const int ranks : {1, 3})
      expect_as_on_host("shape=" + shape + " kinds=" + kinds, ranks, "producer_chunks=2");
  }
}

TEST(KernelPass, KeptModesAreThoseOfTheHost) {
  for (const char* dropped : {"absent", "zero"})
    for (const char* kind : {"c2c", "r2c"})
      for (const int ranks : {1, 3})
        expect_as_on_host(
            std::string("shape=12x15x18 modes=2/3,2/3,2/3 kind=") + kind + " dropped=" + dropped,
            ranks, "producer_chunks=2, consumer_chunks=2");
}

TEST(KernelPass, NumbersOnTheWireMayBeSingle) {
  expect_as_on_host("shape=12x10x14 kind=c2c", 3, "wire=float", 1e-6);
  expect_as_on_host("shape=12x10x14 kind=r2c", 3, "wire=float", 1e-6);
}

TEST(KernelPass, NumbersOnTheWireMayBeShorter) {
  // They are rounded alike, but of results that differ in their last bits.
  for (const char* precision : {"double", "float"}) {
    const std::string shape = std::string("shape=12x10x14 precision=") + precision;
    expect_as_on_host(shape + " kind=c2c", 3, "wire=bfloat16", 1e-3);
    expect_as_on_host(shape + " kind=c2c", 3, "wire=fixed12", 1e-3);
    expect_as_on_host(shape + " kind=r2c", 4, "wire=bfloat16, decomposition=brick", 1e-3);  // reals
  }
}

TEST(KernelPass, SixAxesInAnyOrder) {
  const std::vector<Order> orders{{0, 1, 2, 3, 4, 5}, {5, 4, 3, 2, 1, 0}, {2, 0, 5, 1, 4, 3}};
  for (const Order& source : orders)
    for (const Order& target : orders)
      for (int axis = 0; axis < 6; ++axis) {
        const OnePass pass({2, 3, 4, 2, 3, 5}, axis, source, target);
        HostLauncher launcher;
        expect_as_on_host(pass, *pass.of_kernels(launcher), 5);
      }
}

/// Sets all modes of a pass to zero that are not within an ellipse along all axes.
void cut(OnePass& pass) {
  Step& step = pass.spec.computation.steps.front();
  step.modes.line = step.modes.kept = step.length;
  step.modes.runs = {{0, 0, step.length}};
  auto squares = PerAxis<std::vector<double>>::filled(pass.box.axes(), {});
  for (int axis = 0; axis < pass.box.axes(); ++axis)
    for (Index mode = 0; mode < pass.box.extent(axis); ++mode)
      squares[axis].push_back(0.1 * static_cast<double>(mode * (axis + 1) % 5));  // edges are at 1
  step.ellipse.squares = std::make_shared<const PerAxis<std::vector<double>>>(std::move(squares));
}

TEST(KernelPass, AnEllipseOfSixAxesInAnyOrder) {
  const std::vector<Order> orders{{0, 1, 2, 3, 4, 5}, {5, 4, 3, 2, 1, 0}, {2, 0, 5, 1, 4, 3}};
  for (const Order& source : orders)
    for (const Order& target : orders)
      for (int axis = 0; axis < 6; ++axis)
        for (const bool analysis : {true, false}) {
          OnePass pass({2, 3, 4, 2, 3, 5}, axis, source, target,
                       analysis ? LineKind::c2c_forward : LineKind::c2c_backward);
          pass.spec.computation.steps.front().analysis = analysis;
          const OnePass whole = pass;
          cut(pass);
          HostLauncher launcher;
          Reals input = pass.array();
          input.randomise(5);
          const std::vector<double> kept = result(pass, *pass.of_kernels(launcher), input);
          EXPECT_LE(relative_distance(kept, result(pass, *pass.on_host(), input)), 1e-15);
          EXPECT_GE(relative_distance(kept, result(whole, *whole.on_host(), input)), 0.01);
        }
}

TEST(KernelPass, ALaunchKeepsWhatWasBoundWhenItWasAppended) {
  std::vector<std::function<void()>> stream;
  const auto address = [](DeviceAddress at) { return reinterpret_cast<std::byte*>(at); };
  HostLauncher launcher(address, [&](std::function<void()> work) { stream.push_back(work); });
  const OnePass pass({6, 20, 10}, 1, {0, 1, 2}, {2, 1, 0});
  const auto kernels = pass.of_kernels(launcher);
  Reals first = pass.array(), second = pass.array(), a = pass.array(), b = pass.array();
  first.randomise(1);
  second.randomise(2);
  kernels->bind_source(first.data());
  kernels->bind_target(a.data());
  kernels->run(0, [] {});
  kernels->bind_source(second.data());
  kernels->bind_target(b.data());
  kernels->bind_scale(4);
  kernels->run(0, [] {});
  for (const auto& work : stream) work();
  const auto host = pass.on_host();
  EXPECT_LE(relative_distance(a.values(), result(pass, *host, first)), 1e-15);
  host->bind_scale(4);
  EXPECT_LE(relative_distance(b.values(), result(pass, *host, second)), 1e-15);
}

TEST(KernelPass, OnlyTheLauncherTouchesAddressesOfTheDevice) {
  constexpr DeviceAddress away = DeviceAddress{1} << 60;
  const auto translate = [](DeviceAddress at) { return reinterpret_cast<std::byte*>(at - away); };
  HostLauncher launcher(translate, [](const std::function<void()>& work) { work(); });
  const OnePass pass({4, 12, 10}, 2, {0, 1, 2}, {0, 2, 1});
  const auto kernels = pass.of_kernels(launcher);
  Reals input = pass.array(), output = pass.array();
  input.randomise(3);
  const auto on_device = [](Reals& array) {
    return reinterpret_cast<std::byte*>(reinterpret_cast<DeviceAddress>(array.data()) + away);
  };
  kernels->bind_source(on_device(input));
  kernels->bind_target(on_device(output));
  kernels->run(0, [] {});
  EXPECT_LE(relative_distance(output.values(), result(pass, *pass.on_host(), input)), 1e-15);
}

TEST(KernelPass, TheSameArrayIsReadAndWritten) {
  for (const int length : {16, 17, 60})
    for (int axis = 0; axis < 3; ++axis) {
      Shape shape{5, 9, 21};
      shape[axis] = length;
      const OnePass pass(shape, axis, {0, 1, 2}, {0, 1, 2});
      HostLauncher launcher;
      expect_as_on_host_in_place(pass, *pass.of_kernels(launcher), 4, 2e-15);
    }
  HostLauncher launcher;
  const OnePass transposing({5, 9, 21}, 1, {0, 1, 2}, {2, 1, 0});
  EXPECT_FALSE(transposing.of_kernels(launcher)->may_run_in_place());
}

/// Notes what kernels it is asked for.
class AskedLauncher : public HostLauncher {
 public:
  const void* find_kernel(const TileWork& work) override {
    asked.push_back(work);
    return HostLauncher::find_kernel(work);
  }
  std::vector<TileWork> asked;
};

TEST(KernelPass, AsksForTheKernelThatItsLinesNeed) {
  const Order natural{0, 1, 2}, reversed{2, 1, 0};
  constexpr auto any = TileAccess::any, across = TileAccess::across, along = TileAccess::along;
  const auto asked = [](const OnePass& pass) {
    AskedLauncher launcher;
    pass.of_kernels(launcher);
    return launcher.asked;
  };
  const auto variant = [&](const OnePass& pass) {
    const auto works = asked(pass);
    EXPECT_EQ(works.size(), 1U);
    return works.front().variant;
  };
  const Shape shape{5, 12, 20};
  const std::vector<TileWork> expected{
      {make_tile_plan(TileKind::c2c, 12, 8), Precision::double_, {across, across}}};
  EXPECT_EQ(asked({{5, 12, 10}, 1, natural, natural}), expected);
  const auto along_last = [&](LineKind kind) { return OnePass(shape, 2, natural, natural, kind); };
  EXPECT_EQ(variant(along_last(LineKind::c2c_forward)), (TileVariant{along, along}));
  EXPECT_EQ(variant({shape, 2, natural, reversed}), (TileVariant{along, across}));
  EXPECT_EQ(variant({shape, 0, natural, reversed}), TileVariant()) << "threads have lines";
  EXPECT_EQ(variant({{20, 5, 12}, 0, natural, reversed}), (TileVariant{across, along}));
  EXPECT_EQ(variant({{5, 97, 10}, 1, natural, natural}), TileVariant()) << "a convolution";
  OnePass wire(shape, 1, natural, natural);
  wire.spec.target.wire = Wire::single_;
  EXPECT_EQ(variant(wire), (TileVariant{any, any}));
  EXPECT_TRUE(asked({{5, 12, 0}, 1, natural, natural}).empty());
}

TEST(KernelPass, SaysWhatKernelsCannotDo) {
  HostLauncher launcher;
  const OnePass good({8, 8}, 0, {0, 1}, {0, 1});
  OnePass cosine = good, long_line({2, 40000}, 1, {0, 1}, {0, 1}), sums = good;
  cosine.spec.computation.steps.front().kind = LineKind::dct2;
  PassSums wanted;
  sums.spec.sums = &wanted;
  const auto expect = [&](const OnePass& pass, std::initializer_list<std::string> words) {
    expect_error([&] { pass.of_kernels(launcher); }, words);
  };
  expect(cosine, {"axis 0", "c2c, r2c", "device=cpu"});
  expect(long_line, {"40000 elements along axis 1", "227 KiB", "device=cpu"});
  expect(sums, {"verify", "device=cpu"});
}

}  // namespace
}  // namespace weft::test
