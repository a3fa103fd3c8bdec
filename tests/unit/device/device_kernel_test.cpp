// The kernel of devices, on the host: right for all lengths, kinds and layouts, and without races.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "truth/line_run.hpp"

namespace weft::test {
namespace {

template <class Real>
void expect_right(const LineCase& lines, const TestedDevice& device = {}) {
  LineRun<Real> run(lines, device);
  ASSERT_GT(run.plan().lines, 0);
  run.on_host();
  EXPECT_LE(run.distance(), tolerance)
      << to_string(lines.kind) << " " << lines.length << " axis " << lines.axis << " pieces "
      << lines.pieces << " bytes " << sizeof(Real);
}

/// Lengths of one radix, of several, of none.
const std::vector<int> lengths = {1,   2,   3,   4,   5,   6,   7,   8,   9,    10,   11,
                                  12,  13,  16,  17,  19,  30,  31,  32,  37,   49,   60,
                                  64,  96,  97,  100, 121, 128, 143, 169, 192,  200,  210,
                                  243, 256, 343, 360, 499, 512, 625, 768, 1000, 1024, 2048};

class DeviceKernelTest : public testing::TestWithParam<LineKind> {};

TEST_P(DeviceKernelTest, AllLengthsAreRight) {
  for (const int length : lengths) {
    expect_right<double>({.kind = GetParam(), .length = length, .axis = 1, .across = 5});
    expect_right<float>({.kind = GetParam(), .length = length, .axis = 2, .across = 5});
  }
}

TEST_P(DeviceKernelTest, AllLengthsAreRightOnComputeUnits) {
  for (const int length : lengths) {
    expect_right<double>({.kind = GetParam(), .length = length, .axis = 2, .across = 5},
                         compute_unit);
    expect_right<float>({.kind = GetParam(), .length = length, .axis = 1, .across = 5},
                        compute_unit);
  }
}

TEST_P(DeviceKernelTest, AllLayoutsAreRight) {
  for (const int length : {8, 17, 60, 210})
    for (int axis = 0; axis < 3; ++axis)
      for (const Order& target : {Order{0, 1, 2}, Order{1, 2, 0}, Order{2, 1, 0}, Order{2, 0, 1}})
        for (const int pieces : {1, 2, 5}) {
          LineCase lines{GetParam(), length, axis, {0, 1, 2}, target, 19, 2, pieces};
          expect_right<double>(lines);
          std::swap(lines.source_order, lines.target_order);
          expect_right<float>(lines);
        }
}

TEST_P(DeviceKernelTest, ThreadsDoNotRaceAndReadWhatWasWritten) {
  for (const int length : {1, 2, 8, 15, 16, 17, 60, 128})
    for (int axis = 1; axis < 3; ++axis) {
      LineRun<double> run({.kind = GetParam(), .length = length, .axis = axis, .others = 1});
      EXPECT_NO_THROW(run.checked()) << to_string(GetParam()) << " " << length;
      EXPECT_LE(run.distance(), tolerance);
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, DeviceKernelTest,
                         testing::Values(LineKind::c2c_forward, LineKind::c2c_backward,
                                         LineKind::r2c, LineKind::c2r),
                         [](const auto& info) {
                           std::string name = to_string(info.param);
                           std::ranges::replace(name, ' ', '_');
                           return name;
                         });

void expect_plans_within(const TileLimits& limits, int longest) {
  for (const int real_bytes : {4, 8})
    for (int length = 1; length < longest; length += length < 200 ? 1 : 17) {
      const TilePlan plan = make_tile_plan(TileKind::c2c, length, real_bytes, limits);
      ASSERT_GT(plan.lines, 0) << length;
      EXPECT_LE(plan.threads(), limits.threads);
      EXPECT_LE(plan.shared_bytes(2 * real_bytes), limits.shared_bytes);
      int product = 1;
      for (int stage = 0; stage < plan.stages; ++stage) {
        product *= plan.radices[stage];
        EXPECT_LE(plan.radices[stage] * stage_of(plan, stage).share, plan.held) << length;
      }
      EXPECT_EQ(product, plan.transformed);
      EXPECT_TRUE(plan.convolves() ? plan.transformed >= 2 * length - 1
                                   : plan.transformed == length);
    }
}

TEST(DeviceKernel, PlansFitTheirLimits) {
  expect_plans_within({}, 3000);
  expect_plans_within(compute_unit.limits, 2000);
}

TEST(DeviceKernel, LinesThatFitNoBlockHaveNoPlan) {
  EXPECT_EQ(make_tile_plan(TileKind::c2c, 14528 + 8, 8).lines, 0);
  EXPECT_EQ(make_tile_plan(TileKind::c2c, 1 << 20, 4).lines, 0);
  EXPECT_EQ(make_tile_plan(TileKind::c2c, 10007, 8).lines, 0);
  EXPECT_GT(make_tile_plan(TileKind::c2c, 8192, 8).lines, 0);
}

TEST(DeviceKernel, AMissingBarrierIsFound) {
  TrafficCounters counters;
  const CheckedTeam team(64, 64 * 16, in_place, counters);
  const auto neighbours = [&](int thread) {
    team.put(thread, Number<double>{1.0 * thread, 0});
    if (thread > 0) team.get<Number<double>>(thread - 1);
  };
  EXPECT_THROW(team.each(neighbours), std::runtime_error);
}

TEST(DeviceKernel, ANumberThatNobodyWroteIsFound) {
  TrafficCounters counters;
  const CheckedTeam team(1, 64, in_place, counters);
  EXPECT_THROW(team.each([&](int) { team.get<Number<double>>(1); }), std::runtime_error);
}

}  // namespace
}  // namespace weft::test
