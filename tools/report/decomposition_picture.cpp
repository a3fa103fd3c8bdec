// Boxes are drawn from the farthest to the nearest, each over those behind it: right for every grid
// of boxes, and no depths of pixels need to be compared.
#include "report/decomposition_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "report/svg.hpp"

namespace weft::report {
namespace {

constexpr double longest_edge = 130;  // pixels
constexpr double shortest_edge = 48;  // so that an axis of a few indices can be seen
constexpr double widest_gap = 5;      // between neighbouring boxes
constexpr double all_gaps = 36;       // along one edge, at the most
constexpr double left_margin = 20, right_margin = 58, bottom_margin = 20, top_margin = 4;
constexpr double digit_width = 7, digit_height = 10;
constexpr Position depth_direction{0.55, -0.4};

/// One direction of space: the indices from `begin` to `end` as pixels.
struct Edge {
  double begin = 0;
  double end = 0;
  double middle() const { return (begin + end) / 2; }
  double length() const { return end - begin; }
};

struct Cuboid {
  int rank = 0;
  std::string tip;
  std::array<Edge, 3> edges;  // behind, down, right

  const Edge& behind() const { return edges[0]; }
  const Edge& down() const { return edges[1]; }
  const Edge& right() const { return edges[2]; }
};

/// Where the boxes begin along one axis, each place once: behind each but the first is a gap.
std::vector<Index> begins_of(const std::vector<Box>& boxes, int axis) {
  std::vector<Index> begins;
  for (const Box& box : boxes) begins.push_back(box.lower[axis]);
  std::ranges::sort(begins);
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  return begins;
}

Edge edge_of(const Box& box, int axis, double pixels_per_index, const std::vector<Index>& begins) {
  const auto gaps = std::ranges::lower_bound(begins, box.lower[axis]) - begins.begin();
  const double gap = std::min(widest_gap, all_gaps / static_cast<double>(begins.size()));
  const double begin =
      static_cast<double>(box.lower[axis]) * pixels_per_index + static_cast<double>(gaps) * gap;
  return {begin, begin + static_cast<double>(box.extent(axis)) * pixels_per_index};
}

/// Of the first ranks, those that hold anything.
std::vector<Cuboid> cuboids_of(const Layout& layout, const std::vector<int>& axes,
                               const std::vector<double>& pixels_per_index) {
  std::vector<Box> boxes;
  std::vector<Cuboid> cuboids;
  for (int rank = 0; rank < std::min(layout.ranks(), most_ranks); ++rank) {
    const Box box = layout.box(rank);
    if (box.empty()) continue;
    boxes.push_back(box);
    cuboids.push_back({rank, fmt::format("rank {}: {}", rank, to_string(box)), {}});
  }
  for (Cuboid& cuboid : cuboids) cuboid.edges[1].end = shortest_edge;  // of an array with one axis
  for (std::size_t drawn = 0; drawn < axes.size(); ++drawn) {
    const std::vector<Index> begins = begins_of(boxes, axes[drawn]);
    for (std::size_t i = 0; i < boxes.size(); ++i)
      cuboids[i].edges[drawn + 3 - axes.size()] =
          edge_of(boxes[i], axes[drawn], pixels_per_index[drawn], begins);
  }
  return cuboids;
}

std::vector<Cuboid> far_to_near(std::vector<Cuboid> cuboids) {
  std::ranges::sort(cuboids, {}, [](const Cuboid& cuboid) {
    return std::tuple(-cuboid.behind().begin, -cuboid.down().begin, cuboid.right().begin);
  });
  return cuboids;
}

/// The cuboid around all of them.
Cuboid hull_of(const std::vector<Cuboid>& cuboids) {
  Cuboid hull;
  for (const Cuboid& cuboid : cuboids)
    for (std::size_t direction = 0; direction < 3; ++direction)
      hull.edges[direction].end = std::max(hull.edges[direction].end, cuboid.edges[direction].end);
  return hull;
}

/// From places in space to places on the page.
class Projection {
 public:
  explicit Projection(const Cuboid& hull) : hull_(hull) {}
  Position at(double behind, double down, double right) const {
    return {left_margin + right + depth_direction.x * behind,
            top_margin - depth_direction.y * (hull_.behind().end - behind) + down};
  }
  double width() const {
    return left_margin + hull_.right().end + depth_direction.x * hull_.behind().end + right_margin;
  }
  double height() const {
    return top_margin - depth_direction.y * hull_.behind().end + hull_.down().end + bottom_margin;
  }
  const Cuboid& hull() const { return hull_; }

