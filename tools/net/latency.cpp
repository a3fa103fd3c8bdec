// `weft net latency`: how long a message takes, by its size.
#include <fmt/core.h>

#include "net/pair_report.hpp"
#include "net/report.hpp"
#include "net/table.hpp"

namespace weft::net {

Findings measure_latency(const Arguments& arguments, const Job& job) {
  const std::string convention =
      "one way: half the round trip; both ways: both ends send at once, until both have received";
  const auto rows = measure_pairs(arguments, job, Convention::ping_pong);
  Findings findings;
  findings.text = fmt::format(
      "weft net latency: {}\n  {}\n\n{}", job.describe(), convention,
      pair_table(rows, [](const PairRow& row) { return seconds_text(row.samples.median()); }));
  findings.json = report_of("latency", arguments, job, convention);
  add_json(rows, findings.json);
  return findings;
}

}  // namespace weft::net
