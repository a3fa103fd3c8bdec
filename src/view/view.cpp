// Finds the pieces of a view that a tile touches; builds an index if there are many pieces.
#include "view/view.hpp"

namespace weft {
namespace {

// Up to this many pieces, testing each one costs almost nothing compared with a tile's copies.
constexpr std::size_t few_pieces = 16;

Index total_extent(const std::vector<Piece>& pieces, int axis) {
  Index sum = 0;
  for (const Piece& piece : pieces) sum += piece.box.extent(axis);
  return sum;
}

}  // namespace

void View::add(const Piece& array, const std::vector<Box>& boxes) {
  for (const Box& box : boxes)
    pieces.push_back({box, array.offset_of(box.lower), array.strides, array.base});
}

View view_of(std::byte* base, const Piece& array, const std::vector<Box>& boxes) {
  View view{{base}, {}};
  view.add(array, boxes);
  return view;
}

void View::make_index() {
  if (pieces.size() <= few_pieces) return;
  index.axis = 0;
  for (int axis = 1; axis < pieces.front().box.axes(); ++axis)
    if (total_extent(pieces, axis) < total_extent(pieces, index.axis)) index.axis = axis;
  const int axis = index.axis;
  Index end = pieces.front().box.upper[axis];
  index.first = pieces.front().box.lower[axis];
  for (const Piece& piece : pieces) {
    index.first = std::min(index.first, piece.box.lower[axis]);
    end = std::max(end, piece.box.upper[axis]);
  }
  index.numbers.resize(static_cast<std::size_t>(end - index.first));
  for (std::size_t number = 0; number < pieces.size(); ++number)
    for (auto at = pieces[number].box.lower[axis]; at < pieces[number].box.upper[axis]; ++at)
      index.numbers[at - index.first].push_back(static_cast<int>(number));
}

Index View::covered(const Box& box) const {
  Index sum = 0;
  for_each_in(box, [&](const Piece&, const Box& part) { sum += part.volume(); });
  return sum;
}

}  // namespace weft
