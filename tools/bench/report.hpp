// The results of bench, as a table for people and as JSON for programs: measured facts, and the
// derived figures that both forms need.
#pragma once

#include <optional>
#include <string>
#include <vector>
#include <weft/options.hpp>

#include "bench/candidate.hpp"
#include "bench/measure.hpp"
#include "bench/overlap.hpp"

namespace weft::bench {

/// One way in which a library ran.
struct Result : Times {
  std::string how;              ///< "the plan's arrays", "in place, MEASURE"
  std::string exchange;         ///< only for Weft: the methods that ran
  double error = 0;             ///< relative L2, of the spectrum compared with the true one
  double round_trip_error = 0;  ///< only for Weft
  double workspace_bytes = 0;   ///< only for Weft, on the rank that needs most
  double wire_bytes = 0;        ///< only for Weft, sent by all ranks together
  double planning_seconds = 0;  ///< only for Weft, on the slowest rank
  bool full = true;             ///< the whole spectrum, in its usual form
};

struct RivalResults {
  std::string name;
  std::string version;
  std::string unavailable;  ///< why there are no results
  std::vector<Result> results;
  /// The result with the smallest median among those that ran to the end; there must be one.
  const Result& best() const;
};

struct Report {
  // The request.
  std::string kind;  ///< as it was typed, or the default
  Transform transform;
  int ranks = 1;
  Options options;
  // The run.
  std::string mpi;
  std::string engine;
  std::string input_layout, output_layout;
  double local_array_bytes = 0;  ///< the larger of input and output, on the rank that holds most
  double pass_bytes = 0;         ///< all ranks together
  double bandwidth = 0;          ///< bytes per second, all ranks together
  double error_bound = 0;
  bool every_exchange =
      false;  ///< `weft` has a result for every method, or `impossible` says why not
  std::vector<std::string> impossible;
  // The results.
  std::vector<Result> weft;  ///< the first is compared with the rivals
  std::vector<RivalResults> rivals;
  std::optional<Overlap> overlap;  ///< of the first of `weft`

  double floor_seconds() const { return pass_bytes / bandwidth; }
  /// 5 N log2 N, half of it where either side is real.
  double operations() const;
  double communication_share(const Result& result) const;
};

/// A row of the table.
struct NamedResult {
  std::string name;  ///< "Weft, the plan's arrays"
  const Result* result;
};
/// The rows of all that ran: Weft's results, and the best result of each rival. They point
/// into the report.
std::vector<NamedResult> named_results(const Report& report);

/// "weft bench 256x256x256 c2c double"
std::string title_of(const Report& report);
/// "4 ranks, 1 thread each; Open MPI 4.1.4"
std::string job_of(const Report& report);
std::string to_table(const Report& report);
/// One object; or a list: one object per method if every exchange method was requested, for several
/// reports one after the other.
std::string to_json(const std::vector<Report>& reports);

}  // namespace weft::bench
