// Chooses two axes for a kernel and loops over the others; the loop nest is generic because kernels
// do most of the work.
#include "view/strided_copy.hpp"

#include <cstring>

namespace weft {
namespace {

/// The longest axis for which `fits` holds, if it is longer than 1; else -1.
template <class Fits>
int longest_axis(const Shape& extents, Fits&& fits) {
  int best = -1;
  for (int axis = 0; axis < extents.size(); ++axis)
    if (extents[axis] > 1 && fits(axis) && (best < 0 || extents[axis] > extents[best])) best = axis;
  return best;
}

/// Calls body(source offset, target offset) for every index of the axes other than a and b.
template <class Body>
void for_other_axes(const Shape& extents, int a, int b, const PerAxis<Index>& source_strides,
                    const PerAxis<Index>& target_strides, Body&& body) {
  auto position = Point::filled(extents.size(), 0);
  Index source = 0;
  Index target = 0;
  for (;;) {
    body(source, target);
    int axis = extents.size() - 1;
    for (; axis >= 0; --axis) {
      if (axis == a || axis == b) continue;
      source += source_strides[axis];
      target += target_strides[axis];
      if (++position[axis] < extents[axis]) break;
      source -= extents[axis] * source_strides[axis];
      target -= extents[axis] * target_strides[axis];
      position[axis] = 0;
    }
    if (axis < 0) return;
  }
}

}  // namespace

void StridedCopy::operator()(const std::byte* source, const PerAxis<Index>& source_strides,
                             std::byte* target, const PerAxis<Index>& target_strides,
                             const Shape& extents) const {
  if (volume(extents) == 0) return;
  const auto unit_in_source = [&](int axis) { return source_strides[axis] == source_bytes; };
  const auto unit_in_target = [&](int axis) { return target_strides[axis] == target_bytes; };
  const int run =
      longest_axis(extents, [&](int axis) { return unit_in_source(axis) && unit_in_target(axis); });
  const int from = longest_axis(extents, unit_in_source);
  const int to = longest_axis(extents, unit_in_target);

  if (run < 0 && from >= 0 && to >= 0) {
    const auto kernel = stream ? kernels->transposed_stream : kernels->transposed;
    for_other_axes(extents, from, to, source_strides, target_strides, [&](Index s, Index t) {
      kernel(source + s, source_strides[to], target + t, target_strides[from], extents[to],
             extents[from], factor);
    });
    return;
  }
  // If no axis is contiguous on both sides, elements are copied one by one, as runs of length 1.
  const int many = longest_axis(extents, [&](int axis) { return axis != run; });
  const auto kernel = stream && run >= 0 ? kernels->rows_stream : kernels->rows;
  const Index length = run < 0 ? 1 : extents[run];
  const Index count = many < 0 ? 1 : extents[many];
  const Index source_stride = many < 0 ? 0 : source_strides[many];
  const Index target_stride = many < 0 ? 0 : target_strides[many];
  for_other_axes(extents, run, many, source_strides, target_strides, [&](Index s, Index t) {
    kernel(source + s, source_stride, target + t, target_stride, count, length, factor);
  });
}

void fill_with_zeros(std::byte* target, const PerAxis<Index>& strides, const Shape& extents,
                     Index element_bytes) {
  if (volume(extents) == 0) return;
  const int run = longest_axis(extents, [&](int axis) { return strides[axis] == element_bytes; });
  const auto bytes = static_cast<std::size_t>((run < 0 ? 1 : extents[run]) * element_bytes);
  for_other_axes(extents, run, -1, strides, strides,
                 [&](Index offset, Index) { std::memset(target + offset, 0, bytes); });
}

}  // namespace weft
