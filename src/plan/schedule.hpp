// The order of all actions of a transform: plain data, the same on every rank, checked before it is
// run.
#pragma once

#include <string>
#include <vector>
#include <weft/options.hpp>

namespace weft {

/// One action. `stage` is a pass for run and an exchange for the other verbs. For an exchange, k is
/// the produced chunk and j the consumed one, where they apply; for a pass, k is its chunk.
struct Action {
  enum class Verb { acquire, run, start, finish, release };
  Verb verb;
  int field = 0;
  int stage = 0;
  int k = 0;
  int j = 0;
  friend bool operator==(const Action&, const Action&) = default;
};

/// The work that a schedule orders: a chain of passes, each in chunks, with an exchange between any
/// two neighbours.
struct ScheduleShape {
  std::vector<int> chunks{1};  ///< by pass
  /// By exchange, whether chunk k of the pass before it goes only to chunk k of the pass after it.
  std::vector<bool> aligned;
  int fields = 1;
  /// The last exchange delivers into the caller's array, which its rank releases on entry, not
  /// after reading it. With `last_pass_idle`, the delivered data is already the result.
  bool delivers_to_caller = false;
  bool last_pass_idle = false;
  /// The last pass overwrites the array that the first pass reads.
  bool in_place = false;

  int passes() const { return static_cast<int>(chunks.size()); }
  int exchanges() const { return passes() - 1; }
  int producers(int exchange) const { return chunks[exchange]; }
  int consumers(int exchange) const { return chunks[exchange + 1]; }
  bool has_block(int exchange, int k, int j) const { return !aligned[exchange] || k == j; }
};

/// How blocks are started and passes are cut.
struct ScheduleRule {
  ScheduleForm form = ScheduleForm::pipeline;
  /// Pipeline: the share of the ready blocks that each step starts. Split: the share of the
  /// consumer chunks that is moved first, while no pass runs.
  double start_share = 0.75;
  StartOrder order = StartOrder::consumer;
};

using Schedule = std::vector<Action>;

/// With one field, chunks stream: a pass starts on a chunk as soon as the pass before is some
/// chunks ahead, so that blocks travel while others are produced and consumed. With several fields,
/// each goes pass by pass, and the exchange of one field overlaps with the passes of the next. With
/// one chunk and one field, nothing overlaps.
Schedule make_schedule(const ScheduleShape& shape, const ScheduleRule& rule = {});

/// Throws an Error that names the first wrong action: missing, doubled or too early. An action is
/// too early if its block is not written or has not arrived, or if its memory may still be read.
void check_schedule(const ScheduleShape& shape, const Schedule& schedule);

/// Positions of the first and the last action of a field that use a piece of memory.
struct Lifetime {
  int begin;
  int end;
};
/// Lifetimes of an exchange's buffers, of its memory for a rank's own blocks, and of its window.
struct ExchangeLifetimes {
  Lifetime send, receive, own, window;
};
ExchangeLifetimes lifetimes(const Schedule& schedule, int exchange, int field);

std::string to_string(const Action& action);
/// The schedule as readable text: one line per run, with the blocks started after it and awaited
/// before it.
std::string to_string(const Schedule& schedule, bool with_fields);

}  // namespace weft
