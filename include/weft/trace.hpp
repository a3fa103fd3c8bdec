// The actions of a rank and their times: plain data that shows where a plan spends its time.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace weft {

/// The spans that this rank recorded, from Plan::trace.
struct Trace {
  /// One action, from begin to end.
  struct Span {
    /// A pass gathers, transforms and scatters one chunk: packing is part of it. The next four
    /// belong to an exchange. `acquire` asks whether chunk k may be written, and `start` sends off
    /// block (k, j). `finish` asks whether chunk j has arrived, and `release` says that it has been
    /// read. `poll` lets messages progress while something else is computed.
    enum class What { pass, acquire, start, finish, release, poll };
    What what = What::pass;  ///< what kind of action
    /// For acquire and finish: the first attempt returned false, and the span is the wait.
    bool waited = false;
    bool by_progress_thread = false;  ///< otherwise by the caller's
    int stage = 0;                    ///< which pass or exchange of its direction
    int k = 0;                        ///< chunk of a pass; of an exchange, the one produced
    int j = 0;                        ///< of an exchange, the chunk consumed
    int field = 0;                    ///< which of Options::fields
    std::chrono::steady_clock::time_point begin;  ///< by this rank's clock
    std::chrono::steady_clock::time_point end;    ///< by the same
    std::string name;  ///< for people: "pass 0: c2c along axis 2, chunk 3"
  };
  /// The spans of the caller's thread, then the spans of the progress thread, each ordered by end.
  /// Two spans of one thread are either disjoint or nested.
  std::vector<Span> spans;
  std::size_t dropped = 0;  ///< spans that were lost because the memory for them was full
};

}  // namespace weft
