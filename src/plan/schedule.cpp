// Schedules are made by one small rule and checked by an independent one.
#include "plan/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <functional>
#include <set>
#include <weft/error.hpp>

namespace weft {
namespace {

using Verb = Action::Verb;

/// How many chunks a pass stays ahead of the pass that consumes them while both stream. The blocks
/// of these chunks are in flight while this rank waits for the first of them.
constexpr int stream_lead = 2;

bool is_idle(const ScheduleShape& shape, int pass) {
  return shape.last_pass_idle && pass == shape.passes() - 1;
}

bool is_released_on_entry(const ScheduleShape& shape, int exchange) {
  return shape.delivers_to_caller && exchange == shape.exchanges() - 1;
}

bool overwrites_input(const ScheduleShape& shape, int pass) {
  return shape.in_place && pass == shape.passes() - 1;
}

/// Puts the actions of one field into order, chunk by chunk.
class FieldSchedule {
 public:
  /// Called with an exchange when blocks of it have been made, and when all but the last of its
  /// consumer chunks have arrived. Without it blocks start by the rule as they are made.
  std::function<void(int exchange)> made, arrived;

  FieldSchedule(const ScheduleShape& shape, const ScheduleRule& rule, int field, Schedule& schedule)
      : shape_(shape), rule_(rule), field_(field), schedule_(schedule), done_(shape.passes(), 0) {
    for (int exchange = 0; exchange < shape.exchanges(); ++exchange) {
      started_.emplace_back(shape.producers(exchange) * shape.consumers(exchange), false);
      finished_.emplace_back(shape.consumers(exchange), false);
    }
  }

  /// Runs the next chunk of the latest pass that has one due; false at the end.
  bool step() {
    for (int pass = shape_.passes() - 1; pass >= 0; --pass)
      if (is_due(pass)) {
        run_chunk(pass);
        return true;
      }
    return false;
  }

  void run_pass(int pass) {
    while (!is_complete(pass)) run_chunk(pass);
  }

  /// Starts blocks of an exchange that have been made, as many as the rule permits.
  void start_ready(int exchange) {
    if (rule_.form == ScheduleForm::split) return;
    const int consumers = shape_.consumers(exchange);
    const double ready = static_cast<double>(done_[exchange]) * consumers;
    const bool all = shape_.aligned[exchange] || is_complete(exchange);
    const long wanted = std::lround(all ? ready : rule_.start_share * ready);
    start(exchange, wanted - std::ranges::count(started_[exchange], true), consumers);
  }

 private:
  bool is_complete(int pass) const { return done_[pass] == shape_.chunks[pass]; }
  void add(Verb verb, int stage, int k, int j) { schedule_.push_back({verb, field_, stage, k, j}); }

  bool is_due(int pass) const {
    if (is_complete(pass)) return false;
    if (pass == 0 || is_complete(pass - 1)) return true;
    if (overwrites_input(shape_, pass) && !is_complete(0)) return false;
    return rule_.form == ScheduleForm::pipeline && shape_.aligned[pass - 1] &&
           done_[pass] + stream_lead < done_[pass - 1];
  }

  void run_chunk(int pass) {
    const int chunk = done_[pass];
    const bool is_last = pass == shape_.passes() - 1;
    if (pass > 0) await(pass - 1, chunk);
    if (!is_last) add(Verb::acquire, pass, chunk, 0);
    if (!is_idle(shape_, pass)) add(Verb::run, pass, chunk, 0);
    ++done_[pass];
    if (pass > 0 && !is_released_on_entry(shape_, pass - 1)) add(Verb::release, pass - 1, 0, chunk);
    if (!is_last) made ? made(pass) : start_ready(pass);
  }

  void await(int exchange, int j) {
    if (rule_.form == ScheduleForm::split) await_first_part(exchange);
    if (finished_[exchange][j]) return;
    finished_[exchange][j] = true;
    add(Verb::finish, exchange, 0, j);
    if (arrived && j == std::max(0, shape_.consumers(exchange) - 2)) arrived(exchange);
  }

  /// Split: the first consumer chunks are moved while no pass runs, the rest while the first are
  /// being processed.
  void await_first_part(int exchange) {
    if (finished_[exchange].front()) return;
    const int all = shape_.consumers(exchange);
    const int first = std::min(all, static_cast<int>(std::ceil(rule_.start_share * all)));
    start(exchange, shape_.producers(exchange) * first, first);
    for (int j = 0; j < first; ++j) {
      finished_[exchange][j] = true;
      add(Verb::finish, exchange, 0, j);
    }
    start(exchange, shape_.producers(exchange) * all, all);
  }