 private:
  Cuboid hull_;
};

/// The three faces that are seen, of a flat box the one.
std::string faces(const Cuboid& cuboid, const Projection& projection) {
  const auto& [behind, down, right] = cuboid.edges;
  const auto at = [&](double z, double y, double x) { return projection.at(z, y, x); };
  std::string text =
      polygon(colour_of(cuboid.rank),
              {at(behind.begin, down.begin, right.begin), at(behind.begin, down.begin, right.end),
               at(behind.begin, down.end, right.end), at(behind.begin, down.end, right.begin)});
  if (behind.length() == 0) return text;
  text +=
      polygon(colour_of(cuboid.rank, 74),
              {at(behind.begin, down.begin, right.begin), at(behind.begin, down.begin, right.end),
               at(behind.end, down.begin, right.end), at(behind.end, down.begin, right.begin)});
  text += polygon(colour_of(cuboid.rank, 50),
                  {at(behind.begin, down.begin, right.end), at(behind.begin, down.end, right.end),
                   at(behind.end, down.end, right.end), at(behind.end, down.begin, right.end)});
  return text;
}

/// The rank's number in a face that no other box covers, if there is one with enough room.
std::string number(const Cuboid& cuboid, const Projection& projection) {
  const auto& [behind, down, right] = cuboid.edges;
  const bool is_in_front = behind.begin == 0;
  const bool is_at_right = right.end == projection.hull().right().end;
  const bool is_on_top = down.begin == 0;
  const std::string digits = fmt::format("{}", cuboid.rank);
  const auto has_room = [&](double across, double up) {
    return across >= digit_width * static_cast<double>(digits.size()) && up >= digit_height;
  };
  const auto write = [&](double z, double y, double x) {
    const Position middle = projection.at(z, y, x);
    return label("number", {middle.x, middle.y + 4}, digits);
  };
  if (is_in_front && has_room(right.length(), down.length()))
    return write(behind.begin, down.middle(), right.middle());
  if (is_on_top && has_room(right.length(), -depth_direction.y * behind.length()))
    return write(behind.middle(), down.begin, right.middle());
  if (is_at_right && has_room(depth_direction.x * behind.length(), down.length()))
    return write(behind.middle(), down.middle(), right.end);
  return "";
}

/// The lengths of the axes along the edges of all boxes together.
std::string axis_labels(const Layout& layout, const std::vector<int>& axes,
                        const Projection& projection) {
  const auto text = [&](std::size_t from_the_last) {
    const int axis = axes[axes.size() - 1 - from_the_last];
    return fmt::format("axis {}: {}", axis, layout.global()[axis]);
  };
  const auto& [behind, down, right] = projection.hull().edges;
  const Position below = projection.at(0, down.end, right.middle());
  std::string labels = label("axis middle", {below.x, below.y + 14}, text(0));
  if (axes.size() > 1) {
    const Position beside = projection.at(0, down.middle(), 0);
    labels += upright_label("axis middle", {beside.x - 7, beside.y}, text(1));
  }
  if (axes.size() > 2) {
    const Position along = projection.at(behind.middle(), down.end, right.end);
    labels += label("axis", {along.x + 4, along.y + 10}, text(2));
  }
  return labels;
}

bool is_cut(const std::vector<Layout>& route, int axis) {
  return std::ranges::any_of(route, [&](const Layout& layout) { return !layout.is_local(axis); });
}

/// At most three axes, in order: first of all those that are cut.
std::vector<int> axes_to_draw(const std::vector<Layout>& route) {
  std::vector<int> axes;
  for (const bool cut : {true, false})
    for (int axis = 0; axis < route.front().global().size(); ++axis)
      if (is_cut(route, axis) == cut && axes.size() < 3) axes.push_back(axis);
  std::ranges::sort(axes);
  return axes;
}

}  // namespace

DecompositionPictures::DecompositionPictures(const std::vector<Layout>& route)
    : axes_(axes_to_draw(route)) {
  std::vector<double> lengths;
  for (const int axis : axes_) {
    Index length = 1;
    for (const Layout& layout : route) length = std::max(length, layout.global()[axis]);
    lengths.push_back(static_cast<double>(length));
  }
  const double longest = std::ranges::max(lengths);
  for (const double length : lengths)
    pixels_per_index_.push_back(std::max(longest_edge * length / longest, shortest_edge) / length);
}

Drawing DecompositionPictures::draw(const Layout& layout) const {
  const std::vector<Cuboid> cuboids = far_to_near(cuboids_of(layout, axes_, pixels_per_index_));
  const Projection projection(hull_of(cuboids));
  std::string content;
  for (const Cuboid& cuboid : cuboids)
    content += group("box", cuboid.tip, faces(cuboid, projection) + number(cuboid, projection));
  content += axis_labels(layout, axes_, projection);
  return {projection.width(), projection.height(), content};
}

}  // namespace weft::report
