// The order of everything a transform does: plain data, the same on every rank, proved before it is
// run.
#pragma once

#include <string>
#include <vector>

namespace weft {

/// One thing to do. `stage` is a pass for run and an exchange for the others; j is the chunk
/// consumed and k the chunk produced, where they apply.
struct Action {
  enum class Verb { acquire, run, start, finish, release };
  Verb verb;
  int field = 0;
  int stage = 0;
  int k = 0;
  int j = 0;
  friend bool operator==(const Action&, const Action&) = default;
};

/// What a schedule must order.
struct ScheduleShape {
  struct Chunks {
    int producer = 1;
    int consumer = 1;
  };
  int passes = 1;
  std::vector<Chunks> exchanges;  ///< passes - 1 of them
  int fields = 1;
  /// The last exchange delivers into the caller's array, which its rank gives up on entry, not
  /// after reading it; with `last_pass_idle` what arrives there is the result already.
  bool delivers_to_caller = false;
  bool last_pass_idle = false;
};

using Schedule = std::vector<Action>;

/// Pass by pass; each producer chunk's blocks travel while the next chunk is made, and with several
/// fields the exchange of one behind the passes of the next. With one chunk and one field:
/// blocking.
Schedule make_schedule(const ScheduleShape& shape);

/// Throws an Error naming the first action that starts a block before it is written, reads one
/// before it has arrived, writes where something may still be read, or is missing or doubled.
void check_schedule(const ScheduleShape& shape, const Schedule& schedule);

/// Positions of the first and the last action of a field that use some memory.
struct Lifetime {
  int begin;
  int end;
};
/// Of the send buffer, the receive buffer, the memory for a rank's own blocks and the window of an
/// exchange.
struct ExchangeLifetimes {
  Lifetime send, receive, own, window;
};
ExchangeLifetimes lifetimes(const Schedule& schedule, int exchange, int field);

std::string to_string(const Action& action);

}  // namespace weft