  /// Up to `count` more of the blocks that are ready, of the first `consumers` consumer chunks.
  void start(int exchange, long count, int consumers) {
    const bool by_consumer = rule_.order == StartOrder::consumer;
    const int ready = done_[exchange];
    for (int place = 0; place < consumers * ready && count > 0; ++place) {
      const int k = by_consumer ? place % ready : place / consumers;
      const int j = by_consumer ? place / ready : place % consumers;
      auto&& started = started_[exchange][k * shape_.consumers(exchange) + j];
      if (started || !shape_.has_block(exchange, k, j)) continue;
      started = true;
      add(Verb::start, exchange, k, j);
      --count;
    }
  }

  const ScheduleShape& shape_;
  ScheduleRule rule_;
  int field_;
  Schedule& schedule_;
  std::vector<int> done_;                    // chunks, by pass
  std::vector<std::vector<bool>> started_;   // by exchange, k and j
  std::vector<std::vector<bool>> finished_;  // by exchange and j
};

/// Several fields, each pass by pass; the exchange of one overlaps with the passes of the next.
/// Exchanges run one after the other, in the order of their production and of their use. In
/// parallel they would share the link and all arrive late.
class FieldsSchedule {
 public:
  FieldsSchedule(const ScheduleShape& shape, Schedule& schedule) : shape_(shape) {
    const ScheduleRule at_once{ScheduleForm::pipeline, 1, StartOrder::consumer};
    for (int field = 0; field < shape.fields; ++field) {
      fields_.emplace_back(shape, at_once, field, schedule);
      fields_.back().made = [this, field](int exchange) { queue({field, exchange}); };
      fields_.back().arrived = [this](int) { start_next(); };
    }
  }

  /// Later fields lead within a step, so that there is something to do while the earlier travel.
  void make() {
    for (int step = 0; step < shape_.passes() + shape_.fields - 1; ++step)
      for (int field = std::min(step, shape_.fields - 1); field >= 0; --field)
        if (step - field < shape_.passes()) fields_[field].run_pass(step - field);
  }

 private:
  struct Turn {
    int field, exchange;
    bool operator==(const Turn&) const = default;
  };

  void queue(const Turn& turn) {
    if (turns_.empty() || turns_.back() != turn) turns_.push_back(turn);
    if (turns_.front() == turn) start_first();
  }

  void start_next() {
    turns_.pop_front();
    if (!turns_.empty()) start_first();
  }

  void start_first() { fields_[turns_.front().field].start_ready(turns_.front().exchange); }

  const ScheduleShape& shape_;
  std::vector<FieldSchedule> fields_;
  std::deque<Turn> turns_;  // the first one is in flight
};

/// All actions that a schedule of that shape must contain; their order does not matter here.
Schedule every_action(const ScheduleShape& shape) {
  Schedule actions;
  for (int field = 0; field < shape.fields; ++field) {
    for (int pass = 0; pass < shape.passes(); ++pass)
      for (int k = 0; k < shape.chunks[pass] && !is_idle(shape, pass); ++k)
        actions.push_back({Verb::run, field, pass, k});
    for (int exchange = 0; exchange < shape.exchanges(); ++exchange) {
      for (int k = 0; k < shape.producers(exchange); ++k) {
        actions.push_back({Verb::acquire, field, exchange, k});
        for (int j = 0; j < shape.consumers(exchange); ++j)
          if (shape.has_block(exchange, k, j))
            actions.push_back({Verb::start, field, exchange, k, j});
      }
      for (const Verb verb : {Verb::finish, Verb::release})
        for (int j = 0; j < shape.consumers(exchange); ++j)
          actions.push_back({verb, field, exchange, 0, j});
    }
  }
  return actions;
}

/// Knows only the actions so far, by (field, stage, k, j).
class Checker {
 public:
  explicit Checker(const ScheduleShape& shape) : shape_(shape) {}

