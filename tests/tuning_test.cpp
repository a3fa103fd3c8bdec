// Options left open: chosen by wisdom, a search or the model, the same on all ranks, with right
// results for every choice.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <weft/plan.hpp>
#include <weft/tune.hpp>

#include "error_checks.hpp"
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
    Options found = plan.options();
    found.effort = searched.options().effort;
    found.tuning_seconds = searched.options().tuning_seconds;
    EXPECT_EQ(to_string(found), to_string(searched.options())) << asked;
  }
}

/// A file that proposes more than a search varies, or what this job cannot do.
TEST_F(TuningTest, WisdomIsAProposal) {
  if (world_ranks() == 1) GTEST_SKIP() << "one rank has nothing to choose";
  const Case one = open_case("threads=1");
  tune(MPI_COMM_WORLD, one.transform, one.options, 0.1);
  const auto plan_with_wisdom = [&](const std::string& proposal) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0)
      for (const auto& file : std::filesystem::directory_iterator(path_)) {
        std::stringstream text;
        text << std::ifstream(file.path()).rdbuf();
        std::string entry = text.str();
        const std::string name = "\"options\": \"";
        const auto begin = entry.rfind(name) + name.size();  // the key's are before the value's
        if (entry.find("measured_seconds") == std::string::npos) continue;
        entry.replace(begin, entry.find('"', begin) - begin, proposal);
        std::ofstream(file.path()) << entry;
      }
    MPI_Barrier(MPI_COMM_WORLD);
    return plan_of(one, MPI_COMM_WORLD);
  };
  const Plan plan = plan_with_wisdom(
      "exchange=p2p, producer_chunks=2, wire=float, arrays=plan, fields=3, wire_error=0.1, "
      "output=natural, count_limit=7, errors=raise");
  EXPECT_NE(plan.describe().find("the rest from wisdom"), std::string::npos) << plan.describe();
  Options expected = one.options;
  expected.exchange = "p2p";
  expected.producer_chunks = 2;
  EXPECT_EQ(to_string(plan.options()), to_string(expected));
  for (const char* impossible :
       {"grid=7x7x7", "exchange=shared/shared/shared/shared", "threads=1000000"}) {
    const Plan without = plan_with_wisdom(impossible);
    EXPECT_EQ(without.describe().find("the rest from wisdom"), std::string::npos) << impossible;
  }
  EXPECT_EQ(plan_with_wisdom("exchange=pairwise_in_place").options().exchange, "auto");
  EXPECT_TRUE(check_case(one, MPI_COMM_WORLD));
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
  for (const double seconds : {0.0, -1.0, std::nan("")})
    EXPECT_THROW(tune(MPI_COMM_WORLD, Transform({8, 8, 8}, Kind::c2c), {}, seconds), Error);
}

TEST_F(TuningTest, WhatAReportThrowsOnOneRankIsThrownOnAll) {
  const auto report = [](const Trial&) {
    if (is_last_rank()) throw std::runtime_error("no more");
  };
  const std::string error = error_of([&] {
    tune(MPI_COMM_WORLD, Transform({8, 8, 8}, Kind::c2c), {}, 0.1, report);
  });
  EXPECT_NE(error.find("no more"), std::string::npos) << error;
}

}  // namespace
}  // namespace weft::test
