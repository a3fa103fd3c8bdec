// Whether MPI is given addresses of devices, by an MPI that takes them, or says so and lies, fails
// or crashes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <weft/describe.hpp>

#include "device/aware_mpi.hpp"
#include "device/device_arrays.hpp"
#include "mpi/device_support.hpp"
#include "support/environment.hpp"
#include "support/errors_on_all_ranks.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;

Options lazy_options(const std::string& exchange) { return options_for("emulated-lazy", exchange); }

Plan plan_for(const Options& options) {
  return Plan(MPI_COMM_WORLD, {6, 7, 8}, Kind::c2c, options);
}

/// The line about the path in a plan's description.
std::string path_of(const Plan& plan) {
  std::istringstream lines(plan.describe());
  for (std::string line; std::getline(lines, line);)
    if (line.find("  device_path ") == 0) return line;
  return "";
}

/// The addresses of devices that MPI is given by all ranks in two transforms, which must be right.
int addresses_in_transforms(Plan& plan) {
  device_addresses();
  expect_right_transforms(plan);
  int addresses = device_addresses();
  MPI_Allreduce(MPI_IN_PLACE, &addresses, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return addresses;
}

/// Wisdom in a folder of its own, on rank 0, which keeps marks for all.
class DevicePathTest : public testing::Test {
 protected:
  DevicePathTest() {
    pretend({});
    if (world_rank() != 0) return;
    fs::remove_all(folder_);
    wisdom_.set(folder_);
  }
  ~DevicePathTest() override {
    pretend({});
    if (world_rank() == 0) fs::remove_all(folder_);
  }

  void SetUp() override {
    if (world_ranks() == 1) GTEST_SKIP() << "nothing is sent";
  }

  /// The text of the only file; empty if there is none.
  std::string mark() const {
    std::ostringstream text;
    if (fs::exists(folder_))
      for (const auto& file : fs::directory_iterator(folder_))
        if (file.path().extension() == ".txt") text << std::ifstream(file.path()).rdbuf();
    return text.str();
  }
  void set_mark(const std::string& state) const {
    for (const auto& file : fs::directory_iterator(folder_)) {
      const std::string text = mark();
      std::ofstream(file.path()) << state << text.substr(text.find(": "));
    }
  }

  fs::path folder_ = fs::temp_directory_path() / ("weft-device-path-" + std::to_string(getpid()));
  EnvironmentVariable wisdom_{"WEFT_WISDOM"};
};

bool sends_messages(const std::string& exchange) {
  return exchange != "shared" && exchange != "push";
}

/// Methods that write into windows, or give MPI their addresses when the plan is made.
bool may_avoid_addresses(const std::string& exchange) {
  return !sends_messages(exchange) || exchange == "put" || exchange == "persistent" ||
         (exchange == "two_level" && on_one_node());
}

/// MPICH answers for itself; Open MPI has another name for AMD's GPUs.
TEST_F(DevicePathTest, OpenMpiIsAskedForRocm) {
  for (const bool says_yes : {true, false}) {
    pretend({.says_yes = says_yes});
    const DeviceSupport hip = device_support("hip");
    if (hip.said.starts_with("MPIX_Query_rocm_support of")) {
      EXPECT_EQ(hip.claimed, says_yes);
    } else {
      EXPECT_TRUE(hip.said.starts_with("MPIX_Query_hip_support of")) << hip.said;
    }
  }
}

TEST_F(DevicePathTest, AnMpiThatTakesAddressesIsGivenThem) {
  for (const std::string& exchange : exchanges_here()) {
    if (exchange == "alltoallw") continue;
    for (const char* const device : {"emulated", "emulated-lazy"}) {
      SCOPED_TRACE(exchange + " on " + device);
      running("addresses of a device, exchange " + exchange);
      Plan plan = plan_for(options_for(device, exchange));
      if (!sends_messages(exchange) || exchange == "put")
        EXPECT_EQ(path_of(plan), "");
      else
        expect_words(path_of(plan), {"device_path direct: ", "MPIX_Query_emulated_support",
                                     "says yes", "a test of this plan's buffers confirms it"});
      const int addresses = addresses_in_transforms(plan);
      if (!may_avoid_addresses(exchange)) {
        EXPECT_GT(addresses, 0);
      }
      if (exchange == "put") {
        EXPECT_EQ(addresses, 0) << "one-sided calls are always staged";
      }
    }
  }
  if (world_rank() == 0) {
    EXPECT_EQ(mark().find("works: direct messages of device=emulated"), 0U);
  }
}

TEST_F(DevicePathTest, BetweenLeadersOfNodesAsWell) {
  if (world_ranks() < 4) GTEST_SKIP() << "two nodes of two ranks";
  Options options = lazy_options("two_level");
  options.ranks_per_node = 2;
  Plan plan = plan_for(options);
  expect_words(path_of(plan), {"device_path direct: "});
  EXPECT_GT(addresses_in_transforms(plan), 0);
}

/// Blocks that arrive changed.
struct Lie {
  std::string name;
  std::function<bool(std::size_t bytes, bool is_collective)> delivers;
};
const std::vector<Lie>& lies() {
  static const std::vector<Lie> lies{
      {"AlwaysWrong", [](std::size_t, bool) { return false; }},
      {"LargeOnesAreWrong", [](std::size_t bytes, bool) { return bytes <= 4096; }},
      {"CollectivesAreWrong", [](std::size_t, bool is_collective) { return !is_collective; }},
      {"WrongOnTheLastRank", [](std::size_t, bool) { return !is_last_rank(); }}};
  return lies;
}

class LyingMpiTest : public DevicePathTest, public testing::WithParamInterface<Lie> {};

TEST_P(LyingMpiTest, IsNotBelieved) {
  pretend({.delivers = GetParam().delivers});
  Options options = lazy_options("alltoallv");
  Plan plan(MPI_COMM_WORLD, {32, 32, 64}, Kind::c2c, options);
  const std::string path = path_of(plan);
  expect_words(path, {"device_path staged: ", "says yes", "a test of this plan's buffers found",
                      "arrived wrong"});
  EXPECT_EQ(path, shared_by_rank_0(path));
  EXPECT_EQ(addresses_in_transforms(plan), 0);
  if (world_rank() == 0) expect_words(mark(), {"arrived wrong", "device=emulated-lazy"});
  // It is only a result: with another MPI of that name it is found out again.
  pretend({});
  expect_words(path_of(plan_for(options)), {"device_path direct: "});
}

INSTANTIATE_TEST_SUITE_P(Lies, LyingMpiTest, testing::ValuesIn(lies()),
                         [](const testing::TestParamInfo<Lie>& info) { return info.param.name; });

TEST_F(DevicePathTest, AnMpiThatReturnsErrorsIsNotUsed) {
  pretend({.status = MPI_ERR_BUFFER});
  Plan plan = plan_for(lazy_options("p2p"));
  expect_words(path_of(plan), {"device_path staged: ", "MPI_Isend"});
  EXPECT_EQ(addresses_in_transforms(plan), 0);
}

TEST_F(DevicePathTest, AnMpiThatSaysNoIsNotTested) {
  pretend({.says_yes = false});
  device_addresses();
  Plan plan = plan_for(lazy_options("p2p"));
  expect_words(path_of(plan), {"device_path staged: ", "says no"});
  EXPECT_EQ(device_addresses(), 0);
  EXPECT_EQ(addresses_in_transforms(plan), 0);
  EXPECT_EQ(mark(), "");
}

TEST_F(DevicePathTest, OnlyOneRanksMpiSaysNo) {
  pretend({.says_yes = !is_last_rank()});
  const Plan plan = plan_for(lazy_options("p2p"));
  expect_words(path_of(plan), {"device_path staged: ", is_last_rank() ? "says no" : "not on all"});
}

TEST_F(DevicePathTest, WhatTheOptionsSayIsDone) {
  Options options = lazy_options("p2p");
  options.device_path = DevicePath::staged;
  Plan staged = plan_for(options);
  expect_words(path_of(staged), {"device_path staged: as the options say"});
  EXPECT_EQ(addresses_in_transforms(staged), 0);
  pretend({.says_yes = false});  // which is not asked
  options.device_path = DevicePath::direct;
  Plan direct = plan_for(options);
  expect_words(path_of(direct), {"device_path direct: as the options say"});
  EXPECT_GT(addresses_in_transforms(direct), 0);
  EXPECT_EQ(mark(), "");
}

TEST_F(DevicePathTest, WhileItIsTestedAMarkSaysSo) {
  std::string during;
  pretend({.delivers = [&](std::size_t, bool) {
    if (world_rank() == 0 && during.empty()) during = mark();
    return true;
  }});
  EXPECT_EQ(mark(), "");
  plan_for(lazy_options("p2p"));
  if (world_rank() == 0) {
    EXPECT_EQ(during.find("testing: direct messages of device=emulated-lazy on "), 0U) << during;
    EXPECT_EQ(mark().find("works: "), 0U) << mark();
    set_mark("testing");
  }
  const std::string path = path_of(plan_for(lazy_options("p2p")));
  expect_words(path, {"device_path staged: ", "an earlier test of it has not ended", "remove "});
  EXPECT_EQ(path, shared_by_rank_0(path));
  if (world_rank() == 0) fs::remove_all(folder_);
  expect_words(path_of(plan_for(lazy_options("p2p"))), {"device_path direct: "});
}

TEST_F(DevicePathTest, WithoutWisdomThereIsNoMark) {
  wisdom_.set("none");
  expect_words(path_of(plan_for(lazy_options("p2p"))), {"device_path direct: "});
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(DevicePathTest, WhatCannotBeDirectIsAnError) {
  Options options = lazy_options("put");
  options.device_path = DevicePath::direct;
  const Transform transform({6, 7, 8}, Kind::c2c);
  expect_plan_error(transform, options,
                    {"exchange put", "device_path=direct", "valid there are auto", "p2p"});
  options.exchange = "alltoallw";
  expect_plan_error(transform, options, {"exchange alltoallw", "device=emulated-lazy", "p2p"});
  options.exchange = "two_level";
  options.inter_node = "put";
  expect_plan_error(transform, options, {"inter_node put", "device_path=direct", "alltoallv"});
  expect_error([] { Options::parse("device_path=gpu"); }, {"are auto, direct, staged"});
}

/// For device_path_crash_test.py, which starts it twice, with wisdom in the same folder.
TEST(DISABLED_CrashingMpiTest, CrashesOnce) {
  pretend({.delivers = [](std::size_t, bool) {
    std::raise(SIGKILL);
    return false;
  }});
  Plan plan = plan_for(lazy_options("alltoallv"));
  expect_words(path_of(plan), {"device_path staged: ", "has not ended"});
  addresses_in_transforms(plan);
}

}  // namespace
}  // namespace weft::test
