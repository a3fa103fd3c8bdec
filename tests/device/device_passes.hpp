// Passes of devices beside those of the host: what tests of both kinds of them share.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "device/backend_device.hpp"
#include "device/emulated_device.hpp"
#include "device/kernel_pass.hpp"
#include "device/library_pass.hpp"
#include "machine/aligned_buffer.hpp"
#include "support/loopback_ranks.hpp"

namespace weft::test {

inline const Caches host_caches{std::size_t{32} << 10, std::size_t{256} << 10, 0};
/// No plane stays in them, so that a pass transforms one axis.
inline const Caches no_caches{std::size_t{32} << 10, 0, 0};
/// Groups of few planes stay in them.
inline const Caches few_planes{std::size_t{32} << 10, std::size_t{16} << 10, 0};

inline double relative_distance(const std::vector<double>& a, const std::vector<double>& b) {
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
inline std::vector<double> transformed(const Route& route, const Options& options, int ranks,
                                       const Caches& caches, Device& device) {
  ProgramContext context;
  context.caches = &caches;
  context.options = options;
  context.device = &device;
  LoopbackRanks programs(route, ranks, context);
  std::vector<Reals> inputs, outputs;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto elements = [&](const CallerArray& array) { return array.layout.box(rank).volume(); };
    inputs.emplace_back(route.stages.front().input, elements(route.source));
    outputs.emplace_back(route.stages.back().output, elements(route.target));
    inputs.back().randomise(static_cast<unsigned>(rank));
  }
  for (int rank = 0; rank < ranks; ++rank)
    programs[rank].bind(0, inputs[rank].data(), outputs[rank].data(), 0.75);
  programs.run();
  std::vector<double> result;
  for (const Reals& output : outputs)
    for (const double value : output.values()) result.push_back(value);
  return result;
}

inline void expect_as_on_host(const std::string& transform, int ranks, const std::string& options,
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

/// An emulated device whose own library transforms lines, also on the host's memory.
struct Library {
  std::shared_ptr<DeviceBackend> backend = make_emulated_backend(EmulatedOrder::eager);
  Index batch_bytes = LineLibrary::usual_bytes;
  LineLibrary lines{*backend, batch_bytes};
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
    return make_pass({spec, {{box}}, {from}, {to}}, host_caches);
  }
  std::unique_ptr<Pass> of_kernels(KernelLauncher& launcher) const {
    return make_kernel_pass({spec, {{box}}, {from}, {to}}, launcher);
  }
  std::unique_ptr<Pass> of_library(Library& library) const {
    return make_library_pass({spec, {{box}}, {from}, {to}}, library.backend->launcher(),
                             library.lines);
  }
  Reals array() const { return {spec.computation.input, box.volume()}; }
};

inline std::vector<double> result(const OnePass& pass, Pass& made, Reals& input) {
  Reals output = pass.array();
  made.bind_source(input.data());
  made.bind_target(output.data());
  made.run(0, [] {});
  return output.values();
}

/// Of random numbers, `made` makes what the host does.
inline void expect_as_on_host(const OnePass& pass, Pass& made, unsigned seed) {
  Reals input = pass.array();
  input.randomise(seed);
  EXPECT_LE(relative_distance(result(pass, made, input), result(pass, *pass.on_host(), input)),
            1e-15);
}

/// In an array that is read and written. `bound`: the largest relative distance.
inline void expect_as_on_host_in_place(const OnePass& pass, Pass& made, unsigned seed,
                                       double bound) {
  ASSERT_TRUE(made.may_run_in_place());
  Reals array = pass.array(), input = pass.array();
  for (Reals* each : {&array, &input}) each->randomise(seed);
  made.bind_source(array.data());
  made.bind_target(array.data());
  made.run(0, [] {});
  EXPECT_LE(relative_distance(array.values(), result(pass, *pass.on_host(), input)), bound);
}

}  // namespace weft::test
