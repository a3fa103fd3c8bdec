// An exchange during work that takes as long, with every method and policy: the measurement behind
// `overlap` and `throughput`.
#pragma once

#include <string>
#include <vector>

#include "net/measurement.hpp"
#include "net/work.hpp"

namespace weft::net {

/// How MPI makes progress with an exchange while the rank computes.
struct ProgressPolicy {
  enum class Kind {
    none,        ///< not at all until the final wait
    poll_count,  ///< the computing thread calls MPI_Test this many times, evenly spread
    poll_time,   ///< the same, after each interval of this many seconds of work
    thread       ///< another thread waits in MPI meanwhile
  };
  std::string name;
  Kind kind = Kind::none;
  double value = 0;

  /// Why the policy is impossible in this run; "" if it is possible. (MPI must be initialized.)
  std::string unavailable() const;
};

/// "none", "poll:16", "poll:50us", "thread". Throws an Error that lists them.
ProgressPolicy parse_policy(const std::string& text);

/// MPI's name of the thread level that it provides: "funneled".
std::string thread_level();

/// One policy. Seconds from posting the exchange, on the slowest rank.
struct Together {
  ProgressPolicy policy;
  std::string unavailable;
  Samples computed;  ///< until the work was done
  Samples both;      ///< until the exchange was done as well
};

/// One method with messages of one size.
struct SideBySide {
  std::string method;
  Index bytes = 0;  ///< from one rank to another
  Index units = 0;  ///< amount of work during each exchange
  int steps = 0;
  Samples exchange;  ///< without work
  Samples compute;   ///< without an exchange, on all ranks at once
  std::vector<Together> policies;
};

/// All methods and sizes in turn, repeatedly; the exchange, the work, and both together with each
/// policy, directly after each other. Collective; the same on all ranks. Throws if the results are
/// wrong.
std::vector<SideBySide> measure_side_by_side(const Arguments& arguments, const Job& job,
                                             Work& work);

/// One line for each policy that is impossible.
std::string reasons(const SideBySide& row);
/// One of the "rows" of a report; the caller adds its figures to the row's policies.
Json json_of(const SideBySide& row);

}  // namespace weft::net