  void check(const Action& action) {
    const auto [verb, field, stage, k, j] = action;
    switch (verb) {
      case Verb::acquire:
        break;
      case Verb::run:
        if (stage > 0)
          need(action, {Verb::finish, field, stage - 1, 0, k}, "is read before it has arrived");
        if (stage < shape_.exchanges())
          need(action, {Verb::acquire, field, stage, k}, "is written while it may still be read");
        if (stage > 0 && overwrites_input(shape_, stage))
          for (int first = 0; first < shape_.chunks[0]; ++first)
            need(action, {Verb::run, field, 0, first}, "overwrites what has not been read");
        break;
      case Verb::start:
        need(action, {Verb::run, field, stage, k}, "is started before it is written");
        // Methods that count the blocks of a consumer chunk rely on this order.
        if (k > 0 && shape_.has_block(stage, k - 1, j))
          need(action, {Verb::start, field, stage, k - 1, j}, "is started before an earlier one");
        break;
      case Verb::finish:
        for (int produced = 0; produced < shape_.producers(stage); ++produced)
          if (shape_.has_block(stage, produced, j))
            need(action, {Verb::start, field, stage, produced, j},
                 "is finished before it is started");
        break;
      case Verb::release:
        if (is_released_on_entry(shape_, stage)) break;
        need(action, {Verb::finish, field, stage, 0, j}, "is released before it has arrived");
        need(action, {Verb::run, field, stage + 1, j}, "is released before it is read");
        break;
    }
    if (!done_.insert(key(action)).second) fail(action, "is there twice");
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

  void need(const Action& action, const Action& earlier, const char* what) {
    if (!done_.contains(key(earlier))) fail(action, what);
  }

  [[noreturn]] static void fail(const Action& action, const char* what) {
    throw Error(fmt::format("schedule: {}: {}", to_string(action), what));
  }

  const ScheduleShape& shape_;
  std::set<Key> done_;
};

}  // namespace

Schedule make_schedule(const ScheduleShape& shape, const ScheduleRule& rule) {
  Schedule schedule;
  if (shape.delivers_to_caller && shape.exchanges() > 0)
    for (int field = 0; field < shape.fields; ++field)
      for (int j = 0; j < shape.chunks.back(); ++j)
        schedule.push_back({Verb::release, field, shape.exchanges() - 1, 0, j});
  if (shape.fields == 1) {
    FieldSchedule only(shape, rule, 0, schedule);
    while (only.step()) {
    }
    return schedule;
  }
  FieldsSchedule(shape, schedule).make();
  return schedule;
}

void check_schedule(const ScheduleShape& shape, const Schedule& schedule) {
  Checker checker(shape);
  for (const Action& action : schedule) checker.check(action);
  checker.check_complete(every_action(shape));
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
  const auto opens = [&](const Action& a) {
    return a.verb == Verb::acquire && a.stage == exchange;
  };
  const auto holds = [&](const Action& a) {
    return opens(a) || ((a.verb == Verb::release || a.verb == Verb::finish) && a.stage == exchange);
  };
  return {span([&](const Action& a) { return writes(a) || moves(a); }),
          span([&](const Action& a) { return moves(a) || reads(a); }),
          span([&](const Action& a) { return writes(a) || moves(a) || reads(a); }),
          {span(opens).begin, span(holds).end}};
}

std::string to_string(const Action& action) {
  static constexpr std::array names{"acquire", "run", "start", "finish", "release"};
  const std::string where =
      fmt::format("{} {}{}", names[static_cast<int>(action.verb)],
                  action.verb == Verb::run ? "pass " : "exchange ", action.stage);
  const std::string chunk = action.verb == Verb::run
                                ? fmt::format("chunk {}", action.k)
                                : fmt::format("(k {}, j {})", action.k, action.j);
  return fmt::format("{} {} field {}", where, chunk, action.field);
}

std::string to_string(const Schedule& schedule, bool with_fields) {
  std::string text, awaited, started;
  const auto flush = [&] {
    if (!started.empty()) text += fmt::format("    start {}\n", started);
    started.clear();
  };
  for (const auto& [verb, field, stage, k, j] : schedule) {
    const std::string who = with_fields ? fmt::format("field {} ", field) : "";
    if (verb == Verb::start)
      started +=
          fmt::format("{}{}exchange {} ({},{})", started.empty() ? "" : ", ", who, stage, k, j);
    if (verb == Verb::finish) awaited += fmt::format(", behind chunk {} of exchange {}", j, stage);
    if (verb != Verb::run) continue;
    flush();
    text += fmt::format("    run {}pass {} chunk {}{}\n", who, stage, k, awaited);
    awaited.clear();
  }
  flush();
  if (!awaited.empty()) text += fmt::format("    end{}\n", awaited);
  return text;
}

}  // namespace weft
