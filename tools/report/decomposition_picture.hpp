// Draws each rank's part of an array as boxes in space: exact for up to three axes that are cut, a
// projection for more.
#pragma once

#include <string>
#include <vector>
#include <weft/layout.hpp>

namespace weft::report {

/// The parts of a drawing, in pixels from its upper left corner.
struct Drawing {
  double width = 0;
  double height = 0;
  std::string content;
};

/// Draws every layout of a route at the same scale and from the same side, so that they can be
/// compared.
class DecompositionPictures {
 public:
  /// There must be a layout; all of them are of as many axes and ranks.
  explicit DecompositionPictures(const std::vector<Layout>& route);

  Drawing draw(const Layout& layout) const;

 private:
  std::vector<int> axes_;  // those drawn: the last to the right, the next down, the third behind
  std::vector<double> pixels_per_index_;  // for each of axes_
};

}  // namespace weft::report
