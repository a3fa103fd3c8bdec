// The memory orders that the planner chooses: in small arrays, rows that do not fill vectors unite.
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

}  // namespace
}  // namespace weft
