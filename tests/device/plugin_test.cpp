// Devices of plugins, in environments that tests/CMakeLists.txt sets up: without a plugin, with the
// one of CUDA and no driver, with one that pretends to have two devices.
#include <gtest/gtest.h>

#include <algorithm>

#include "job/device_of_rank.hpp"
#include "support/errors_on_all_ranks.hpp"
#include "support/ranks.hpp"

namespace weft::test {
namespace {

void expect_refused(const std::string& device, const std::string& reason) {
  expect_plan_error({{4, 4}, Kind::c2c}, changed([&](Options& o) { o.device = device; }),
                    {"device " + device, reason, "valid here are cpu, emulated, emulated-lazy"});
}

bool is_named(const std::string& device) { return std::ranges::count(device_names(), device) == 1; }

TEST(DISABLED_PluginTest, WhereThereIsNone) {
  expect_refused("cuda", "the plugin libweft_cuda.so cannot be opened");
  expect_refused("cuda:auto", "the plugin libweft_cuda.so cannot be opened");
  expect_refused("hip", "the plugin libweft_hip.so cannot be opened");
  EXPECT_FALSE(is_named("cuda"));
}

TEST(DISABLED_PluginTest, WithoutADriver) {
  expect_refused("cuda", "no driver of CUDA");
  expect_refused("cuda:1", "no driver of CUDA");
  EXPECT_FALSE(is_named("cuda"));
}

TEST(DISABLED_PluginTest, WithoutAnAmdGpu) {
  expect_refused("hip", "HIP's runtime finds no AMD GPU");
  expect_refused("hip:auto", "HIP's runtime finds no AMD GPU");
  EXPECT_FALSE(is_named("hip"));
}

TEST(DISABLED_PluginTest, OfTwoDevices) {
  for (const char* const device : {"cuda", "cuda:auto", "cuda:0", "cuda:1"})
    EXPECT_TRUE(is_named(device));
  EXPECT_FALSE(is_named("cuda:2"));
  expect_refused("cuda:2", "there are 2 here, cuda:0 to cuda:1");
}

/// The pretended plugin can use two of the four GPUs, and numbers them in another order.
TEST(DISABLED_PluginTest, OfTheGpuNearby) {
  const Job job = join_job(MPI_COMM_WORLD, 0);
  EXPECT_EQ(device_of_rank(job, "cuda:auto"), world_rank() % 2 == 0 ? "cuda:1" : "cuda:0");
  EXPECT_EQ(device_of_rank(job, "cuda:0"), "cuda:0");
  Options options;
  options.device = "cuda:auto";
  const Plan plan(MPI_COMM_WORLD, {4, 5, 6}, Kind::c2c, options);
  expect_words(plan.describe(), {world_rank() % 2 == 0 ? "device cuda:auto: cuda:1 on this rank"
                                                       : "device cuda:auto: cuda:0 on this rank"});
}

/// Where hwloc sees no GPU, as in some containers.
TEST(DISABLED_PluginTest, OfRanksThatTakeTurns) {
  const Job job = join_job(MPI_COMM_WORLD, 0);
  EXPECT_EQ(device_of_rank(job, "cuda:auto"), world_rank() % 2 == 0 ? "cuda:0" : "cuda:1");
}

}  // namespace
}  // namespace weft::test
