// Passes made of kernels compute what the host's passes do: single passes, and the passes of whole
// transforms of several ranks in one process.
#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <random>

#include "device/backend_device.hpp"
#include "device/emulated_device.hpp"
#include "device/host_launcher.hpp"
#include "device/kernel_pass.hpp"
#include "device/library_pass.hpp"
#include "device/line_check.hpp"
#include "error_checks.hpp"
#include "exchange/loopback.hpp"
#include "machine/aligned_buffer.hpp"
#include "plan/program.hpp"

namespace weft::test {
namespace {

const Caches host_caches{std::size_t{32} << 10, std::size_t{256} << 10, 0};
/// No plane stays in them, so that a pass transforms one axis.
const Caches no_caches{std::size_t{32} << 10, 0, 0};

double relative_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    norm += b[i] * b[i];
  }
  return std::sqrt(difference / std::max(norm, 1e-300));
}

/// An array of real numbers of either precision.
class Reals {
 public:
  Reals(const Element& element, Index elements)
      : precision_(element.precision),
        count_(static_cast<std::size_t>(elements * element.components())),
        memory_(count_ * bytes() + 1) {
    std::memset(memory_.data(), 0xff, count_ * bytes());  // NaN
  }
  std::byte* data() { return memory_.data(); }
  std::size_t count() const { return count_; }
  void randomise(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (std::size_t i = 0; i < count_; ++i) set(i, uniform(random));
  }
  std::vector<double> values() const {
    std::vector<double> result(count_);
    for (std::size_t i = 0; i < count_; ++i)
      result[i] = precision_ == Precision::double_
                      ? reinterpret_cast<const double*>(memory_.data())[i]
                      : static_cast<double>(reinterpret_cast<const float*>(memory_.data())[i]);
    return result;
  }

 private:
  std::size_t bytes() const { return precision_ == Precision::double_ ? 8 : 4; }
  void set(std::size_t i, double value) {
    if (precision_ == Precision::double_)
      reinterpret_cast<double*>(memory_.data())[i] = value;
    else
      reinterpret_cast<float*>(memory_.data())[i] = static_cast<float>(value);
  }

  Precision precision_;
  std::size_t count_;
  AlignedBuffer memory_;
};

/// The results of all ranks, one after another.
std::vector<double> transformed(const Route& route, const Options& options, int ranks,
                                const Caches& caches, Device& device) {
  const auto shape = std::make_shared<const ProgramShape>(shape_program(route, 1));
  std::vector<LoopbackWorld> worlds(route.exchanges.size());
  std::vector<AlignedBuffer> arenas;
  std::vector<std::unique_ptr<Program>> programs;
  std::vector<Reals> inputs, outputs;
  for (int rank = 0; rank < ranks; ++rank) {
    ProgramPlan plan = plan_program(shape, rank);
    arenas.emplace_back(plan.memory.arena_bytes);
    ProgramContext context;
    context.caches = &caches;
    context.options = options;
    context.fields.push_back({arenas.back().data(), {}, nullptr});
    context.device = &device;
    for (LoopbackWorld& world : worlds) context.loopback.push_back({&world});
    programs.push_back(std::make_unique<Program>(std::move(plan), context));
    const auto elements = [&](const CallerArray& array) { return array.layout.box(rank).volume(); };
    inputs.emplace_back(route.stages.front().input, elements(route.source));
    outputs.emplace_back(route.stages.back().output, elements(route.target));
    inputs.back().randomise(static_cast<unsigned>(rank));
  }
  for (int rank = 0; rank < ranks; ++rank)
    programs[rank]->bind(0, inputs[rank].data(), outputs[rank].data(), 0.75);
  for (const Action& action : programs.front()->schedule())
    for (const auto& program : programs)
      while (!program->perform(action, [] {})) {
      }
  std::vector<double> result;
  for (const Reals& output : outputs)
    for (const double value : output.values()) result.push_back(value);
  return result;
}

