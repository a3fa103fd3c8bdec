// Coordinates of the merged axis count elements from the first one of coordinate 0 of the outer
// axis.
#include "view/merged_axes.hpp"

namespace weft {

std::optional<MergedAxes> MergedAxes::find(int outer, int inner, const std::vector<Box>& boxes,
                                           const std::vector<View>& from,
                                           const std::vector<View>& to) {
  const auto first = std::ranges::find_if(boxes, [](const Box& box) { return !box.empty(); });
  if (first == boxes.end()) return {};
  const auto is_alike = [&](const Box& box) {
    return box.empty() ||
           (box.lower[inner] == first->lower[inner] && box.upper[inner] == first->upper[inner]);
  };
  const auto is_stretch = [&](const Piece& piece) {
    return is_alike(piece.box) &&
           piece.strides[outer] == piece.strides[inner] * first->extent(inner);
  };
  const auto is_merged = [&](const View& view) {
    return std::ranges::all_of(view.pieces, is_stretch);
  };
  if (!std::ranges::all_of(boxes, is_alike) || !std::ranges::all_of(from, is_merged) ||
      !std::ranges::all_of(to, is_merged))
    return {};
  return MergedAxes(outer, inner, *first);
}

Box MergedAxes::of(const Box& box) const {
  Box merged = box;
  merged.lower[outer_] = 0;
  merged.upper[outer_] = 1;
  merged.lower[inner_] = box.lower[outer_] * extent_ + (box.lower[inner_] - lower_);
  merged.upper[inner_] =
      box.empty() ? merged.lower[inner_] : merged.lower[inner_] + box.extent(outer_) * extent_;
  return merged;
}

View MergedAxes::of(View view) const {
  for (Piece& piece : view.pieces) piece.box = of(piece.box);
  return view;
}

}  // namespace weft
