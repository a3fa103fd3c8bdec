// Options left open: chosen by wisdom, a search or the model, the same on all ranks, with right
// results for every choice.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <weft/plan.hpp>
#include <weft/tune.hpp>

#include "ranks.hpp"
#include "run_case.hpp"

namespace weft::test {
namespace {

/// A folder of wisdom for the length of a test, the same on all ranks.
class TuningTest : public testing::Test {
 protected:
  TuningTest() {
    int number = static_cast<int>(getpid());
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    path_ = std::filesystem::temp_directory_path() / ("weft-tuning-" + std::to_string(number));
    setenv("WEFT_WISDOM", path_.c_str(), 1);
  }
  ~TuningTest() override {
    setenv("WEFT_WISDOM", "none", 1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0) std::filesystem::remove_all(path_);
  }

  static Case open_case(const std::string& options) {
    Case one;
    one.name = "tuned";
    one.transform = Transform({12, 10, 8}, Kind::c2c);
    one.options = Options::parse("engine_effort=estimate, " + options);
    return one;
  }

  std::filesystem::path path_;
};

bool same_on_all_ranks(const std::string& text) {
  const std::size_t mine = std::hash<std::string>()(text);
  std::size_t least = mine, most = mine;
  MPI_Allreduce(MPI_IN_PLACE, &least, sizeof mine, MPI_BYTE, MPI_BAND, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &most, sizeof mine, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
  return least == mine && most == mine;
}

TEST_F(TuningTest, TheModelSettlesPlansAcrossNodes) {
  const Case one = open_case("ranks_per_node=1");
  const Plan plan = plan_of(one, MPI_COMM_WORLD);
  EXPECT_TRUE(same_on_all_ranks(to_string(plan.options())));
  if (world_ranks() > 1) {
    EXPECT_NE(plan.options().exchange, "auto");
    EXPECT_GT(plan.options().producer_chunks, 0);
    EXPECT_NE(plan.describe().find("the rest from the model"), std::string::npos);
  }
  EXPECT_TRUE(check_case(one, MPI_COMM_WORLD));
}

TEST_F(TuningTest, WhatIsAskedForStays) {
  const Case one = open_case("ranks_per_node=1, exchange=pairwise, producer_chunks=3");
  const Plan plan = plan_of(one, MPI_COMM_WORLD);
  EXPECT_EQ(plan.options().exchange, "pairwise");
  EXPECT_EQ(plan.options().producer_chunks, 3);
  EXPECT_TRUE(check_case(one, MPI_COMM_WORLD));
}

TEST_F(TuningTest, ASearchLeavesWisdomThatLaterPlansFind) {
  if (world_ranks() == 1) GTEST_SKIP() << "one rank has nothing to choose";
  const Case one = open_case("threads=1");
  const auto trials = tune(MPI_COMM_WORLD, one.transform, one.options, 0.5);
  ASSERT_FALSE(trials.empty());
  EXPECT_TRUE(same_on_all_ranks(to_string(trials.front().options)));
  for (std::size_t i = 1; i < trials.size(); ++i)
    if (trials[i].failure.empty()) {
      EXPECT_LE(trials[i - 1].measured_seconds, trials[i].measured_seconds);
    }
  const Plan plan = plan_of(one, MPI_COMM_WORLD);
  EXPECT_EQ(to_string(plan.options()), to_string(trials.front().options));
  EXPECT_NE(plan.describe().find("the rest from wisdom"), std::string::npos) << plan.describe();
  EXPECT_TRUE(check_case(one, MPI_COMM_WORLD));
}

TEST_F(TuningTest, EffortMeasureSearchesOnce) {
  if (world_ranks() == 1) GTEST_SKIP() << "one rank has nothing to choose";
  const Case one = open_case("effort=measure, tuning_seconds=0.3");
  const Plan first = plan_of(one, MPI_COMM_WORLD);
  EXPECT_NE(first.describe().find("the rest from a search"), std::string::npos);
  const Plan second = plan_of(one, MPI_COMM_WORLD);
  EXPECT_NE(second.describe().find("the rest from wisdom"), std::string::npos);
  EXPECT_TRUE(check_case(one, MPI_COMM_WORLD));
}

TEST_F(TuningTest, WisdomIsFoundHoweverLongTheSearchWasAllowedToTake) {
  if (world_ranks() == 1) GTEST_SKIP() << "one rank has nothing to choose";
  const Plan searched = plan_of(open_case("effort=measure, tuning_seconds=0.3"), MPI_COMM_WORLD);
  for (const char* asked :
       {"threads=1", "tuning_seconds=2", "effort=measure, tuning_seconds=0.4"}) {
    const Plan plan = plan_of(open_case(asked), MPI_COMM_WORLD);
    EXPECT_NE(plan.describe().find("the rest from wisdom"), std::string::npos) << asked;
    EXPECT_EQ(plan.options(), searched.options()) << asked;
  }
}

TEST_F(TuningTest, DamagedWisdomIsIgnored) {
  if (world_ranks() == 1) GTEST_SKIP() << "one rank has nothing to choose";
  const Case one = open_case("threads=1");
  tune(MPI_COMM_WORLD, one.transform, one.options, 0.1);
  if (world_rank() == 0) {
    EXPECT_FALSE(std::filesystem::is_empty(path_));
    for (const auto& file : std::filesystem::directory_iterator(path_))
      std::ofstream(file.path()) << "{ \"key\": ";
  }
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ(plan_of(one, MPI_COMM_WORLD).describe().find("the rest from wisdom"),
            std::string::npos);
  EXPECT_TRUE(check_case(one, MPI_COMM_WORLD));
}

TEST_F(TuningTest, AFileInTheFoldersPlaceIsIgnored) {
  if (world_rank() == 0) std::ofstream(path_) << "{}";
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_TRUE(check_case(open_case("ranks_per_node=1"), MPI_COMM_WORLD));
  EXPECT_TRUE(check_case(open_case("threads=1"), MPI_COMM_WORLD));
}

TEST_F(TuningTest, MistakesAreErrorsBeforeAnythingIsMeasured) {
  EXPECT_THROW(tune(MPI_COMM_WORLD, Transform({8, 0, 8}, Kind::c2c), {}, 1), Error);
  EXPECT_THROW(
      tune(MPI_COMM_WORLD, Transform({8, 8, 8}, Kind::c2c), Options::parse("grid=7x7x7"), 1),
      Error);
}

}  // namespace
}  // namespace weft::test
