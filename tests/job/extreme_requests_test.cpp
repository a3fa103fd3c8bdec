// Values that no sensible caller passes, as bindings and mistakes do: what is no enumerator, and
// numbers without bound. All ranks get the same error, or the plan works.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <weft/weft.hpp>

#include "cases/run_case.hpp"
#include "support/errors_on_all_ranks.hpp"
#include "support/ranks.hpp"

namespace weft::test {
namespace {

const Transform good({6, 5, 4}, Kind::c2c);

using ChangeOptions = std::function<void(Options&)>;

TEST(ErrorsTest, ValuesThatAreNoEnumeratorsOfOptions) {
  struct Value {
    ChangeOptions change;
    std::string name, number, valid;
  };
  const Value values[] = {
      {[](Options& o) { o.decomposition = Decomposition{55}; }, "decomposition", "55", "brick"},
      {[](Options& o) { o.partition = Partition{9}; }, "partition", "9", "balanced"},
      {[](Options& o) { o.output = OutputLayout{3}; }, "output", "3", "natural"},
      {[](Options& o) { o.engine_effort = EngineEffort{3}; }, "engine_effort", "3", "patient"},
      {[](Options& o) { o.effort = Effort{-7}; }, "effort", "-7", "measure"},
      {[](Options& o) { o.schedule = ScheduleForm{2}; }, "schedule", "2", "split"},
      {[](Options& o) { o.start_order = StartOrder{2}; }, "start_order", "2", "producer"},
      {[](Options& o) { o.pack_order = PackOrder{2}; }, "pack_order", "2", "producer"},
      {[](Options& o) { o.progress = ProgressPolicy{-1}; }, "progress", "-1", "adaptive"},
      {[](Options& o) { o.arrays = Arrays{2}; }, "arrays", "2", "any"},
      {[](Options& o) { o.wire = Wire{17}; }, "wire", "17", "bfloat16"},
      {[](Options& o) { o.errors = ErrorPolicy{2}; }, "errors", "2", "raise"}};
  for (const Value& value : values)
    expect_plan_error(good, changed(value.change), {value.name, value.number, value.valid});
}

TEST(ErrorsTest, ValuesThatAreNoEnumeratorsOfTransforms) {
  struct Value {
    std::function<void(Transform&)> change;
    std::string name, number, valid;
  };
  const Value values[] = {
      {[](Transform& t) { t.kinds[1] = Kind{99}; }, "kind", "99", "c2c"},
      {[](Transform& t) { t.kinds[0] = Kind{-1}; }, "kind", "-1", "c2c"},
      {[](Transform& t) { t.precision = Precision{9}; }, "precision", "9", "double"},
      {[](Transform& t) { t.scale.rule = Scale::Rule{9}; }, "scale", "9", "ortho"},
      {[](Transform& t) { t.dropped = Dropped{9}; }, "dropped", "9", "absent"}};
  for (const Value& value : values) {
    Transform transform = good;
    value.change(transform);
    expect_plan_error(transform, {}, {value.name, value.number, value.valid});
  }
  expect_error_everywhere([] { Plan(MPI_COMM_WORLD, {6, 5, 4}, Kind{99}); }, {"kind", "99"});
}

TEST(ErrorsTest, NumbersWithoutBound) {
  constexpr int most = std::numeric_limits<int>::max();
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  struct Value {
    ChangeOptions change;
    std::string name, valid;
  };
  std::vector<Value> values{
      {[](Options& o) { o.threads = most; }, "threads", "to 4096"},
      {[](Options& o) { o.fields = 5000; }, "fields=5000", "to 1024"},
      {[](Options& o) { o.producer_chunks = most; }, "producer_chunks", "from 0 to 4096"},
      {[](Options& o) { o.poll_tiles = -3; }, "poll_tiles=-3", "from 1"},
      {[](Options& o) { o.start_share = 0; }, "start_share=0", "above 0"}};
  const auto add = [&](const std::string& name, double Options::*member,
                       const std::vector<double>& wrong) {
    for (const double number : wrong)
      values.push_back({[=](Options& o) { o.*member = number; }, name, "valid"});
  };
  add("start_share", &Options::start_share, {nan, -1, infinity});
  add("wire_error", &Options::wire_error, {nan, -1e-3, infinity});
  add("tuning_seconds", &Options::tuning_seconds, {nan, -1, infinity});
  add("stall_seconds", &Options::stall_seconds, {nan, -1, infinity});
  add("stall_limit", &Options::stall_limit, {nan, -1, infinity});
  for (const Value& value : values)
    expect_plan_error(good, changed(value.change), {value.name, value.valid});
  const Box huge{{std::numeric_limits<Index>::min()}, {std::numeric_limits<Index>::max()}};
  expect_error_everywhere([&] { Layout::boxes({4}, {huge, huge}); }, {"boxes", "not inside"});
}

/// They are cut to what the axis has: blocks of nothing would take a schedule of a million steps.
TEST(ExtremeRequestsTest, MoreChunksThanIndices) {
  Case one;
  one.name = "many_chunks";
  one.transform = Transform({12, 10, 8}, Kind::c2c);
  for (const std::string exchange : {"auto", "p2p", "alltoallv"}) {
    one.options = Options::parse(
        "engine_effort=estimate, producer_chunks=1000, consumer_chunks=1000, exchange=" + exchange);
    EXPECT_TRUE(check_case(one, MPI_COMM_WORLD));
    if (world_ranks() == 1) continue;
    const std::string text = plan_of(one, MPI_COMM_WORLD).describe();
    EXPECT_EQ(text.find("chunks 1000"), std::string::npos) << text;
    EXPECT_NE(text.find("chunks "), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace weft::test
