// The page says and draws the figures that bench prints; no figure is computed here.
#include "bench/page.hpp"

#include <ctime>
#include <weft/version.hpp>

#include "machine/name.hpp"
#include "report/page.hpp"

namespace weft::bench {
namespace {

/// "2026-11-25 00:30 UTC"
std::string time_text() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", std::gmtime(&now));
  return text;
}

std::vector<report::TimedRow> timed_rows(const Report& report) {
  std::vector<report::TimedRow> rows;
  for (const NamedResult& row : named_results(report))
    rows.push_back({row.name, row.result->samples});
  return rows;
}

}  // namespace

std::string page_of(const Report& report, const Plan& plan, const std::string& trace) {
  return report::page({
      .title = title_of(report),
      .facts = {{"machine", machine_name()},
                {"job", job_of(report)},
                {"options", to_string(report.options)},
                {"Weft", version()},
                {"measured", time_text()}},
      .times = timed_rows(report),
      .floor_seconds = report.floor_seconds(),
      .table = to_table(report),
      .passes = plan.passes(),
      .exchanges = plan.exchanges(),
      .trace = Json::parse(trace),
      .description = plan.describe(),
      .figures = to_json({report}),
  });
}

}  // namespace weft::bench
