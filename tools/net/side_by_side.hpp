// An exchange beside work that takes as long, by every method and policy: what overlap and
// throughput both measure.
#pragma once

#include <string>
#include <vector>

#include "net/measurement.hpp"
#include "net/work.hpp"

namespace weft::net {

/// Who sees to it that MPI goes on with an exchange while the rank computes.
struct ProgressPolicy {
  enum class Kind {
    none,        ///< nobody: the exchange is left alone until it is waited for
    poll_count,  ///< the computing thread calls MPI_Test so many times, evenly spread
    poll_time,   ///< and after so many seconds of work
    thread       ///< another thread waits in MPI meanwhile
  };
  std::string name;
  Kind kind = Kind::none;
  double value = 0;

  /// Why it cannot be had in this run; "" where it can. (MPI must be initialized.)
  std::string unavailable() const;
};

/// "none", "poll:16", "poll:50us", "thread". Throws an Error that lists them.
ProgressPolicy parse_policy(const std::string& text);

/// MPI's name for what it provides: "funneled".
std::string thread_level();

/// One policy. Seconds from posting the exchange, on the rank that took longest.
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
  Index units = 0;  ///< of work beside each exchange
  int steps = 0;
  Samples exchange;  ///< alone
  Samples compute;   ///< alone, on all ranks at once
  std::vector<Together> policies;
};

/// All of them in turn, over and over; an exchange, the work, and both together by each policy
/// right behind each other. Collective; the same on all ranks. Throws where the results are wrong.
std::vector<SideBySide> measure_side_by_side(const Arguments& arguments, const Job& job,
                                             Work& work);

/// A line for each policy that cannot be had.
std::string reasons(const SideBySide& row);
/// One of the "rows" of a report, to whose policies the caller adds its figures.
Json json_of(const SideBySide& row);

}  // namespace weft::net
