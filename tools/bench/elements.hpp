// Walks a local array in whatever order and precision it lies: what filling and checking share.
#pragma once

#include <complex>

#include "bench/candidate.hpp"

namespace weft::bench {

/// Calls visit(point, offset) for every line along the last axis: the global index of its first
/// element, and that element's place in memory.
template <class Visit>
void for_each_line(const Field& field, Visit&& visit) {
  const Box& box = field.box;
  if (box.empty()) return;
  const int last = box.axes() - 1;
  Point point = box.lower;
  for (;;) {
    Index offset = 0;
    for (int axis = 0; axis < last; ++axis)
      offset += (point[axis] - box.lower[axis]) * field.strides[axis];
    visit(static_cast<const Point&>(point), offset);
    int axis = last - 1;
    while (axis >= 0 && ++point[axis] == box.upper[axis]) point[axis] = box.lower[axis], --axis;
    if (axis < 0) return;
  }
}

/// Calls visit(point, offset) for every element.
template <class Visit>
void for_each_element(const Field& field, Visit&& visit) {
  const int last = field.box.axes() - 1;
  for_each_line(field, [&](Point point, Index offset) {
    for (; point[last] < field.box.upper[last]; ++point[last], offset += field.strides[last])
      visit(static_cast<const Point&>(point), offset);
  });
}

/// Calls visit with the data as a pointer to its element type.
template <class Visit>
void with_element_type(const Field& field, Visit&& visit) {
  const bool wide = field.precision == Precision::double_;
  if (field.real && wide) visit(static_cast<double*>(field.data));
  if (field.real && !wide) visit(static_cast<float*>(field.data));
  if (!field.real && wide) visit(static_cast<std::complex<double>*>(field.data));
  if (!field.real && !wide) visit(static_cast<std::complex<float>*>(field.data));
}

template <class T>
void assign(T& element, std::complex<double> value) {
  element = static_cast<T>(value.real());
}
template <class T>
void assign(std::complex<T>& element, std::complex<double> value) {
  element = {static_cast<T>(value.real()), static_cast<T>(value.imag())};
}

}  // namespace weft::bench
