// Whole transforms with every rank in this process: routes, passes and schedules, without any MPI.
#include "exchange_method/loopback.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "cases/cases.hpp"
#include "cases/covering_sample.hpp"
#include "cases/local_array.hpp"
#include "support/loopback_ranks.hpp"
#include "truth/truth.hpp"

namespace weft {
namespace {

/// One rank's array as a user's may be: aligned to its elements and no more, on every rank
/// otherwise.
class RankArray {
 public:
  RankArray(const Layout& layout, const Element& element, int rank)
      : offset_(static_cast<std::size_t>(rank % 4 * element.bytes())),
        memory_(offset_ + static_cast<std::size_t>(layout.allocated(rank) * element.bytes()) + 16) {
    test::poison(memory_.data(), memory_.size());
  }
  std::byte* data() { return memory_.data() + offset_; }

 private:
  std::size_t offset_;
  AlignedBuffer memory_;
};

// Tiny caches, so that small arrays take many tiles and planes that do not fit.
constexpr Caches caches{1 << 10, 8 << 10, 0};

void run(Route route, const Options& options, std::vector<RankArray>& in,
         std::vector<RankArray>& out) {
  std::ranges::fill(route.methods, &find_exchange("loopback"));
  ProgramContext context;
  context.caches = &caches;
  context.options = options;
  const int ranks = static_cast<int>(in.size());
  test::LoopbackRanks programs(route, ranks, context);
  for (int rank = 0; rank < ranks; ++rank)
    programs[rank].bind(0, in[rank].data(), out[rank].data());
  EXPECT_EQ(programs.run(), 0) << "actions that had to be asked again";
}

template <class T>
void fill_all(std::vector<RankArray>& arrays, const Layout& layout, const test::Global& whole) {
  for (int rank = 0; rank < layout.ranks(); ++rank)
    test::fill(reinterpret_cast<T*>(arrays[rank].data()), test::place_of(layout, rank), whole);
}

template <class T>
double error_of(std::vector<RankArray>& arrays, const Layout& layout, const test::Global& whole) {
  double error = 0, norm = 0;
  for (int rank = 0; rank < layout.ranks(); ++rank) {
    const auto part = test::deviation(reinterpret_cast<T*>(arrays[rank].data()),
                                      test::place_of(layout, rank), whole);
    error += part.error_squared;
    norm += part.norm_squared;
  }
  return std::sqrt(error / norm);
}

std::vector<RankArray> arrays_of(const Layout& layout, const Element& element) {
  std::vector<RankArray> arrays;
  for (int rank = 0; rank < layout.ranks(); ++rank) arrays.emplace_back(layout, element, rank);
  return arrays;
}

/// Calls body with a value of the C++ type of the element.
template <class Body>
auto with_type(const Element& element, Body&& body) {
  if (element.precision == Precision::double_)
    return element.real ? body(double()) : body(std::complex<double>());
  return element.real ? body(float()) : body(std::complex<float>());
}

TEST(Loopback, SharedCasesForManyRanksInOneProcess) {
  for (int ranks : {1, 2, 3, 5, 7, 12})
    for (const test::Case& one : test::sample_of(test::shared_cases(ranks))) {
      SCOPED_TRACE(to_string(one) + " on " + std::to_string(ranks) + " ranks");
      if (test::truth_is_out_of_reach(one.transform)) continue;
      RouteRequest request{one.transform, one.options, {}, {}};
      request.options.fields = 1;
      request.options.engine_effort = EngineEffort::estimate;
      if (one.layouts) std::tie(request.input, request.output) = *one.layouts;
      const Routes routes = make_routes(request, Topology::uniform(ranks, 0), caches);
      const auto truth = test::truth_of(one.transform, 11);
      auto in = arrays_of(routes.input, routes.input_element);
      auto out = arrays_of(routes.output, routes.output_element);
      with_type(routes.input_element,
                [&](auto value) { fill_all<decltype(value)>(in, routes.input, truth->input); });
      const double bound = truth->amplification * test::error_bound(one.transform);
      run(routes.forward, request.options, in, out);
      EXPECT_LE(with_type(routes.output_element,
                          [&](auto value) {
                            return error_of<decltype(value)>(out, routes.output, truth->output);
                          }),
                bound);
      in = arrays_of(routes.input, routes.input_element);
      run(routes.backward, request.options, out, in);
      EXPECT_LE(with_type(routes.input_element,
                          [&](auto value) {
                            return error_of<decltype(value)>(in, routes.input, truth->restored);
                          }),
                2 * bound);
    }
}

TEST(Routes, SlabTransposedOutputHasOneExchangeAndNaturalTwo) {
  const Transform transform({16, 16, 16}, Kind::c2c);
  for (auto [output, exchanges] :
       {std::pair(OutputLayout::transposed, 1u), std::pair(OutputLayout::natural, 2u)}) {
    RouteRequest request{transform, {}, {}, {}};
    request.options.output = output;
    const Routes routes = make_routes(request, Topology::uniform(4, 0), Caches{});
    EXPECT_EQ(routes.forward.exchanges.size(), exchanges);
    EXPECT_EQ(routes.backward.exchanges.size(), exchanges);
  }
}

TEST(Routes, BatchAxesThatCarryTheSplitNeedNoExchange) {
  RouteRequest request{Transform({8, 6, 10}, Kind::c2c, {1, 2}), {}, {}, {}};
  EXPECT_TRUE(make_routes(request, Topology::uniform(4, 0), Caches{}).forward.exchanges.empty());
}

TEST(Routes, FourDimensionsTakeTwoSweeps) {
  RouteRequest request{Transform({8, 8, 8, 8}, Kind::c2c), {}, {}, {}};
  EXPECT_EQ(make_routes(request, Topology::uniform(4, 0), Caches{}).forward.stages.size(), 2u);
}

TEST(Routes, LargeJobsArePlannedQuickly) {
  RouteRequest request{Transform({4096, 4096, 4096}, Kind::r2c), {}, {}, {}};
  const Routes routes = make_routes(request, Topology::uniform(16384, 128), Caches{});
  Index sent = 0;
  for (const Geometry& geometry : routes.forward.exchanges) sent += geometry.sent_by(5000).bytes;
  EXPECT_GT(sent, 0);
}

}  // namespace
}  // namespace weft
