// Schedules are made by one small rule and checked by another, which knows nothing of the first.
#include "plan/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <tuple>
#include <weft/error.hpp>

namespace weft {
namespace {

using Verb = Action::Verb;

ScheduleShape::Chunks chunks_of(const ScheduleShape& shape, int exchange) {
  const bool exists = exchange >= 0 && exchange < static_cast<int>(shape.exchanges.size());
  return exists ? shape.exchanges[exchange] : ScheduleShape::Chunks{};
}

bool is_idle(const ScheduleShape& shape, int pass) {
  return shape.last_pass_idle && pass == shape.passes - 1;
}

bool is_released_on_entry(const ScheduleShape& shape, int exchange) {
  return shape.delivers_to_caller && exchange == shape.passes - 2;
}

void append_pass(const ScheduleShape& shape, int field, int pass, Schedule& schedule) {
  const int before = pass - 1;
  const int after = pass;
  const bool has_before = before >= 0;
  const bool has_after = pass < shape.passes - 1;
  const int consumed = chunks_of(shape, before).consumer;
  const int produced = chunks_of(shape, after).producer;
  for (int k = 0; k < produced; ++k) {
    if (has_after) schedule.push_back({Verb::acquire, field, after, k});
    for (int j = 0; j < consumed; ++j) {
      if (has_before && k == 0) schedule.push_back({Verb::finish, field, before, 0, j});
      if (!is_idle(shape, pass)) schedule.push_back({Verb::run, field, pass, k, j});
    }
    if (has_after)
      for (int j = 0; j < chunks_of(shape, after).consumer; ++j)
        schedule.push_back({Verb::start, field, after, k, j});
  }
  if (has_before && !is_released_on_entry(shape, before))
    for (int j = 0; j < consumed; ++j) schedule.push_back({Verb::release, field, before, 0, j});
}

/// What has happened so far, by (field, stage, k, j); the checker's whole knowledge.
class Checker {
 public:
  explicit Checker(const ScheduleShape& shape) : shape_(shape) {}

  void check(const Action& action) {
    const auto [verb, field, stage, k, j] = action;
    const auto chunks = chunks_of(shape_, stage);
    switch (verb) {
      case Verb::acquire:
        break;
      case Verb::run:
        check_run(action);
        break;
      case Verb::start:
        for (int consumed = 0; consumed < chunks_of(shape_, stage - 1).consumer; ++consumed)
          need(action, {Verb::run, field, stage, k, consumed}, "is started before it is written");
        break;
      case Verb::finish:
        for (int produced = 0; produced < chunks.producer; ++produced)
          need(action, {Verb::start, field, stage, produced, j},
               "is finished before it is started");
        break;
      case Verb::release:
        if (is_released_on_entry(shape_, stage)) break;
        need(action, {Verb::finish, field, stage, 0, j}, "is released before it has arrived");
        for (int produced = 0; produced < chunks_of(shape_, stage + 1).producer; ++produced)
          need(action, {Verb::run, field, stage + 1, produced, j}, "is released before it is read");
        break;
    }
    if (!done_.insert({key(action), true}).second) fail(action, "is there twice");
  }

  void check_complete(const Schedule& expected) {
    for (const Action& action : expected)
      if (!done_.contains(key(action))) fail(action, "is missing");
    if (done_.size() != expected.size())
      throw Error("schedule: has actions that its shape does not know");
  }

 private:
  using Key = std::array<int, 5>;

  static Key key(const Action& a) { return {static_cast<int>(a.verb), a.field, a.stage, a.k, a.j}; }

  void check_run(const Action& action) {
    if (action.stage > 0)
      need(action, {Verb::finish, action.field, action.stage - 1, 0, action.j},
           "is read before it has arrived");
    if (action.stage < shape_.passes - 1)
      need(action, {Verb::acquire, action.field, action.stage, action.k},
           "is written while it may still be read");
  }

  void need(const Action& action, const Action& earlier, const char* what) {
    if (!done_.contains(key(earlier))) fail(action, what);
  }

  [[noreturn]] static void fail(const Action& action, const char* what) {
    throw Error(fmt::format("schedule: {}: {}", to_string(action), what));
  }

  const ScheduleShape& shape_;
  std::map<Key, bool> done_;
};

}  // namespace

Schedule make_schedule(const ScheduleShape& shape) {
  Schedule schedule;
  const int last = shape.passes - 2;
  if (shape.delivers_to_caller && last >= 0)
    for (int field = 0; field < shape.fields; ++field)
      for (int j = 0; j < chunks_of(shape, last).consumer; ++j)
        schedule.push_back({Verb::release, field, last, 0, j});
  // Later fields lead within a step, so that an exchange travels behind the next field's pass.
  for (int step = 0; step < shape.passes + shape.fields - 1; ++step)
    for (int field = std::min(step, shape.fields - 1); field >= 0; --field)
      if (step - field < shape.passes) append_pass(shape, field, step - field, schedule);
  return schedule;
}

void check_schedule(const ScheduleShape& shape, const Schedule& schedule) {
  Checker checker(shape);
  for (const Action& action : schedule) checker.check(action);
  Schedule expected;
  for (int field = 0; field < shape.fields; ++field)
    for (int pass = 0; pass < shape.passes; ++pass) append_pass(shape, field, pass, expected);
  if (shape.delivers_to_caller && shape.passes > 1)
    for (int field = 0; field < shape.fields; ++field)
      for (int j = 0; j < shape.exchanges.back().consumer; ++j)
        expected.push_back({Verb::release, field, shape.passes - 2, 0, j});
  checker.check_complete(expected);
}

ExchangeLifetimes lifetimes(const Schedule& schedule, int exchange, int field) {
  const auto span = [&](auto&& uses) {
    Lifetime life{static_cast<int>(schedule.size()), -1};
    for (int position = 0; position < static_cast<int>(schedule.size()); ++position) {
      const Action& action = schedule[position];
      if (action.field != field || !uses(action)) continue;
      life.begin = std::min(life.begin, position);
      life.end = std::max(life.end, position);
    }
    return life;
  };
  const auto writes = [&](const Action& a) { return a.verb == Verb::run && a.stage == exchange; };
  const auto reads = [&](const Action& a) {
    return a.verb == Verb::run && a.stage == exchange + 1;
  };
  const auto moves = [&](const Action& a) {
    return (a.verb == Verb::start || a.verb == Verb::finish) && a.stage == exchange;
  };
  const auto holds = [&](const Action& a) {
    return (a.verb == Verb::acquire || a.verb == Verb::release || a.verb == Verb::finish) &&
           a.stage == exchange;
  };
  return {span([&](const Action& a) { return writes(a) || moves(a); }),
          span([&](const Action& a) { return moves(a) || reads(a); }),
          span([&](const Action& a) { return writes(a) || moves(a) || reads(a); }), span(holds)};
}

std::string to_string(const Action& action) {
  static constexpr std::array names{"acquire", "run", "start", "finish", "release"};
  const std::string where =
      fmt::format("{} {}{}", names[static_cast<int>(action.verb)],
                  action.verb == Verb::run ? "pass " : "exchange ", action.stage);
  return fmt::format("{} (k {}, j {}) field {}", where, action.k, action.j, action.field);
}

}  // namespace weft
