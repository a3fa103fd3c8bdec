// An exchange beside work that takes as long, by every method and policy: what overlap and
// throughput both measure.
#pragma once

#include <string>
#include <vector>

#include "bench/measure.hpp"
#include "net/measurement.hpp"
#include "net/progress_policy.hpp"
#include "net/work.hpp"

namespace weft::net {

/// One policy. Seconds from posting the exchange, on the rank that took longest.
struct Together {
  ProgressPolicy policy;
  std::string unavailable;
  bench::Samples computed;  ///< until the work was done
  bench::Samples both;      ///< until the exchange was done as well
};

/// One method with messages of one size.
struct SideBySide {
  std::string method;
  Index bytes = 0;  ///< from one rank to another
  Index units = 0;  ///< of work beside each exchange
  int steps = 0;
  bench::Samples exchange;  ///< alone
  bench::Samples compute;   ///< alone, on all ranks at once
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
