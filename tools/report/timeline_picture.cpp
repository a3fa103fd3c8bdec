// Bars that would share their pixels become one, so that a trace of any length makes a picture of
// bounded size.
#include "report/timeline_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "report/svg.hpp"

namespace weft::report {
namespace {

using command::Json;

constexpr double width = 960, left_margin = 64, right_margin = 16;
constexpr double lane_height = 9, row_gap = 8, scale_height = 26;

/// A lane of a rank's row: some kinds of bars, later ones over earlier.
struct Lane {
  std::vector<std::string_view> categories;
};
const std::vector<Lane> lanes{{{"pass", "poll"}}, {{"block", "start"}}, {{"wait"}}};
const double row_height = lane_height * static_cast<double>(lanes.size());

/// In microseconds.
struct Bar {
  double begin = 0;
  double end = 0;
  std::string name;
  int count = 1;  ///< bars that it stands for
};

struct Row {
  double begin = 0;  ///< of the transform that is drawn
  double end = 0;
  std::map<std::string, std::vector<Bar>, std::less<>> bars;  ///< by category
};

Bar bar_of(const Json& event) {
  const double begin = event["ts"];
  return {begin, begin + event["dur"].get<double>(), event["name"]};
}

/// The last transform of each rank that is drawn, and what the rank did in it.
std::map<int, Row> rows_of(const Json& trace) {
  std::map<int, Row> rows;
  const auto for_each_bar = [&](const auto& visit) {
    for (const Json& event : trace["traceEvents"])
      if (event["ph"] == "X" && event["pid"] < most_ranks)
        visit(rows[event["pid"]], event["cat"].get<std::string>(), bar_of(event));
  };
  for_each_bar([](Row& row, const std::string& category, const Bar& bar) {
    if (category == "transform" && bar.end > row.end) row.begin = bar.begin, row.end = bar.end;
  });
  for_each_bar([](Row& row, const std::string& category, const Bar& bar) {
    if (bar.begin >= row.begin && bar.end <= row.end) row.bars[category].push_back(bar);
  });
  return rows;
}

/// Each bar that ends with the one before it, within the resolution, becomes a part of that.
std::vector<Bar> merged(std::vector<Bar> bars, double resolution) {
  std::ranges::stable_sort(bars, {}, &Bar::begin);
  std::vector<Bar> result;
  for (const Bar& bar : bars) {
    const double reach = result.empty() ? 0 : result.back().end + resolution;
    if (result.empty() || bar.begin > reach || bar.end > reach) {
      result.push_back(bar);
      continue;
    }
    result.back().end = std::max(result.back().end, bar.end);
    ++result.back().count;
  }
  return result;
}

/// From microseconds to pixels.
struct TimeScale {
  double begin = 0;
  double end = 0;
  double pixels_per_microsecond() const {
    return (width - left_margin - right_margin) / std::max(end - begin, 1e-3);
  }
  double at(double time) const { return left_margin + (time - begin) * pixels_per_microsecond(); }
};

TimeScale scale_of(const std::map<int, Row>& rows) {
  TimeScale scale{rows.begin()->second.begin, rows.begin()->second.end};
  for (const auto& [rank, row] : rows) {
    scale.begin = std::min(scale.begin, row.begin);
    scale.end = std::max(scale.end, row.end);
  }
  return scale;
}

std::string tip_of(const Bar& bar, const TimeScale& scale) {
  const std::string more = bar.count > 1 ? fmt::format(" and {} more", bar.count - 1) : "";
  return fmt::format("{}{}: {:.4f} to {:.4f} ms", bar.name, more, (bar.begin - scale.begin) / 1000,
                     (bar.end - scale.begin) / 1000);
}

std::string lane_text(const Lane& lane, const Row& row, double top, const TimeScale& scale) {
  constexpr double pixel = 1;
  std::string text;
  for (const std::string_view category : lane.categories) {
    const auto found = row.bars.find(category);
    if (found == row.bars.end()) continue;
    for (const Bar& bar : merged(found->second, pixel / 2 / scale.pixels_per_microsecond())) {
      const double begin = scale.at(bar.begin);
      text +=
          rectangle(std::string(category),
                    {{begin, top}, std::max(scale.at(bar.end) - begin, pixel / 2), lane_height - 1},
                    tip_of(bar, scale));
    }
  }
  return text;
}

std::string row_text(int rank, const Row& row, double top, const TimeScale& scale) {
  std::string text =
      label("name end", {left_margin - 8, top + row_height / 2 + 4}, fmt::format("rank {}", rank));
  text += rectangle(
      "whole", {{scale.at(row.begin), top}, scale.at(row.end) - scale.at(row.begin), row_height});
  for (const Lane& lane : lanes) {
    text += lane_text(lane, row, top, scale);
    top += lane_height;
  }
  return group("row", "", text);
}

/// Vertical lines, with their times in milliseconds below.
std::string marks(const TimeScale& scale, double bottom) {
  std::string text;
  for (const double mark : round_marks((scale.end - scale.begin) / 1000, 8)) {
    const double x = scale.at(scale.begin + 1000 * mark);
    text += line("mark", {x, 0}, {x, bottom + 4});
    text += label("axis middle", {x, bottom + 17}, fmt::format("{:.4g} ms", mark));
  }
  return text;
}

}  // namespace

std::string timeline_picture(const Json& trace) {
  const std::map<int, Row> rows = rows_of(trace);
  if (rows.empty()) return "";
  const TimeScale scale = scale_of(rows);
  const double bottom = static_cast<double>(rows.size()) * (row_height + row_gap);
  std::string content = marks(scale, bottom);
  double top = row_gap / 2;
  for (const auto& [rank, row] : rows) {
    content += row_text(rank, row, top, scale);
    top += row_height + row_gap;
  }
  return svg(width, bottom + scale_height, "what each rank did during one transform", content);
}

}  // namespace weft::report