void expect_as_on_host(const std::string& transform, int ranks, const std::string& options,
                       double wire_error = 0) {
  RouteRequest request{Transform::parse(transform), {}, {}, {}};
  request.options = Options::parse("engine_effort=estimate, " + options);
  Routes routes = make_routes(request, Topology::uniform(ranks, 0), no_caches);
  // Kernels run at once, also on the host's memory. The library has batches of a few lines.
  const auto kernels = make_backend_device(make_emulated_backend(EmulatedOrder::eager), 1000);
  for (Route* route : {&routes.forward, &routes.backward}) {
    std::ranges::fill(route->methods, &find_exchange("loopback"));
    const auto host = transformed(*route, request.options, ranks, host_caches, host_device());
    for (const char* const engine : {"weft", "library"}) {
      Options other = request.options;
      other.engine = engine;
      const auto device = transformed(*route, other, ranks, no_caches, *kernels);
      const bool is_double = request.transform.precision == Precision::double_;
      ASSERT_EQ(host.size(), device.size());
      EXPECT_LE(relative_distance(device, host), wire_error + (is_double ? 2e-15 : 1e-6))
          << transform << ", " << options << (route == &routes.backward ? ", backward" : "")
          << ", engine " << engine;
    }
  }
}

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

/// An emulated device whose own library transforms lines, also on the host's memory.
struct Library {
  std::shared_ptr<DeviceBackend> backend = make_emulated_backend(EmulatedOrder::eager);
  LineLibrary lines{*backend};
};

/// One pass along an axis of an array of complex numbers, in any memory orders.
struct OnePass {
  PassSpec spec;
  Box box;
  View from{{nullptr}, {}};
  View to{{nullptr}, {}};

  OnePass(const Shape& shape, int axis, const Order& source, const Order& target,
          LineKind kind = LineKind::c2c_forward)
      : box(Box::whole(shape)) {
    Step step;
    step.axis = axis;
    step.kind = kind;
    step.length = step.input_length = step.output_length = shape[axis];
    spec.computation.steps = {step};
    spec.computation.factor = 0.5;
    spec.engine = &find_engine("auto");
    from.pieces = {{box, 0, byte_strides(shape, source, 16)}};
    to.pieces = {{box, 0, byte_strides(shape, target, 16)}};
  }
  std::unique_ptr<Pass> on_host() const {
    return make_pass(spec, {{box}}, {from}, {to}, host_caches);
  }
  std::unique_ptr<Pass> of_kernels(KernelLauncher& launcher) const {
    return make_kernel_pass(spec, {{box}}, {from}, {to}, no_caches, launcher);
  }
  std::unique_ptr<Pass> of_library(Library& library) const {
    return make_library_pass(spec, {{box}}, {from}, {to}, library.backend->launcher(),
                             library.lines);
  }
  Reals array() const { return {spec.computation.input, box.volume()}; }
};

std::vector<double> result(const OnePass& pass, Pass& made, Reals& input) {
  Reals output = pass.array();
  made.bind_source(input.data());
  made.bind_target(output.data());
  made.run(0, [] {});
  return output.values();
}

