// Shorter forms of numbers in messages: that they are as accurate as promised, with every exchange
// method, and really shorter.
#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <vector>
#include <weft/plan.hpp>

#include "cases/run_case.hpp"
#include "device/device_exchanges.hpp"
#include "support/ranks.hpp"
#include "truth/truth.hpp"

namespace weft::test {
namespace {

/// The relative rounding error of a number, or of the larger part of a complex one.
double rounding_of(Wire wire) {
  return wire == Wire::single_ ? 0x1p-24 : wire == Wire::bfloat16 ? 0x1p-8 : 0x1p-11;
}

struct Sender {
  std::string device;
  std::string exchange;
};

std::vector<Sender> senders() {
  std::vector<Sender> all;
  for (const std::string& exchange : exchanges_here()) all.push_back({"cpu", exchange});
  for (const std::string& device : devices())
    for (const std::string& exchange : device_exchanges()) all.push_back({device, exchange});
  return all;
}

class WireTest : public testing::TestWithParam<Sender> {
 protected:
  static Case wired(const Transform& transform, const std::string& options) {
    Case one;
    one.name = "wired";
    one.transform = transform;
    one.options = Options::parse(options);
    one.options.engine_effort = EngineEffort::estimate;
    one.options.device = GetParam().device;
    one.options.exchange = GetParam().exchange;
    one.memories = {Memory::user, Memory::plan, Memory::in_place};
    return one;
  }
};

TEST_P(WireTest, IsAsAccurateAsItSays) {
  for (Wire wire : {Wire::single_, Wire::bfloat16, Wire::fixed12})
    for (Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r, Kind::r2c_packed}) {
      for (Precision precision : {Precision::double_, Precision::single_}) {
        Transform transform({12, 10, 16}, kind, {}, precision);
        if (kind == Kind::c2c) transform.modes = {Modes::up_to(4), Modes{}, Modes::up_to(5)};
        Case one = wired(transform, kind == Kind::r2c ? "decomposition=pencil, producer_chunks=2"
                                                      : "consumer_chunks=3");
        one.options.wire = wire;
        one.error_bound = 8 * rounding_of(wire);
        EXPECT_TRUE(check_case(one, MPI_COMM_WORLD)) << to_string(one);
      }
    }
}

TEST_P(WireTest, SendsFewerBytes) {
  const Transform transform({16, 12, 20}, Kind::c2c);
  // One layout for all: with another wire, another one might be chosen.
  Case one = wired(transform, "decomposition=slab, producer_chunks=1, consumer_chunks=1");
  const auto sent = [&](Wire wire) {
    one.options.wire = wire;
    const Plan plan = plan_of(one, MPI_COMM_WORLD);
    return static_cast<double>(plan.sent().bytes);
  };
  const double exact = sent(Wire::exact);
  EXPECT_EQ(sent(Wire::single_), exact / 2);
  EXPECT_EQ(sent(Wire::bfloat16), exact / 4);
  EXPECT_EQ(sent(Wire::fixed12), exact / 4);
}

INSTANTIATE_TEST_SUITE_P(Every, WireTest, testing::ValuesIn(senders()), [](const auto& info) {
  std::string name = info.param.device + "_" + info.param.exchange;
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

class WireErrorTest : public testing::TestWithParam<std::string> {};

TEST_P(WireErrorTest, TakesTheShortestThatMeetsTheBound) {
  const auto wire_for = [](double bound, Kind kind, Precision precision) {
    Options options = Options::parse("engine_effort=estimate, exchange=alltoallv");
    options.device = GetParam();
    options.wire_error = bound;
    return Plan(MPI_COMM_WORLD, Transform({12, 10, 14}, kind, {}, precision), options)
        .options()
        .wire;
  };
  if (world_ranks() == 1) GTEST_SKIP() << "nothing is sent";
  EXPECT_EQ(wire_for(1e-2, Kind::c2c, Precision::double_), Wire::fixed12);
  EXPECT_EQ(wire_for(1e-2, Kind::r2c, Precision::single_), Wire::fixed12);
  EXPECT_EQ(wire_for(1e-5, Kind::c2c, Precision::double_), Wire::single_);
  if (GetParam() == "cpu") {
    EXPECT_EQ(wire_for(3e-2, Kind::dct2, Precision::double_), Wire::bfloat16);
  }
  EXPECT_EQ(wire_for(1e-9, Kind::c2c, Precision::double_), Wire::exact);
}

INSTANTIATE_TEST_SUITE_P(OnAll, WireErrorTest, testing::Values("cpu", devices().back()),
                         [](const auto& info) {
                           return info.param == "cpu" ? "the_host" : "a_device";
                         });

TEST(FixedWireTest, IsForComplexNumbers) {
  EXPECT_THROW(Plan(MPI_COMM_WORLD, {8, 6, 10}, Kind::dct2, Options::parse("wire=fixed12")), Error);
}

}  // namespace
}  // namespace weft::test
