// The few elements of SVG that the pictures of a page consist of, as text. Colours and fonts are
// left to the classes of the page's style sheet, so that a picture looks right only on that page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft::report {

/// The text, with characters escaped that HTML and SVG would read as markup.
std::string escaped(std::string_view text);

/// In pixels, from the upper left corner.
struct Position {
  double x = 0;
  double y = 0;
};

struct Rectangle {
  Position corner;  ///< the upper left one
  double width = 0;
  double height = 0;
};

/// A whole drawing; `name` describes it, for people who cannot see it.
std::string svg(double width, double height, const std::string& name, const std::string& content);

/// Several elements that belong together; the tip appears where the mouse rests on one of them.
std::string group(const std::string& css_class, const std::string& tip, const std::string& content);

std::string rectangle(const std::string& css_class, const Rectangle& place,
                      const std::string& tip = "");
std::string line(const std::string& css_class, const Position& from, const Position& to);
std::string label(const std::string& css_class, const Position& at, const std::string& text);
/// A label that is read from bottom to top.
std::string upright_label(const std::string& css_class, const Position& at,
                          const std::string& text);
/// Filled with a colour of the `hsl(...)` form.
std::string polygon(const std::string& colour, const std::vector<Position>& corners);

/// Of more ranks, pictures show only the first.
inline constexpr int most_ranks = 64;

/// The colour by which a rank is known in every picture; neighbours differ clearly, as each hue is
/// a golden angle from the one before. `lightness` in percent.
std::string colour_of(int rank, int lightness = 62);

/// 0 and the multiples of a round step up to `most`: about as many as asked for.
std::vector<double> round_marks(double most, int count);

}  // namespace weft::report
