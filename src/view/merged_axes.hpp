// Two axes that are one stretch of memory in every view, seen as one: loops along it have fewer
// ends. Boxes then no longer tell the coordinates along either axis.
#pragma once

#include <optional>
#include <vector>

#include "view/view.hpp"

namespace weft {

/// Axis `inner` takes in axis `outer`, which keeps a single coordinate, 0.
class MergedAxes {
 public:
  /// Null unless each non-empty box, and each piece of the views, has the same coordinates along
  /// `inner`, and neighbours along `outer` are that many elements apart.
  static std::optional<MergedAxes> find(int outer, int inner, const std::vector<Box>& boxes,
                                        const std::vector<View>& from, const std::vector<View>& to);

  Box of(const Box& box) const;
  View of(View view) const;

 private:
  MergedAxes(int outer, int inner, const Box& box)
      : outer_(outer), inner_(inner), lower_(box.lower[inner]), extent_(box.extent(inner)) {}

  int outer_;
  int inner_;
  Index lower_;   // along the inner axis
  Index extent_;  // along the inner axis
};

}  // namespace weft
