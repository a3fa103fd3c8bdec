// Coordinates have a tenth of a pixel: the eye sees no more, and full precision takes three times
// the bytes.
#include "report/svg.hpp"

#include <fmt/format.h>

#include <cmath>

namespace weft::report {
namespace {

std::string title(const std::string& tip) {
  return tip.empty() ? "" : fmt::format("<title>{}</title>", escaped(tip));
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char character : text) {
    if (character == '&')
      result += "&amp;";
    else if (character == '<')
      result += "&lt;";
    else if (character == '>')
      result += "&gt;";
    else if (character == '"')
      result += "&quot;";
    else
      result += character;
  }
  return result;
}

std::string svg(double width, double height, const std::string& name, const std::string& content) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{}\" "
      "width=\"{:.0f}\" height=\"{:.0f}\" viewBox=\"0 0 {:.0f} {:.0f}\">\n{}</svg>\n",
      escaped(name), width, height, width, height, content);
}

std::string group(const std::string& css_class, const std::string& tip,
                  const std::string& content) {
  return fmt::format("<g class=\"{}\">{}{}</g>\n", css_class, title(tip), content);
}

std::string rectangle(const std::string& css_class, const Rectangle& place,
                      const std::string& tip) {
  return fmt::format(
      "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">{}</rect>\n",
      css_class, place.corner.x, place.corner.y, place.width, place.height, title(tip));
}

std::string line(const std::string& css_class, const Position& from, const Position& to) {
  return fmt::format(
      "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", css_class,
      from.x, from.y, to.x, to.y);
}

std::string label(const std::string& css_class, const Position& at, const std::string& text) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", css_class, at.x,
                     at.y, escaped(text));
}

std::string upright_label(const std::string& css_class, const Position& at,
                          const std::string& text) {
  return fmt::format(
      "<text class=\"{}\" transform=\"translate({:.1f} {:.1f}) rotate(-90)\">{}</text>\n",
      css_class, at.x, at.y, escaped(text));
}

std::string polygon(const std::string& colour, const std::vector<Position>& corners) {
  std::string points;
  for (const Position& corner : corners)
    points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", corner.x, corner.y);
  return fmt::format("<polygon style=\"fill: {}\" points=\"{}\"/>", colour, points);
}

std::string colour_of(int rank, int lightness) {
  constexpr double golden_angle = 137.508;
  const double hue = std::fmod(210 + golden_angle * rank, 360);
  return fmt::format("hsl({:.0f} 48% {}%)", hue, lightness);
}

std::vector<double> round_marks(double most, int count) {
  const double exact = most / count;
  const double power = std::pow(10, std::floor(std::log10(exact)));
  const double leading = exact / power;
  const double step = power * (leading <= 1 ? 1 : leading <= 2 ? 2 : leading <= 5 ? 5 : 10);
  std::vector<double> marks;
  for (int number = 0; number * step <= most; ++number) marks.push_back(number * step);
  return marks;
}

}  // namespace weft::report
