// Names are made when a trace is read, so that recording copies a few words and allocates nothing.
#include "run/trace.hpp"

#include <fmt/format.h>

#include "plan/describe.hpp"

namespace weft {
namespace {

using What = Trace::Span::What;

What what_of(Action::Verb verb) {
  switch (verb) {
    case Action::Verb::acquire:
      return What::acquire;
    case Action::Verb::run:
      return What::pass;
    case Action::Verb::start:
      return What::start;
    case Action::Verb::finish:
      return What::finish;
    case Action::Verb::release:
      return What::release;
  }
  return What::pass;
}

std::string name_of(const Action& action, const Route& route, bool waited) {
  switch (action.verb) {
    case Action::Verb::run:
      return fmt::format("pass {}: {}, chunk {}", action.stage,
                         steps_text(route.stages[action.stage]), action.k);
    case Action::Verb::acquire:
      return fmt::format("exchange {}: {} chunk {}", action.stage,
                         waited ? "wait to write" : "may write", action.k);
    case Action::Verb::start:
      return fmt::format("exchange {}: start block {}, {}", action.stage, action.k, action.j);
    case Action::Verb::finish:
      return fmt::format("exchange {}: {} chunk {}", action.stage, waited ? "wait for" : "here is",
                         action.j);
    case Action::Verb::release:
      return fmt::format("exchange {}: done with chunk {}", action.stage, action.j);
  }
  return {};
}

}  // namespace

Recorder::Recorder(std::size_t capacity) {
  for (Records& records : records_) {
    records.kept.resize(capacity);  // touched now, so that recording causes no page faults
    records.kept.clear();
  }
}

void Recorder::add(Thread thread, const Record& record) {
  Records& records = records_[static_cast<std::size_t>(thread)];
  if (records.kept.size() < records.kept.capacity())
    records.kept.push_back(record);
  else
    ++records.dropped;
}

Trace::Span Recorder::span_of(const Record& record, Thread thread) {
  Trace::Span span;
  span.by_progress_thread = thread == Thread::progress;
  span.begin = record.begin;
  span.end = record.end;
  if (record.route == nullptr) {
    span.what = What::poll;
    span.name = "poll";
    return span;
  }
  const Action& action = record.action;
  span.what = what_of(action.verb);
  span.waited = record.waited;
  span.stage = action.stage;
  span.k = action.k;
  span.j = action.j;
  span.field = action.field;
  span.name = name_of(action, *record.route, record.waited);
  if (action.field > 0) span.name += fmt::format(", field {}", action.field);
  return span;
}

Trace Recorder::read() const {
  Trace trace;
  for (const Thread thread : {Thread::caller, Thread::progress}) {
    const Records& records = records_[static_cast<std::size_t>(thread)];
    for (const Record& record : records.kept) trace.spans.push_back(span_of(record, thread));
    trace.dropped += records.dropped;
  }
  return trace;
}

}  // namespace weft
