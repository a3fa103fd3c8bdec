// Rows come pairs by pairs, and in them direction by direction: each such series is one column of
// the table and one line fitted.
#include "net/pair_report.hpp"

#include <fmt/core.h>

#include "net/line.hpp"
#include "net/report.hpp"
#include "net/table.hpp"

namespace weft::net {
namespace {

using Series = std::vector<const PairRow*>;

/// Rows that differ in size alone.
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

std::string counted(const Pairs& pairs) {
  return fmt::format("{} pair{}", pairs.count(), pairs.count() == 1 ? "" : "s");
}

Json identity(const PairRow& row) {
  return {{"where", row.pairs.where},
          {"pairs", row.pairs.count()},
          {"ranks", row.pairs.members},
          {"direction", to_string(row.direction)}};
}

}  // namespace

std::string name_of(const Pairs& pairs) {
  return fmt::format("{}, {}", pairs.where, counted(pairs));
}

std::string pair_table(const std::vector<PairRow>& rows,
                       const std::function<std::string(const PairRow&)>& figure) {
  const std::vector<Series> all = series_of(rows);
  std::vector<std::string> where = {""}, pairs = {""}, direction = {"message"};
  std::string fits;
  for (const Series& series : all) {
    const PairRow& first = *series.front();
    where.push_back(first.pairs.where);
    pairs.push_back(counted(first.pairs));
    direction.emplace_back(to_string(first.direction));
    if (const auto line = fit(series))
      fits +=
          fmt::format("  {}, {}: {}\n", name_of(first.pairs), direction.back(), line->describe());
  }
  Table table(where);
  table.add(pairs);
  table.add(direction);
  for (std::size_t size = 0; size < all.front().size(); ++size) {
    std::vector<std::string> cells = {size_text(all.front()[size]->bytes)};
    for (const Series& series : all) cells.push_back(figure(*series[size]));
    table.add(cells);
  }
  return table.text(0) + (fits.empty() ? "" : "\n" + fits);
}

void add_json(const std::vector<PairRow>& rows, Json& report) {
  report["rows"] = Json::array();
  report["fits"] = Json::array();
  for (const Series& series : series_of(rows)) {
    for (const PairRow* row : series) {
      Json one = identity(*row);
      one["bytes"] = row->bytes;
      one["window"] = row->window;
      one["seconds"] = seconds_of(row->samples);
      one["bytes_per_second"] = row->bandwidth();
      report["rows"].push_back(one);
    }
    const auto line = fit(series);
    if (!line) continue;
    Json one = identity(*series.front());
    one.update(line->json());
    report["fits"].push_back(one);
  }
}

}  // namespace weft::net
