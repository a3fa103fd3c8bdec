// The caller's result array, for exchanges that work in it.
#pragma once

#include "exchange/geometry.hpp"
#include "view/view.hpp"

namespace weft {

/// The array on one side of an exchange. The base is null: the array is bound later.
inline View result_array(const Geometry& geometry, const Layout& side, int rank) {
  const Box& box = side.box(rank);
  return {{nullptr},
          {{box, 0, byte_strides(box.extents(), geometry.order, geometry.element.bytes())}}};
}

}  // namespace weft
