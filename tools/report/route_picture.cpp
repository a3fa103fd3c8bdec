// The drawings of the layouts stand in a row; where a pass changes its boxes, the new ones stand
// below.
#include "report/route_picture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/decomposition_picture.hpp"
#include "report/svg.hpp"

namespace weft::report {
namespace {

constexpr double arrow_width = 90, line_height = 16;
constexpr double letter_width = 6.2;  // of captions, on average
// The text is grey, because nobody knows the colour of the page.
constexpr const char* style = R"css(<style>
text { font: 12px system-ui, sans-serif; fill: #7a8494; }
.axis { font-size: 11px; }
.middle, .number { text-anchor: middle; }
.number { font-size: 11px; fill: #10151c; }
.arrow { font-size: 26px; text-anchor: middle; }
polygon { stroke: #10151c; stroke-width: .6; stroke-linejoin: round; }
</style>
)css";

/// "c2c along axis 2, then c2c along axis 1" takes two lines.
std::vector<std::string> lines_of(std::string text) {
  std::vector<std::string> lines;
  for (std::size_t at; (at = text.find(", ")) != std::string::npos; text.erase(0, at + 2))
    lines.push_back(text.substr(0, at + 1));
  lines.push_back(text);
  return lines;
}

/// The lines above the drawings of one pass.
std::vector<std::string> caption_of(const Plan::Pass& pass, std::size_t number) {
  return lines_of(fmt::format("pass {}: {}", number, pass.computes));
}

class Row {
 public:
  Row(const std::vector<Plan::Pass>& passes, const std::vector<std::string>& exchanges)
      : pictures_(layouts_of(passes)) {
    std::size_t lines = 0;
    for (std::size_t number = 0; number < passes.size(); ++number)
      lines = std::max(lines, caption_of(passes[number], number).size());
    top_ = (static_cast<double>(lines) + 0.5) * line_height;
    middle_ = top_ + pictures_.draw(passes.front().before).height / 2;
    for (std::size_t number = 0; number < passes.size(); ++number) {
      add_pass(passes[number], number);
      if (number < exchanges.size()) add_exchange(exchanges[number], number);
    }
  }

  std::string svg() const {
    return report::svg(right_, bottom_, "the boxes of all ranks along the route", style + content_);
  }

 private:
  void add_pass(const Plan::Pass& pass, std::size_t number) {
    double width = 0;
    double y = line_height;
    for (const std::string& line : caption_of(pass, number)) {
      content_ += label("caption", {right_ + letter_width, y}, line);
      width = std::max(width, letter_width * static_cast<double>(line.size() + 2));
      y += line_height;
    }
    y = place(pictures_.draw(pass.before), top_, width);
    if (!pass.after.has_boxes_of(pass.before)) {
      content_ += label("arrow", {right_ + width / 2, y + line_height}, "↓");
      y = place(pictures_.draw(pass.after), y + line_height, width);
    }
    right_ += width;
    bottom_ = std::max(bottom_, y);
  }

  /// Returns the lower end of the drawing.
  double place(const Drawing& drawing, double y, double& width) {
    content_ += fmt::format("<g transform=\"translate({:.1f} {:.1f})\">\n{}</g>\n", right_, y,
                            drawing.content);
    width = std::max(width, drawing.width);
    return y + drawing.height;
  }

  void add_exchange(const std::string& method, std::size_t number) {
    const double x = right_ + arrow_width / 2;
    content_ += label("arrow", {x, middle_}, "→") +
                label("middle", {x, middle_ + line_height}, fmt::format("exchange {}", number)) +
                label("middle", {x, middle_ + 2 * line_height}, method);
    right_ += arrow_width;
  }

  DecompositionPictures pictures_;
  std::string content_;
  double top_ = 0;
  double middle_ = 0;
  double right_ = 0;
  double bottom_ = 0;
};

}  // namespace

std::vector<Layout> layouts_of(const std::vector<Plan::Pass>& passes) {
  std::vector<Layout> layouts;
  for (const Plan::Pass& pass : passes) {
    layouts.push_back(pass.before);
    layouts.push_back(pass.after);
  }
  return layouts;
}

std::string route_picture(const std::vector<Plan::Pass>& passes,
                          const std::vector<std::string>& exchanges) {
  return Row(passes, exchanges).svg();
}

}  // namespace weft::report
