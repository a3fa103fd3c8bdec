// Schedules and the memory sharing that they allow: what the checker accepts and refuses, and that
// no two buffers in use at the same time share memory.
#include "plan/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>
#include <weft/error.hpp>

#include "plan/memory_plan.hpp"
#include "support/sanitizers.hpp"

namespace weft {
namespace {

std::vector<ScheduleShape> shapes() {
  std::vector<ScheduleShape> result;
  const std::vector<std::vector<int>> chains{{1},       {1, 1},    {4, 1},       {2, 3},
                                             {5, 8},    {3, 3},    {4, 4, 3},    {1, 1, 1},
                                             {2, 5, 4}, {6, 6, 6}, {3, 3, 2, 2}, {8, 8, 8, 8}};
  for (const auto& chunks : chains)
    for (bool aligned : {false, true})
      for (int fields : {1, 2, 3}) {
        ScheduleShape shape;
        shape.chunks = chunks;
        for (int exchange = 0; exchange < shape.exchanges(); ++exchange)
          shape.aligned.push_back(aligned && chunks[exchange] == chunks[exchange + 1]);
        shape.fields = fields;
        result.push_back(shape);
        shape.in_place = true;
        result.push_back(shape);
        shape.in_place = false;
        shape.delivers_to_caller = shape.exchanges() > 0;
        result.push_back(shape);
        shape.last_pass_idle = shape.exchanges() > 0;
        result.push_back(shape);
      }
  return result;
}

std::vector<ScheduleRule> rules() {
  std::vector<ScheduleRule> result;
  for (ScheduleForm form : {ScheduleForm::pipeline, ScheduleForm::split})
    for (double share : {0.01, 0.5, 0.75, 1.0})
      for (StartOrder order : {StartOrder::consumer, StartOrder::producer})
        result.push_back({form, share, order});
  return result;
}

ScheduleShape shape_of(std::vector<int> chunks, std::vector<bool> aligned) {
  ScheduleShape shape;
  shape.chunks = std::move(chunks);
  shape.aligned = std::move(aligned);
  return shape;
}

std::size_t position_of(const Schedule& schedule, const Action& action) {
  return static_cast<std::size_t>(std::ranges::find(schedule, action) - schedule.begin());
}

using Verb = Action::Verb;

TEST(Schedule, EveryShapePassesTheChecker) {
  for (const ScheduleShape& shape : shapes())
    for (const ScheduleRule& rule : rules())
      EXPECT_NO_THROW(check_schedule(shape, make_schedule(shape, rule)));
}

TEST(Schedule, EveryMissingOrDoubledActionIsFound) {
  constexpr std::size_t step = WEFT_TESTS_ADDRESSES ? 7 : 1;  // with these checks it takes a minute
  for (const ScheduleShape& shape : shapes()) {
    const Schedule whole = make_schedule(shape);
    for (std::size_t i = 0; i < whole.size(); i += step) {
      Schedule missing = whole;
      missing.erase(missing.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_THROW(check_schedule(shape, missing), Error) << to_string(whole[i]);
      Schedule doubled = whole;
      doubled.push_back(whole[i]);
      EXPECT_THROW(check_schedule(shape, doubled), Error) << to_string(whole[i]);
    }
  }
}

TEST(Schedule, ActionsOutOfOrderAreFound) {
  const ScheduleShape shape = shape_of({2, 2}, {false});
  const Schedule right = make_schedule(shape);
  const auto moved_to_front = [&](Action::Verb verb) {
    Schedule wrong;
    for (const Action& action : right)
      if (action.verb == verb) wrong.push_back(action);
    for (const Action& action : right)
      if (action.verb != verb) wrong.push_back(action);
    return wrong;
  };
  for (Action::Verb verb :
       {Action::Verb::run, Action::Verb::start, Action::Verb::finish, Action::Verb::release})
    EXPECT_THROW(check_schedule(shape, moved_to_front(verb)), Error);
}

TEST(Schedule, BlockingFormIsPassThenExchange) {
  std::vector<Verb> verbs;
  for (const Action& action : make_schedule(shape_of({1, 1}, {false})))
    verbs.push_back(action.verb);
  EXPECT_EQ(verbs, (std::vector{Verb::acquire, Verb::run, Verb::start, Verb::finish, Verb::run,
                                Verb::release}));
}

TEST(Schedule, ExchangeOfOneFieldTravelsBehindThePassOfTheNext) {
  ScheduleShape shape = shape_of({1, 1}, {false});
  shape.fields = 2;
  const Schedule schedule = make_schedule(shape);
  EXPECT_LT(position_of(schedule, {Verb::start, 0, 0}), position_of(schedule, {Verb::run, 1, 0}));
  EXPECT_LT(position_of(schedule, {Verb::run, 1, 0}), position_of(schedule, {Verb::finish, 0, 0}));
}

TEST(Schedule, LowestConsumersStartFirstAndTheShareIsKept) {
  const ScheduleShape shape = shape_of({4, 4}, {false});
  std::vector<std::vector<std::pair<int, int>>> started(1);
  for (const Action& action : make_schedule(shape, {ScheduleForm::pipeline, 0.75})) {
    if (action.verb == Verb::run && action.stage == 0 && action.k > 0) started.emplace_back();
    if (action.verb == Verb::start) started.back().emplace_back(action.k, action.j);
  }
  using Blocks = std::vector<std::pair<int, int>>;
  ASSERT_EQ(started.size(), 4u);
  EXPECT_EQ(started[0], (Blocks{{0, 0}, {0, 1}, {0, 2}}));
  EXPECT_EQ(started[1], (Blocks{{1, 0}, {1, 1}, {1, 2}}));
  EXPECT_EQ(started[2], (Blocks{{2, 0}, {2, 1}, {2, 2}}));
  EXPECT_EQ(started[3], (Blocks{{3, 0}, {3, 1}, {3, 2}, {0, 3}, {1, 3}, {2, 3}, {3, 3}}));
}

TEST(Schedule, ProducerOrderWithAWholeShareStartsAllThatAChunkOwes) {
  std::vector<std::pair<int, int>> started;
  const ScheduleRule rule{ScheduleForm::pipeline, 1, StartOrder::producer};
  for (const Action& action : make_schedule(shape_of({2, 3}, {false}), rule))
    if (action.verb == Verb::start) started.emplace_back(action.k, action.j);
  EXPECT_EQ(started,
            (std::vector<std::pair<int, int>>{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}));
}

TEST(Schedule, AllButTheFirstAndTheLastChunkOfAChainRunsWhileSomethingTravels) {
  // Pencils: chunks of one axis stream through the first two passes, another takes over.
  const ScheduleShape shape = shape_of({8, 8, 8}, {true, false});
  int under_way = 0, runs_in_silence = 0;
  for (const Action& action : make_schedule(shape)) {
    if (action.verb == Verb::start) ++under_way;
    if (action.verb == Verb::finish) under_way -= action.stage == 0 ? 1 : 8;
    if (action.verb == Verb::run && under_way == 0) ++runs_in_silence;
  }
  EXPECT_EQ(runs_in_silence, 2);
}

TEST(Schedule, InPlaceTheLastPassWaitsForTheFirst) {
  ScheduleShape shape = shape_of({8, 8}, {true});
  const Schedule streamed = make_schedule(shape);
  EXPECT_LT(position_of(streamed, {Verb::run, 0, 1, 0}),
            position_of(streamed, {Verb::run, 0, 0, 7}));
  shape.in_place = true;
  EXPECT_THROW(check_schedule(shape, streamed), Error);
  const Schedule in_place = make_schedule(shape);
  EXPECT_GT(position_of(in_place, {Verb::run, 0, 1, 0}),
            position_of(in_place, {Verb::run, 0, 0, 7}));
}

TEST(Schedule, SplitMovesItsShareBeforeAnythingElseAndTheRestBehindTheFirstChunks) {
  const ScheduleShape shape = shape_of({1, 4}, {false});
  const Schedule schedule = make_schedule(shape, {ScheduleForm::split, 0.75});
  const Schedule expected{
      {Verb::acquire, 0, 0},       {Verb::run, 0, 0},           {Verb::start, 0, 0, 0, 0},
      {Verb::start, 0, 0, 0, 1},   {Verb::start, 0, 0, 0, 2},   {Verb::finish, 0, 0, 0, 0},
      {Verb::finish, 0, 0, 0, 1},  {Verb::finish, 0, 0, 0, 2},  {Verb::start, 0, 0, 0, 3},
      {Verb::run, 0, 1, 0},        {Verb::release, 0, 0, 0, 0}, {Verb::run, 0, 1, 1},
      {Verb::release, 0, 0, 0, 1}, {Verb::run, 0, 1, 2},        {Verb::release, 0, 0, 0, 2},
      {Verb::finish, 0, 0, 0, 3},  {Verb::run, 0, 1, 3},        {Verb::release, 0, 0, 0, 3}};
  EXPECT_EQ(schedule, expected);
}

TEST(MemoryPlan, BlockingChainOfTwoExchangesTakesTwoArraysOfPackedBuffers) {
  const ScheduleShape shape = shape_of({1, 1, 1}, {false, false});
  // Two ranks: half of each array is sent, half is the rank's own.
  constexpr std::size_t half = std::size_t{1} << 20;
  const MemoryNeeds needs{half, half, half, std::nullopt};
  const Schedule schedule = make_schedule(shape);
  const MemoryPlan plan =
      plan_memory({&schedule}, {needs, needs}, {TargetUse::never, TargetUse::never});
  EXPECT_EQ(plan.arena_bytes, 4 * half);
}

TEST(MemoryPlan, TheCallersArrayIsTheWindowOfAnEarlierExchange) {
  ScheduleShape shape = shape_of({1, 1, 1, 1}, {false, false, false});
  shape.delivers_to_caller = true;
  const Schedule schedule = make_schedule(shape);
  const MemoryNeeds window{0, 0, 0, std::size_t{4096}};
  const MemoryPlan plan = plan_memory({&schedule}, {window, window, window},
                                      {TargetUse::before, TargetUse::before, TargetUse::delivers});
  EXPECT_TRUE(plan.exchanges[0].in_target);
  EXPECT_FALSE(plan.exchanges[1].in_target) << "one pass reads it and writes the caller's array";
  EXPECT_TRUE(plan.exchanges[2].in_target);
  EXPECT_EQ(plan.window_bytes, std::vector<std::size_t>{4096});
  EXPECT_EQ(plan.target_bytes, 4096U);
}

TEST(MemoryPlan, NothingAliveTogetherOverlaps) {
  for (const ScheduleShape& shape : shapes()) {
    if (shape.exchanges() == 0) continue;
    const Schedule schedule = make_schedule(shape);
    std::vector<MemoryNeeds> needs;
    for (int e = 0; e < shape.exchanges(); ++e)
      needs.push_back({std::size_t{4096} * (e + 1), std::size_t{8192}, std::size_t{4096} * (3 - e),
                       std::size_t{12288}});
    const MemoryPlan plan =
        plan_memory({&schedule}, needs, std::vector<TargetUse>(needs.size(), TargetUse::never));
    struct Region {
      std::size_t begin, end;
      Lifetime life;
    };
    std::vector<Region> regions;
    std::vector<Region> windows;
    for (std::size_t e = 0; e < needs.size(); ++e) {
      const ExchangeLifetimes life = lifetimes(schedule, static_cast<int>(e), 0);
      const auto& place = plan.exchanges[e];
      regions.push_back({place.send, place.send + needs[e].send, life.send});
      regions.push_back({place.receive, place.receive + needs[e].receive, life.receive});
      regions.push_back({place.own, place.own + needs[e].own, life.own});
      ASSERT_GE(plan.window_bytes[place.window], *needs[e].window);
      const auto number = static_cast<std::size_t>(place.window);
      windows.push_back({number, number + 1, life.window});
    }
    for (const auto& all : {regions, windows})
      for (std::size_t a = 0; a < all.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) {
          const bool together =
              all[a].life.begin <= all[b].life.end && all[b].life.begin <= all[a].life.end;
          const bool same_place = all[a].begin < all[b].end && all[b].begin < all[a].end;
          EXPECT_FALSE(together && same_place);
        }
  }
}

}  // namespace
}  // namespace weft
