// Records a plan's actions, in memory allocated beforehand. A span costs two readings of the clock
// and no lock. Once the memory is full, spans are only counted.
#pragma once

#include <array>
#include <cstddef>
#include <vector>
#include <weft/trace.hpp>

#include "machine/clock.hpp"
#include "plan/route.hpp"

namespace weft {

/// Each thread writes to its own memory; `read` must not run at the same time.
class Recorder {
 public:
  enum class Thread { caller, progress };

  /// Keeps at most this many spans of either thread.
  explicit Recorder(std::size_t capacity);

  /// An action of a run along the route, which must outlive the recorder; it ends now.
  void add_action(const Route& route, const Action& action, Clock::time_point begin, bool waited) {
    add(Thread::caller, {&route, action, waited, begin, Clock::now()});
  }
  void add_poll(Thread thread, Clock::time_point begin) {
    add(thread, {nullptr, {}, false, begin, Clock::now()});
  }

  Trace read() const;

 private:
  /// The route is null for a poll.
  struct Record {
    const Route* route;
    Action action;
    bool waited;
    Clock::time_point begin, end;
  };
  struct Records {
    std::vector<Record> kept;
    std::size_t dropped = 0;
  };

  void add(Thread thread, const Record& record);
  static Trace::Span span_of(const Record& record, Thread thread);

  std::array<Records, 2> records_;  // by thread
};

}  // namespace weft
