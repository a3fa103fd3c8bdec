// Every rank writes its own events in rank 0's time; rank 0 concatenates the lines.
#include "bench/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

#include "bench/measure.hpp"
#include "bench/product_field.hpp"
#include "machine/clock.hpp"

namespace weft::bench {
namespace {

using Span = Trace::Span;
using Time = Clock::time_point;
using Nanoseconds = std::int64_t;

constexpr int clock_rounds = 100;
constexpr int trace_tag = 7;

Nanoseconds nanoseconds(Time time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

Nanoseconds now() { return nanoseconds(Clock::now()); }

// --- One clock ----------------------------------------------------------------------------------

/// The offset that converts this rank's time to rank 0's, and its error bound.
struct Offset {
  Nanoseconds value = 0;
  Nanoseconds error = 0;
};

/// One round trip: rank 0 read its clock at some moment between question and answer.
Offset ask_first(MPI_Comm communicator) {
  Nanoseconds theirs = 0;
  const Nanoseconds asked = now();
  MPI_Send(nullptr, 0, MPI_BYTE, 0, trace_tag, communicator);
  MPI_Recv(&theirs, 1, MPI_INT64_T, 0, trace_tag, communicator, MPI_STATUS_IGNORE);
  const Nanoseconds half = (now() - asked + 1) / 2;
  return {theirs - (asked + half), half};
}

void answer(int asking, MPI_Comm communicator) {
  MPI_Recv(nullptr, 0, MPI_BYTE, asking, trace_tag, communicator, MPI_STATUS_IGNORE);
  const Nanoseconds mine = now();
  MPI_Send(&mine, 1, MPI_INT64_T, asking, trace_tag, communicator);
}

/// F. Cristian, Probabilistic clock synchronization, Distributed Computing 3 (1989): of many round
/// trips the shortest gives the most accurate offset.
Offset offset_to_first(MPI_Comm communicator) {
  if (rank_in(communicator) == 0) {
    for (int asking = 1; asking < ranks_in(communicator); ++asking)
      for (int round = 0; round < clock_rounds; ++round) answer(asking, communicator);
    return {};
  }
  Offset best{0, std::numeric_limits<Nanoseconds>::max()};
  for (int round = 0; round < clock_rounds; ++round) {
    const Offset offset = ask_first(communicator);
    if (offset.error < best.error) best = offset;
  }
  // Clocks that agree within the error, as on one node, are taken as the same clock.
  if (std::abs(best.value) <= best.error) best.value = 0;
  return best;
}

// --- What happened ------------------------------------------------------------------------------

/// A bar of a row.
struct Bar {
  Time begin, end;
  std::string name;
  std::string category;
  Json arguments;
};

struct Recording {
  Trace trace;
  std::vector<Bar> transforms;
};

Recording record(const Problem& problem, WeftCandidate& candidate) {
  ProductField::input(problem).fill(candidate.input());
  candidate.prepare();
  candidate.run();  // warms up
  candidate.plan().record(true);
  Recording recording;
  MPI_Barrier(problem.communicator);
  for (int number = 0; number < traced_transforms; ++number) {
    const Time begin = Clock::now();
    candidate.run();
    const Time end = Clock::now();
    const std::string name = fmt::format("transform {}", number);
    recording.transforms.push_back({begin, end, name, "transform", {}});
  }
  candidate.plan().record(false);
  recording.trace = candidate.plan().trace();
  return recording;
}

const char* category_of(const Span& span) {
  constexpr const char* names[] = {"pass", "acquire", "start", "finish", "release", "poll"};
  return span.waited ? "wait" : names[static_cast<int>(span.what)];
}

Json arguments_of(const Span& span) {
  if (span.what == Span::What::poll) return {};
  return {{"stage", span.stage}, {"k", span.k}, {"j", span.j}, {"field", span.field}};
}

std::vector<Bar> bars_of(const Trace& trace, bool by_progress_thread) {
  std::vector<Bar> bars;
  for (const Span& span : trace.spans)
    if (span.by_progress_thread == by_progress_thread)
      bars.push_back({span.begin, span.end, span.name, category_of(span), arguments_of(span)});
  return bars;
}

/// Each block from its start until its chunk was found to have arrived. A block whose arrival was
/// not recorded is left out.
std::vector<Bar> blocks_of(const Trace& trace) {
  std::vector<Bar> blocks;
  std::map<std::tuple<int, int, int>, std::vector<Bar>> travelling;  // by exchange, field and j
  for (const Span& span : trace.spans) {
    if (span.what != Span::What::start && span.what != Span::What::finish) continue;
    std::vector<Bar>& chunk = travelling[{span.stage, span.field, span.j}];
    if (span.what == Span::What::start) {
      chunk.push_back({span.begin, span.end,
                       fmt::format("exchange {}, block {}, {}", span.stage, span.k, span.j),
                       "block", arguments_of(span)});
      continue;
    }
    for (Bar& block : chunk) {
      block.end = span.end;
      blocks.push_back(std::move(block));
    }
    chunk.clear();
  }
  return blocks;
}

/// Sorted so that enclosing bars come before the bars inside them, as viewers require.
void sort(std::vector<Bar>& bars) {
  std::ranges::stable_sort(bars, [](const Bar& a, const Bar& b) {
    return std::tie(a.begin, b.end) < std::tie(b.begin, a.end);
  });
}

/// Viewers require the bars of a row to be nested or disjoint: each goes to the first free row.
std::vector<std::vector<Bar>> in_rows(std::vector<Bar> bars) {
  sort(bars);
  std::vector<std::vector<Bar>> rows;
  for (Bar& bar : bars) {
    const auto is_free = [&](const auto& row) { return row.back().end <= bar.begin; };
    auto row = std::ranges::find_if(rows, is_free);
    if (row == rows.end()) row = rows.emplace(rows.end());
    row->push_back(std::move(bar));
  }
  return rows;
}

// --- The document -------------------------------------------------------------------------------

/// The events of one rank, one per line. For the viewer a rank is a process, and its rows are
/// threads.
class Timeline {
 public:
  /// Times are relative to `origin` on rank 0's clock.
  Timeline(int rank, Nanoseconds offset, Nanoseconds origin)
      : rank_(rank), shift_(offset - origin) {
    char node[MPI_MAX_PROCESSOR_NAME] = "";
    int length = 0;
    MPI_Get_processor_name(node, &length);
    describe("process_name", {{"name", fmt::format("rank {} on {}", rank, node)}});
    describe("process_sort_index", {{"sort_index", rank}});
  }

  void add_row(const std::string& name, std::vector<Bar> bars) {
    if (bars.empty()) return;
    ++row_;
    describe("thread_name", {{"name", name}});
    describe("thread_sort_index", {{"sort_index", row_}});
    sort(bars);
    for (const Bar& bar : bars) add(bar);
  }

  const std::string& text() const { return text_; }

 private:
  void describe(const char* what, Json arguments) {
    add_event({{"name", what}, {"ph", "M"}, {"args", std::move(arguments)}});
  }

  void add(const Bar& bar) {
    const auto microseconds = [](Nanoseconds time) { return static_cast<double>(time) / 1000; };
    const Nanoseconds begin = nanoseconds(bar.begin), end = nanoseconds(bar.end);
    Json event{{"name", bar.name},
               {"cat", bar.category},
               {"ph", "X"},
               {"ts", microseconds(begin + shift_)},
               {"dur", microseconds(end - begin)}};
    if (!bar.arguments.is_null()) event["args"] = bar.arguments;
    add_event(std::move(event));
  }

  void add_event(Json event) {
    event["pid"] = rank_;
    event["tid"] = row_;
    text_ += (text_.empty() ? "" : ",\n") + event.dump();
  }

  int rank_;
  Nanoseconds shift_;
  int row_ = 0;
  std::string text_;
};

std::string events_of(const Recording& recording, Nanoseconds offset, MPI_Comm communicator) {
  Nanoseconds origin = nanoseconds(recording.transforms.front().begin) + offset;
  MPI_Allreduce(MPI_IN_PLACE, &origin, 1, MPI_INT64_T, MPI_MIN, communicator);
  Timeline timeline(rank_in(communicator), offset, origin);
  std::vector<Bar> calls = bars_of(recording.trace, false);
  calls.insert(calls.begin(), recording.transforms.begin(), recording.transforms.end());
  timeline.add_row("this rank", std::move(calls));
  timeline.add_row("progress thread", bars_of(recording.trace, true));
  for (std::vector<Bar>& row : in_rows(blocks_of(recording.trace)))
    timeline.add_row("on the wire", std::move(row));
  return timeline.text();
}

/// The texts of all ranks, in the order of ranks.
std::string joined(const std::string& mine, MPI_Comm communicator) {
  std::string all;
  for (int rank = 0; rank < ranks_in(communicator); ++rank) {
    const std::string text = broadcast_text(communicator, mine, rank);
    if (rank_in(communicator) == 0) all += (rank == 0 ? "" : ",\n") + text;  // rank 0 writes them
  }
  return all;
}

}  // namespace

TraceDocument traced(const Problem& problem, WeftCandidate& candidate) {
  const MPI_Comm communicator = problem.communicator;
  const Offset offset = offset_to_first(communicator);
  const Recording recording = record(problem, candidate);
  const double error = largest(communicator, static_cast<double>(offset.error) / 1000);
  const auto dropped = static_cast<std::int64_t>(sum(recording.trace.dropped, communicator));
  const std::string events = joined(events_of(recording, offset.value, communicator), communicator);
  const Json about{{"shape", to_string(candidate.plan().transform().shape)},
                   {"options", to_string(candidate.plan().options())},
                   {"clock_error_us", error},
                   {"dropped_spans", dropped}};
  std::string message =
      fmt::format("  Trace of {} transforms; the ranks' clocks agree within {:.1f} us.\n",
                  traced_transforms, error);
  if (dropped > 0) message += fmt::format("  {} spans did not fit and are missing.\n", dropped);
  return {fmt::format("{{\"displayTimeUnit\":\"ns\",\"otherData\":{},\"traceEvents\":[\n{}\n]}}\n",
                      about.dump(), events),
          message};
}

}  // namespace weft::bench
