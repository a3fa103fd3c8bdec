// `weft net bandwidth`: how many bytes per second move while many messages are in flight.
#include <fmt/core.h>

#include "net/pair_report.hpp"
#include "net/report.hpp"
#include "net/table.hpp"

namespace weft::net {

Findings measure_bandwidth(const Arguments& arguments, const Job& job) {
  const std::string convention = fmt::format(
      "windows of up to {} messages; both ways: bytes of both directions; several pairs: of all",
      arguments.window);
  const auto rows = measure_pairs(arguments, job, Convention::window);
  Findings findings;
  findings.text =
      fmt::format("weft net bandwidth: {}\n  {}\n\n{}", job.describe(), convention,
                  pair_table(rows, [](const PairRow& row) { return rate_text(row.bandwidth()); }));
  findings.json = report_of("bandwidth", arguments, job, convention);
  add_json(rows, findings.json);
  return findings;
}

}  // namespace weft::net
