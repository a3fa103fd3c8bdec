// The scale follows the medians: a sample far beyond them would flatten every bar, and its line
// leaves the picture instead.
#include "report/bars_picture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/svg.hpp"
#include "text.hpp"

namespace weft::report {
namespace {

using command::seconds_text;

constexpr double width = 960, left_margin = 230, right_margin = 96;
constexpr double row_height = 34, bar_height = 18, top_margin = 20, scale_height = 26;

double slowest(const Samples& samples) { return std::ranges::max(samples.seconds); }

/// From seconds to pixels.
class Scale {
 public:
  Scale(const std::vector<TimedRow>& rows, double floor_seconds) : end_(1.1 * floor_seconds) {
    for (const TimedRow& row : rows) {
      const double median = row.samples.median();
      end_ = std::max(end_, std::min(1.02 * slowest(row.samples), 1.5 * median));
    }
  }
  double end() const { return end_; }
  /// The end of the scale stands for all longer times.
  double at(double seconds) const {
    return left_margin + std::min(seconds / end_, 1.0) * (width - left_margin - right_margin);
  }

 private:
  double end_;
};

std::string row_text(const TimedRow& row, double top, const Scale& scale) {
  const Samples& samples = row.samples;
  const double middle = top + bar_height / 2;
  const double begin = scale.at(samples.minimum()), end = scale.at(slowest(samples));
  std::string text = label("name end", {left_margin - 10, middle + 4}, row.name);
  text +=
      rectangle("bar", {{scale.at(0), top}, scale.at(samples.median()) - scale.at(0), bar_height});
  text += line("range", {begin, middle}, {end, middle});
  for (const double x : {begin, end}) text += line("range", {x, middle - 5}, {x, middle + 5});
  text += label("value", {width - right_margin + 8, middle + 4}, seconds_text(samples.median()));
  const std::string tip =
      fmt::format("{}: median {}, fastest {}, slowest {}", row.name, seconds_text(samples.median()),
                  seconds_text(samples.minimum()), seconds_text(slowest(samples)));
  return group("row", tip, text);
}

std::string marks(const Scale& scale, double bottom) {
  std::string text;
  for (const double mark : round_marks(scale.end(), 6)) {
    text += line("mark", {scale.at(mark), top_margin}, {scale.at(mark), bottom});
    text +=
        label("axis middle", {scale.at(mark), bottom + 15}, mark == 0 ? "0" : seconds_text(mark));
  }
  return text;
}

}  // namespace

std::string bars_picture(const std::vector<TimedRow>& rows, double floor_seconds) {
  const Scale scale(rows, floor_seconds);
  const double bottom = top_margin + static_cast<double>(rows.size()) * row_height + 4;
  std::string content = marks(scale, bottom);
  double top = top_margin + (row_height - bar_height) / 2;
  for (const TimedRow& row : rows) {
    content += row_text(row, top, scale);
    top += row_height;
  }
  const double floor = scale.at(floor_seconds);
  content += line("floor", {floor, top_margin - 4}, {floor, bottom});
  content += label("floor-name middle", {floor, top_margin - 8},
                   fmt::format("floor {}", seconds_text(floor_seconds)));
  return svg(width, bottom + scale_height, "seconds per transform", content);
}

}  // namespace weft::report
