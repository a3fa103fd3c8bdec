// Options left open: chosen by wisdom, a search or the model, the same on all ranks, with right
// results for every choice.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>
#include <weft/plan.hpp>
#include <weft/tune.hpp>

#include "cases/run_case.hpp"
#include "option/option_rows.hpp"
#include "support/environment.hpp"
#include "support/error_checks.hpp"
#include "support/ranks.hpp"

namespace weft::test {
namespace {

/// A folder of wisdom for the length of a test, the same on all ranks.
class TuningTest : public testing::Test {
 protected:
  TuningTest() {
    int number = static_cast<int>(getpid());
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    path_ = std::filesystem::temp_directory_path() / ("weft-tuning-" + std::to_string(number));
    wisdom_.set(path_);
  }
  ~TuningTest() override {
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
  EnvironmentVariable wisdom_{"WEFT_WISDOM"};
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
    expect_words(plan.describe(), {"the rest from the model"});
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

/// Needs ranks between which there is something to choose.
class ChoiceTest : public TuningTest {
 protected:
  void SetUp() override {
    if (world_ranks() == 1) GTEST_SKIP() << "one rank has nothing to choose";
  }
};

TEST_F(ChoiceTest, ASearchLeavesWisdomThatLaterPlansFind) {
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
  expect_words(plan.describe(), {"the rest from wisdom"});
  EXPECT_TRUE(check_case(one, MPI_COMM_WORLD));
}

TEST_F(ChoiceTest, EffortMeasureSearchesOnce) {
  const Case one = open_case("effort=measure, tuning_seconds=0.3");
  const Plan first = plan_of(one, MPI_COMM_WORLD);
  expect_words(first.describe(), {"the rest from a search"});
  const Plan second = plan_of(one, MPI_COMM_WORLD);
  expect_words(second.describe(), {"the rest from wisdom"});
  EXPECT_TRUE(check_case(one, MPI_COMM_WORLD));
}

TEST_F(ChoiceTest, WisdomIsFoundHoweverLongTheSearchWasAllowedToTake) {
  const Plan searched = plan_of(open_case("effort=measure, tuning_seconds=0.3"), MPI_COMM_WORLD);
  for (const char* asked :
       {"threads=1", "tuning_seconds=2", "effort=measure, tuning_seconds=0.4"}) {
    const Plan plan = plan_of(open_case(asked), MPI_COMM_WORLD);
    SCOPED_TRACE(asked);
    expect_words(plan.describe(), {"the rest from wisdom"});
    Options found = plan.options();
    found.effort = searched.options().effort;
    found.tuning_seconds = searched.options().tuning_seconds;
    EXPECT_EQ(to_string(found), to_string(searched.options())) << asked;
  }
}

/// Figures of another machine for the length of a test.
class FewerRanksTest : public ChoiceTest {
 protected:
  EnvironmentVariable figures_{"WEFT_FIGURES"};
};

TEST_F(FewerRanksTest, AreWhatTheModelExpectsToBeFastest) {
  const Case one = open_case("active_ranks=auto");
  figures_.set("memory=1e15 fft=1e15");
  const Plan few = plan_of(one, MPI_COMM_WORLD);
  EXPECT_EQ(few.options().active_ranks, 1);
  EXPECT_EQ(few.input_layout().positions(), 1);
  expect_words(few.describe(), {"on the first of ", "the model expects", "ms on all"});
  EXPECT_TRUE(same_on_all_ranks(to_string(few.options())));
  EXPECT_TRUE(check_case(one, MPI_COMM_WORLD));
  figures_.set("memory=1 fft=1");
  const Plan all = plan_of(one, MPI_COMM_WORLD);
  EXPECT_EQ(all.options().active_ranks, 0);
  EXPECT_EQ(all.input_layout().positions(), world_ranks());
  expect_words(all.describe(), {"on all ", "the model expects", "on no fewer ranks"});
}

TEST_F(FewerRanksTest, AreTakenOnlyWhereTheCallerLeavesThemOpen) {
  figures_.set("memory=1e15 fft=1e15");
  for (const char* asked : {"threads=1", "ranks_per_node=1", "active_ranks=2"})
    EXPECT_EQ(plan_of(open_case(asked), MPI_COMM_WORLD).input_layout().positions(),
              std::string(asked) == "active_ranks=2" ? 2 : world_ranks())
        << asked;
  Case given = open_case("active_ranks=auto");
  given.layouts = {Layout::slabs(given.transform.shape, world_ranks()),
                   Layout::slabs(given.transform.shape, world_ranks(), 1)};
  EXPECT_TRUE(check_case(given, MPI_COMM_WORLD));
}

TEST_F(FewerRanksTest, AreMeasuredAndKeptAsWisdom) {
  const Case one = open_case("active_ranks=auto");
  const auto trials = tune(MPI_COMM_WORLD, one.transform, one.options, 0.5);
  EXPECT_TRUE(std::ranges::any_of(
      trials, [](const Trial& trial) { return trial.options.active_ranks == 1; }));
  const Plan plan = plan_of(one, MPI_COMM_WORLD);
  EXPECT_EQ(to_string(plan.options()), to_string(trials.front().options));
  expect_words(plan.describe(), {"the rest from wisdom", "an earlier search"});
  EXPECT_TRUE(check_case(one, MPI_COMM_WORLD));
}

/// A folder with one entry, whose options a test replaces.
class ProposalTest : public ChoiceTest {
 protected:
  /// The options of a plan that reads the proposal, and the message of rank 0 on stderr.
  std::pair<Options, std::string> plan_with(const Case& one, const std::string& proposal) {
    tune(MPI_COMM_WORLD, one.transform, one.options, 0.05);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0) replace_options(proposal);
    MPI_Barrier(MPI_COMM_WORLD);
    testing::internal::CaptureStderr();
    const Plan plan = plan_of(one, MPI_COMM_WORLD);
    const std::string said = testing::internal::GetCapturedStderr();
    is_from_wisdom_ = plan.describe().find("the rest from wisdom") != std::string::npos;
    return {plan.options(), said};
  }

  /// The entry is ignored, which rank 0 says in one line.
  void expect_ignored(const Case& one, const std::string& proposal, const std::string& reason) {
    SCOPED_TRACE(proposal);
    const std::string said = plan_with(one, proposal).second;
    EXPECT_FALSE(is_from_wisdom_);
    if (world_rank() != 0)
      EXPECT_EQ(said, "");
    else
      expect_words(said, {"weft: wisdom for 12x10x8 c2c double is not used: ", reason});
  }

  bool is_from_wisdom_ = false;

 private:
  void replace_options(const std::string& proposal) const {
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
  }
};

/// A setting of every option that a search does not vary.
const std::vector<std::string> not_for_wisdom{
    "partition=blocks",   "output=natural",   "effort=measure",     "tuning_seconds=7",
    "poll_tiles=9",       "schedule=split",   "arrays=plan",        "engine_effort=patient",
    "wire=float",         "wire_error=0.1",   "fields=3",           "errors=raise",
    "check_calls=1",      "verify=1",         "stall_seconds=0.01", "stall_limit=0.02",
    "inter_node=p2p",     "ranks_per_node=1", "count_limit=7",      "device=emulated",
    "device_path=staged", "axes_per_pass=1"};

TEST_F(ProposalTest, SetsOnlyWhatASearchVaries) {
  const Case one = open_case("threads=1");
  std::string proposal = "exchange=p2p, producer_chunks=2";
  for (const std::string& setting : not_for_wisdom) proposal += ", " + setting;
  const auto [options, said] = plan_with(one, proposal);
  EXPECT_TRUE(is_from_wisdom_);
  EXPECT_EQ(said, "");
  Options expected = one.options;
  expected.exchange = "p2p";
  expected.producer_chunks = 2;
  EXPECT_EQ(to_string(options), to_string(expected));
  EXPECT_TRUE(check_case(one, MPI_COMM_WORLD));
}

TEST_F(ProposalTest, ASettingOfEveryOptionThatASearchDoesNotVary) {
  std::vector<std::string> wanted, given;
  for (const OptionRow& row : option_rows())
    if (row.role == OptionRole::plan || row.role == OptionRole::watch) wanted.push_back(row.name);
  for (const std::string& setting : not_for_wisdom)
    given.push_back(setting.substr(0, setting.find('=')));
  std::ranges::sort(wanted);
  std::ranges::sort(given);
  EXPECT_EQ(given, wanted);
}

TEST_F(ProposalTest, OfRanksIsForThoseWhoAsk) {
  const Case open = open_case("active_ranks=auto");
  EXPECT_EQ(plan_with(open, "active_ranks=1").first.active_ranks, 1);
  EXPECT_EQ(plan_with(open, "exchange=p2p").first.active_ranks, 0) << "of an older version";
  expect_ignored(open, "active_ranks=1000", "1 to the");
  EXPECT_EQ(plan_with(open_case("threads=1"), "active_ranks=1").first.active_ranks, 0);
}

TEST_F(ProposalTest, IsIgnoredWhereThisJobCannotDoIt) {
  const Case one = open_case("threads=1");
  expect_ignored(one, "grid=7x7x7", "grid");
  expect_ignored(one, "exchange=shared/shared/shared/shared", "names 4 methods");
  expect_ignored(one, "threads=4000", "this machine has");
  EXPECT_EQ(plan_with(one, "exchange=pairwise_in_place").first.exchange, "auto");
  expect_ignored(open_case("ranks_per_node=1"), "exchange=shared", "are on several nodes");
  EXPECT_TRUE(check_case(one, MPI_COMM_WORLD));
}

/// In a test of its own, where the job has less than MPI_THREAD_MULTIPLE.
TEST_F(ProposalTest, ThreadsThatCallMpiNeedTheLevel) {
  const Case one = open_case("threads=1");
  if (!threads_may_use_mpi())
    return expect_ignored(one, "progress=thread", "needs MPI_THREAD_MULTIPLE");
  EXPECT_EQ(plan_with(one, "progress=thread").first.progress, ProgressPolicy::thread);
}

TEST_F(ProposalTest, OnlyRankZeroReadsIt) {
  const Case one = open_case("threads=1");
  if (world_rank() != 0) wisdom_.set("/proc/nothing/here");
  const Options found = plan_with(one, "exchange=p2p, producer_chunks=2").first;
  EXPECT_TRUE(is_from_wisdom_);
  EXPECT_TRUE(same_on_all_ranks(to_string(found)));
  EXPECT_EQ(found.exchange, "p2p");
}

TEST_F(ProposalTest, IsForThePlacementThatItWasFoundWith) {
  if (!on_one_node()) GTEST_SKIP() << "where each rank has a node already, no other can be asked";
  const Case one = open_case("threads=1");
  tune(MPI_COMM_WORLD, one.transform, one.options, 0.05);
  const char* const before = std::getenv("WEFT_RANKS_PER_NODE");
  {
    const EnvironmentVariable nodes("WEFT_RANKS_PER_NODE",
                                    std::string(before ? before : "") == "1" ? "2" : "1");
    const Plan elsewhere = plan_of(one, MPI_COMM_WORLD);
    EXPECT_EQ(elsewhere.describe().find("the rest from wisdom"), std::string::npos);
  }
  expect_words(plan_of(one, MPI_COMM_WORLD).describe(), {"the rest from wisdom"});
}

TEST_F(ChoiceTest, DamagedWisdomIsIgnored) {
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
