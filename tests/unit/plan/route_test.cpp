// The planner's choices in one process or two: memory orders of small arrays whose rows do not fill
// vectors, and the axes that a pass transforms together.
#include "plan/route.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

Order order_of_output(const Shape& shape, Kind kind, Precision precision = Precision::double_) {
  RouteRequest request{Transform(shape, kind), {}, {}, {}};
  request.transform.precision = precision;
  return make_routes(request, Topology::uniform(2, 2), Caches{}).output.order();
}

const Order united{0, 1, 2}, lines_beside_rows{1, 0, 2};

TEST(OrderOfOutput, RowsThatFillNoVectorsUnite) {
  EXPECT_EQ(order_of_output({64, 64, 64}, Kind::r2c), united);
  EXPECT_EQ(order_of_output({32, 32, 20}, Kind::c2c), united);
  EXPECT_EQ(order_of_output({32, 32, 24}, Kind::c2c, Precision::single_), united);
}

TEST(OrderOfOutput, RowsThatFillVectorsDoNot) {
  EXPECT_EQ(order_of_output({64, 64, 64}, Kind::c2c), lines_beside_rows);
  EXPECT_EQ(order_of_output({32, 32, 24}, Kind::c2c), lines_beside_rows);
}

TEST(OrderOfOutput, LargeArraysKeepLinesTogether) {
  EXPECT_EQ(order_of_output({256, 256, 256}, Kind::r2c), lines_beside_rows);
}

/// The axes that each pass of one process transforms, "2 1, 0" say.
std::string passes_of(const Transform& transform) {
  std::string text;
  const Routes routes = make_routes({transform, {}, {}, {}}, Topology::uniform(1, 1), Caches{});
  for (const Stage& stage : routes.forward.stages) {
    if (!text.empty()) text += ", ";
    for (const Step& step : stage.steps)
      text += (&step == &stage.steps.front() ? "" : " ") + std::to_string(step.axis);
  }
  return text;
}

TEST(Passes, PlanesStayInTheCache) {
  EXPECT_EQ(passes_of({{64, 64}, Kind::c2c}), "1 0");
  EXPECT_EQ(passes_of({{4096, 4096}, Kind::c2c}), "1, 0");
}

TEST(Passes, AxesOfOneElementAreLeftOut) {
  EXPECT_EQ(passes_of({{1, 64}, Kind::c2c}), "1");
  EXPECT_EQ(passes_of({{64, 1, 64}, Kind::c2c}), "2 0");
  EXPECT_EQ(passes_of({{1, 1}, Kind::c2c}), "0");      // operators need a step
  EXPECT_EQ(passes_of({{64, 1}, Kind::dct2}), "1 0");  // doubles its one element
  Transform round({1, 64}, Kind::c2c);
  round.ellipse = {8, 8};
  EXPECT_EQ(passes_of(round), "1 0");
}

/// The exchanges of a transform between cyclic layouts that move data, and the bytes that all ranks
/// together send.
struct Sent {
  int exchanges = 0;
  Index bytes = 0;
};

Sent sent_between_cyclic(const Transform& transform, const PerAxis<int>& grid,
                         Direction direction) {
  int ranks = 1;
  for (const int count : grid) ranks *= count;
  const RouteRequest request{transform,
                             {},
                             Layout::cyclic(transform.shape, grid),
                             Layout::cyclic(transform.spectral_shape(), grid)};
  const Routes routes = make_routes(request, Topology::uniform(ranks, 1), Caches{});
  Sent sent;
  for (const Geometry& geometry : routes.of(direction).exchanges) {
    if (geometry.stays()) continue;
    ++sent.exchanges;
    for (int rank = 0; rank < ranks; ++rank) sent.bytes += geometry.sent_by(rank).bytes;
  }
  return sent;
}

TEST(SplitAxes, OneExchangeBetweenCyclicLayouts) {
  const Transform complex({64, 64, 64}, Kind::c2c), real({64, 64, 64}, Kind::r2c);
  for (const Direction direction : {Direction::forward, Direction::backward}) {
    for (const PerAxis<int>& grid : {PerAxis<int>{4, 1, 1},
                                     {1, 1, 4},
                                     {2, 4, 1},
                                     {1, 2, 2},
                                     {2, 2, 2},
                                     {8, 8, 1},
                                     {4, 4, 4}}) {
      const Sent sent = sent_between_cyclic(complex, grid, direction);
      const Index ranks = static_cast<Index>(grid[0]) * grid[1] * grid[2];
      EXPECT_EQ(sent.exchanges, 1) << ranks;
      EXPECT_EQ(sent.bytes, Index{64} * 64 * 64 * 16 / ranks * (ranks - 1));
    }
    for (const PerAxis<int>& grid : {PerAxis<int>{4, 1, 1}, {2, 4, 1}, {8, 8, 1}})
      EXPECT_EQ(sent_between_cyclic(real, grid, direction).exchanges, 1);
    EXPECT_EQ(sent_between_cyclic({{4096}, Kind::c2c}, {16}, direction).exchanges, 1);
  }
}

TEST(SplitAxes, ASingleAxisIsWholeWhereTheCallersBoxesFormNoGrid) {
  const Layout boxes = Layout::boxes({12}, {Box{{0}, {0}}, Box{{0}, {0}}, Box{{0}, {12}}});
  ASSERT_FALSE(boxes.has_grid());
  for (const bool is_input : {true, false}) {
    RouteRequest request{{{12}, Kind::c2c}, {}, {}, {}};
    (is_input ? request.input : request.output) = boxes;
    EXPECT_TRUE(make_routes(request, Topology::uniform(3, 3), Caches{}).axes.empty());
  }
}

TEST(Passes, PlanesWithoutTheFastestAxisAreSmall) {
  EXPECT_EQ(passes_of({{32, 32, 32}, Kind::c2c, {0, 1}}), "1 0");
  EXPECT_EQ(passes_of({{256, 256, 256}, Kind::c2c, {0, 1}}), "1, 0");
  EXPECT_EQ(passes_of({{256, 256, 256, 1}, Kind::c2c, {0, 1}}), "1, 0");
}

TEST(Passes, LongPlanesOfFewLinesAreNoPlanes) {
  EXPECT_EQ(passes_of({{65536, 3}, Kind::c2c}), "1, 0");
  EXPECT_EQ(passes_of({{32, 3}, Kind::c2c}), "1 0");
}

}  // namespace
}  // namespace weft
