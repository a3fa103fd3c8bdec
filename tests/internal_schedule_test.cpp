// Schedules and the memory they allow to share: what the checker accepts, what it refuses, and that
// nothing alive at the same time lies at the same place.
#include <gtest/gtest.h>

#include <vector>
#include <weft/error.hpp>

#include "plan/memory_plan.hpp"
#include "plan/schedule.hpp"

namespace weft {
namespace {

std::vector<ScheduleShape> shapes() {
  std::vector<ScheduleShape> result;
  for (int passes : {1, 2, 3, 4})
    for (ScheduleShape::Chunks chunks :
         {ScheduleShape::Chunks{1, 1}, ScheduleShape::Chunks{2, 3}, ScheduleShape::Chunks{4, 1}})
      for (int fields : {1, 2, 3}) {
        ScheduleShape shape;
        shape.passes = passes;
        shape.exchanges.assign(passes - 1, chunks);
        shape.fields = fields;
        result.push_back(shape);
        shape.delivers_to_caller = passes > 1;
        result.push_back(shape);
        shape.last_pass_idle = passes > 1;
        result.push_back(shape);
      }
  return result;
}

TEST(Schedule, EveryShapePassesTheChecker) {
  for (const ScheduleShape& shape : shapes())
    EXPECT_NO_THROW(check_schedule(shape, make_schedule(shape)));
}

TEST(Schedule, EveryMissingOrDoubledActionIsFound) {
  for (const ScheduleShape& shape : shapes()) {
    const Schedule whole = make_schedule(shape);
    for (std::size_t i = 0; i < whole.size(); ++i) {
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
  ScheduleShape shape;
  shape.passes = 2;
  shape.exchanges = {{2, 2}};
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
  ScheduleShape shape;
  shape.passes = 2;
  shape.exchanges = {{1, 1}};
  std::vector<Action::Verb> verbs;
  for (const Action& action : make_schedule(shape)) verbs.push_back(action.verb);
  using Verb = Action::Verb;
  EXPECT_EQ(verbs, (std::vector{Verb::acquire, Verb::run, Verb::start, Verb::finish, Verb::run,
                                Verb::release}));
}

TEST(Schedule, ExchangeOfOneFieldTravelsBehindThePassOfTheNext) {
  ScheduleShape shape;
  shape.passes = 2;
  shape.exchanges = {{1, 1}};
  shape.fields = 2;
  const Schedule schedule = make_schedule(shape);
  const auto position = [&](Action::Verb verb, int field, int stage) {
    for (std::size_t i = 0; i < schedule.size(); ++i)
      if (schedule[i].verb == verb && schedule[i].field == field && schedule[i].stage == stage)
        return i;
    return schedule.size();
  };
  EXPECT_LT(position(Action::Verb::start, 0, 0), position(Action::Verb::run, 1, 0));
  EXPECT_LT(position(Action::Verb::run, 1, 0), position(Action::Verb::finish, 0, 0));
}

TEST(MemoryPlan, BlockingChainOfTwoExchangesTakesTwoArraysOfPackedBuffers) {
  ScheduleShape shape;
  shape.passes = 3;
  shape.exchanges = {{1, 1}, {1, 1}};
  // Two ranks: half of each array is sent, half is the rank's own.
  constexpr std::size_t half = std::size_t{1} << 20;
  const MemoryNeeds needs{half, half, half, std::nullopt};
  const MemoryPlan plan = plan_memory(make_schedule(shape), {needs, needs}, {false, false});
  EXPECT_EQ(plan.arena_bytes, 4 * half);
}

TEST(MemoryPlan, NothingAliveTogetherOverlaps) {
  for (const ScheduleShape& shape : shapes()) {
    if (shape.passes < 2) continue;
    const Schedule schedule = make_schedule(shape);
    std::vector<MemoryNeeds> needs;
    for (int e = 0; e + 1 < shape.passes; ++e)
      needs.push_back({std::size_t{4096} * (e + 1), std::size_t{8192}, std::size_t{4096} * (3 - e),
                       std::size_t{12288}});
    const std::vector<bool> delivered(needs.size(), false);
    const MemoryPlan plan = plan_memory(schedule, needs, delivered);
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
