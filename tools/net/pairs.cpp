// `weft net latency` and `weft net bandwidth`: one table row per size, one column per group of
// pairs and direction. Rows come group by group, and within a group direction by direction: each
// such series is one column of the table and one fitted line.
#include <fmt/core.h>

#include "net/line.hpp"
#include "net/point_to_point.hpp"

namespace weft::net {
namespace {

using Series = std::vector<const PairRow*>;
using Figure = std::string(const PairRow&);

/// Rows that differ only in size.
std::vector<Series> series_of(const std::vector<PairRow>& rows) {
  std::vector<Series> all;
  for (const PairRow& row : rows) {
    if (all.empty() || row.bytes <= all.back().back()->bytes) all.emplace_back();
    all.back().push_back(&row);
  }
  return all;
}

std::optional<Line> fit(const Series& series) {
  std::vector<Point> points;
  for (const PairRow* row : series) points.push_back({row->moved(), row->samples.median()});
  return fit_line(points);
}

Json identity(const PairRow& row) {
  return {{"where", row.pairs.where},
          {"pairs", row.pairs.count()},
          {"ranks", row.pairs.members},
          {"direction", to_string(row.direction)}};
}

/// One figure of each row, and the fitted lines.
std::string table(const std::vector<Series>& all, Figure* figure) {
  std::vector<std::string> where = {""}, pairs = {""}, direction = {"message"};
  std::string fits;
  for (const Series& series : all) {
    const PairRow& first = *series.front();
    where.push_back(first.pairs.where);
    pairs.push_back(counted(first.pairs.count(), "pair"));
    direction.emplace_back(to_string(first.direction));
    if (const auto line = fit(series))
      fits += fmt::format("  {}, {}: {}\n", first.pairs.name(), direction.back(), line->describe());
  }
  Table table(where);
  table.add(pairs);
  table.add(direction);
  for (std::size_t size = 0; size < all.front().size(); ++size) {
    std::vector<std::string> cells = {size_text(static_cast<double>(all.front()[size]->bytes))};
    for (const Series& series : all) cells.push_back(figure(*series[size]));
    table.add(cells);
  }
  return table.text("") + (fits.empty() ? "" : "\n" + fits);
}

Findings& add(Findings& findings, const std::vector<PairRow>& rows, Figure* figure) {
  const std::vector<Series> all = series_of(rows);
  findings.text += fmt::format("\n{}", table(all, figure));
  findings.json["rows"] = findings.json["fits"] = Json::array();
  for (const Series& series : all) {
    for (const PairRow* row : series) {
      findings.json["rows"].push_back(identity(*row));
      findings.json["rows"].back().update({{"bytes", row->bytes},
                                           {"window", row->window},
                                           {"seconds", row->samples},
                                           {"bytes_per_second", row->bandwidth()}});
    }
    const auto line = fit(series);
    if (!line) continue;
    findings.json["fits"].push_back(identity(*series.front()));
    findings.json["fits"].back().update(line->json());
  }
  return findings;
}

}  // namespace

Findings measure_latency(const Arguments& arguments, const Job& job) {
  Findings findings = findings_of(
      "latency", arguments, job,
      "one way: half the round trip; both ways: both ends send at once, until both have received");
  return add(findings, measure_pairs(arguments, job, Convention::ping_pong),
             [](const PairRow& row) { return seconds_text(row.samples.median()); });
}

Findings measure_bandwidth(const Arguments& arguments, const Job& job) {
  Findings findings = findings_of(
      "bandwidth", arguments, job,
      fmt::format("windows of up to {} messages; both ways: bytes of both directions; several "
                  "pairs: of all",
                  arguments.window));
  return add(findings, measure_pairs(arguments, job, Convention::window),
             [](const PairRow& row) { return rate_text(row.bandwidth()); });
}

}  // namespace weft::net