TEST(KernelPass, SixAxesInAnyOrder) {
  const std::vector<Order> orders{{0, 1, 2, 3, 4, 5}, {5, 4, 3, 2, 1, 0}, {2, 0, 5, 1, 4, 3}};
  for (const Order& source : orders)
    for (const Order& target : orders)
      for (int axis = 0; axis < 6; ++axis) {
        const OnePass pass({2, 3, 4, 2, 3, 5}, axis, source, target);
        HostLauncher launcher;
        Reals input = pass.array();
        input.randomise(5);
        EXPECT_LE(relative_distance(result(pass, *pass.of_kernels(launcher), input),
                                    result(pass, *pass.on_host(), input)),
                  1e-15);
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
      const auto kernels = pass.of_kernels(launcher);
      ASSERT_TRUE(kernels->may_run_in_place());
      Reals array = pass.array(), input = pass.array();
      for (Reals* each : {&array, &input}) each->randomise(4);
      kernels->bind_source(array.data());
      kernels->bind_target(array.data());
      kernels->run(0, [] {});
      EXPECT_LE(relative_distance(array.values(), result(pass, *pass.on_host(), input)), 2e-15);
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
  const auto asked = [](const OnePass& pass) {
    AskedLauncher launcher;
    pass.of_kernels(launcher);
    return launcher.asked;
  };
  const Shape shape{5, 12, 10};
  const auto plain = asked({shape, 1, natural, natural});
  ASSERT_EQ(plain.size(), 1U);
  EXPECT_EQ(plain.front(),
            (TileWork{make_tile_plan(TileKind::c2c, 12, 8), Precision::double_, true}));
  for (const OnePass& pass :
       {OnePass(shape, 2, natural, natural), OnePass(shape, 0, natural, reversed),
        OnePass({5, 97, 10}, 1, natural, natural)}) {
    const auto others = asked(pass);
    ASSERT_EQ(others.size(), 1U);
    EXPECT_FALSE(others.front().is_plain);
  }
  OnePass wire(shape, 1, natural, natural);
  wire.spec.target.wire = Wire::single_;
  EXPECT_FALSE(asked(wire).front().is_plain);
  const OnePass nothing({5, 12, 0}, 1, natural, natural);
  EXPECT_TRUE(asked(nothing).empty());
}

TEST(KernelPass, SaysWhatKernelsCannotDo) {
  HostLauncher launcher;
  const OnePass good({8, 8}, 0, {0, 1}, {0, 1});
  OnePass cosine = good, long_line({2, 40000}, 1, {0, 1}, {0, 1}), brain = good, sums = good;
  cosine.spec.computation.steps.front().kind = LineKind::dct2;
  brain.spec.source.wire = Wire::bfloat16;
  PassSums wanted;
  sums.spec.sums = &wanted;
  const auto expect = [&](const OnePass& pass, std::initializer_list<std::string> words) {
    expect_words(error_of([&] { pass.of_kernels(launcher); }), words);
  };
  expect(cosine, {"axis 0", "c2c, r2c", "device=cpu"});
  expect(long_line, {"40000 elements along axis 1", "227 KiB", "device=cpu"});
  expect(brain, {"a source", "wire=float", "device=cpu"});
  expect(sums, {"verify", "device=cpu"});
}

// ---- The device's own library

TEST(LibraryPass, TakesLinesOfAnyLength) {
  Library library;
  for (const LineKind kind : {LineKind::c2c_forward, LineKind::c2c_backward})
    for (const int length : {20011, 32768}) {
      const OnePass pass({3, length}, 1, {0, 1}, {1, 0}, kind);
      EXPECT_TRUE(needs_library(pass.spec, library.backend->launcher().limits()));
      Reals input = pass.array();
      input.randomise(6);
      EXPECT_LE(relative_distance(result(pass, *pass.of_library(library), input),
                                  result(pass, *pass.on_host(), input)),
                1e-15);
    }
  EXPECT_FALSE(needs_library(OnePass({3, 4096}, 1, {0, 1}, {0, 1}).spec,
                             library.backend->launcher().limits()));
}

TEST(LibraryPass, LongLinesOfReals) {
  for (const int length : {40000, 40001})
    for (const char* const precision : {"double", "float"})
      expect_as_on_host(
          "kind=r2c precision=" + std::string(precision) + " shape=3x" + std::to_string(length), 1,
          "producer_chunks=1");
}

/// A batch is small also where slices along one axis are large.
TEST(LibraryPass, CutsAlongSeveralAxes) {
  Library library;
  const OnePass pass({40, 4096, 3, 40}, 1, {0, 1, 2, 3}, {3, 1, 0, 2});
  const auto made = pass.of_library(library);
  EXPECT_LT(made->buffer_bytes(), std::size_t{36} << 20);
  Reals input = pass.array();
  input.randomise(8);
  EXPECT_LE(relative_distance(result(pass, *made, input), result(pass, *pass.on_host(), input)),
            1e-15);
}

/// What one pass has put on the stream is not disturbed by another that needs larger buffers.
TEST(LibraryPass, BuffersGrowBehindTheStream) {
  Library library{make_emulated_backend(EmulatedOrder::lazy)};
  const OnePass small({5, 60}, 1, {0, 1}, {0, 1}), large({5, 900}, 1, {0, 1}, {0, 1});
  const auto made = small.of_library(library);
  Reals input = small.array(), output = small.array();
  input.randomise(9);
  made->bind_source(input.data());
  made->bind_target(output.data());
  made->run(0, [] {});
  const auto other = large.of_library(library);
  library.backend->stream().synchronize();
  EXPECT_LE(relative_distance(output.values(), result(small, *small.on_host(), input)), 1e-15);
}

/// Buffers do not grow with the array: lines are transformed in batches.
TEST(LibraryPass, SeveralBatchesInPlace) {
  Library library;
  const OnePass pass({3, 4096, 150}, 1, {0, 1, 2}, {0, 1, 2});
  const auto made = pass.of_library(library);
  EXPECT_NE(made->describe().find("2 batches"), std::string::npos) << made->describe();
  EXPECT_LT(made->buffer_bytes(), std::size_t{34} << 20);
  ASSERT_TRUE(made->may_run_in_place());
  Reals array = pass.array(), input = pass.array();
  for (Reals* each : {&array, &input}) each->randomise(7);
  made->bind_source(array.data());
  made->bind_target(array.data());
  made->run(0, [] {});
  EXPECT_LE(relative_distance(array.values(), result(pass, *pass.on_host(), input)), 1e-15);
}

TEST(LibraryPass, HasNothingToDoWithoutLines) {
  Library library;
  const OnePass pass({0, 20011}, 1, {0, 1}, {0, 1});
  Reals none = pass.array();
  EXPECT_TRUE(result(pass, *pass.of_library(library), none).empty());
}

/// Weft's engine, until it has run often enough; then it does nothing, as libraries have.
class TiredLines : public LineTransform {
 public:
  TiredLines(const LineBatch& batch, int runs)
      : lines_(find_engine("weft").plan(batch)), left_(runs) {}
  void run(const void* input, void* output) const override {
    if (left_-- > 0) lines_->run(input, output);
  }

 private:
  std::unique_ptr<LineTransform> lines_;
  mutable int left_;
};

TEST(LibraryPass, LibrariesThatComputeNothingAreNoticed) {
  const auto backend = make_emulated_backend(EmulatedOrder::eager);
  for (const LineKind kind :
       {LineKind::c2c_forward, LineKind::c2c_backward, LineKind::r2c, LineKind::c2r})
    for (const Precision precision : {Precision::double_, Precision::single_})
      for (const Index length : {1, 2, 999, 1000}) {
        LineBatch batch;
        batch.kind = kind;
        batch.precision = precision;
        batch.length = length;
        batch.lines = 3;
        batch.input_distance = kind == LineKind::c2r ? length / 2 + 1 : length;
        batch.output_distance = kind == LineKind::r2c ? length / 2 + 1 : length;
        AlignedBuffer input(static_cast<std::size_t>(3 * 16 * (length + 1)));
        AlignedBuffer output(input.size());
        const auto check = [&](const LineBatch& asked, const LineTransform& lines) {
          return message_of(
                     [&] { check_lines(*backend, lines, asked, input.data(), output.data()); })
              .value_or("right");
        };
        const std::string wrong =
            "transforms lines of " + std::to_string(length) + " elements incorrectly";
        const auto sees = [](const std::string& text, const std::string& part) {
          return text.find(part) != std::string::npos;
        };
        EXPECT_EQ(check(batch, TiredLines(batch, 2)), "right");
        EXPECT_TRUE(sees(check(batch, TiredLines(batch, 0)), wrong));
        EXPECT_TRUE(sees(check(batch, TiredLines(batch, 1)), wrong)) << "the second run";
        if (length < 3) continue;
        // With the wrong sign, c2c is another transform.
        LineBatch other = batch;
        if (kind == LineKind::c2c_forward) other.kind = LineKind::c2c_backward;
        if (kind == LineKind::c2c_backward) other.kind = LineKind::c2c_forward;
        if (other.kind != kind) {
          EXPECT_TRUE(sees(check(batch, TiredLines(other, 2)), wrong));
        }
      }
}

}  // namespace
}  // namespace weft::test
