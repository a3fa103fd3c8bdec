// `weft net overlap`: how much of an exchange hides behind arithmetic that takes as long.
#include <fmt/core.h>

#include <algorithm>

#include "net/report.hpp"
#include "net/side_by_side.hpp"
#include "net/table.hpp"

namespace weft::net {
namespace {

/// 1 where the shorter of the two costs nothing, 0 where they take turns; less where trying costs
/// more than it gains.
double overlap(const SideBySide& row, const Together& together) {
  const double exchange = row.exchange.median();
  const double compute = row.compute.median();
  return (exchange + compute - together.both.median()) / std::min(exchange, compute);
}

std::string table(const std::vector<SideBySide>& rows) {
  std::vector<std::string> heads = {"method", "message", "exchange", "compute"};
  for (const Together& together : rows.front().policies) heads.push_back(together.policy.name);
  Table table(heads);
  for (const SideBySide& row : rows) {
    std::vector<std::string> cells = {row.method, size_text(row.bytes),
                                      seconds_text(row.exchange.median()),
                                      seconds_text(row.compute.median())};
    for (const Together& together : row.policies)
      cells.push_back(together.unavailable.empty() ? share_text(overlap(row, together))
                                                   : "not here");
    table.add(cells);
  }
  return table.text(1);
}

}  // namespace

Findings measure_overlap(const Arguments& arguments, const Job& job) {
  const std::string convention =
      "overlap = (exchange + compute - both) / the shorter of the two; below 0, together they take "
      "longer than one after the other";
  const auto work = arithmetic();
  const std::vector<SideBySide> rows = measure_side_by_side(arguments, job, *work);
  Findings findings;
  findings.text = fmt::format("weft net overlap: {}, threads \"{}\"\n  {}\n\n{}{}", job.describe(),
                              thread_level(), convention, table(rows), reasons(rows.front()));
  findings.json = report_of("overlap", arguments, job, convention);
  findings.json["thread_level"] = thread_level();
  for (const SideBySide& row : rows) {
    Json one = json_of(row);
    for (std::size_t place = 0; place < row.policies.size(); ++place)
      if (row.policies[place].unavailable.empty())
        one["policies"][place]["overlap"] = overlap(row, row.policies[place]);
    findings.json["rows"].push_back(one);
  }
  return findings;
}

}  // namespace weft::net
