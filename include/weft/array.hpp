// A rank's part of a global array: memory with global-index access; a handle, cheap to copy.
#pragma once

#include <complex>
#include <memory>
#include <span>
#include <type_traits>
#include <weft/layout.hpp>

namespace weft {

/// The local part of a distributed array of T (float, double or std::complex of them). Copies share
/// the memory. Arrays made by a plan may lie in its shared windows, which end with MPI_Finalize.
template <class T>
class Array {
 public:
  /// A view of `memory`, which holds the elements of `box` with these strides and lives as long as
  /// any copy of the array.
  /// `owner`: the plan whose own array this is, see Plan::own_array. `indices`: see index_lists.
  Array(std::shared_ptr<void> memory, const Box& box, const PerAxis<Index>& strides,
        const void* owner = nullptr, std::shared_ptr<const IndexLists> indices = nullptr)
      : memory_(std::move(memory)),
        box_(box),
        strides_(strides),
        indices_(std::move(indices)),
        owner_(owner) {}
  /// A rank's part of an array with this layout.
  Array(std::shared_ptr<void> memory, const Layout& layout, int rank, const void* owner = nullptr)
      : Array(std::move(memory), layout.box(rank), layout.strides(rank), owner,
              index_lists(layout, rank)) {}

  /// The first local element.
  T* data() { return static_cast<T*>(memory_.get()); }
  /// The same, read only.
  const T* data() const { return static_cast<const T*>(memory_.get()); }
  /// The number of local elements.
  Index size() const { return box_.volume(); }
  /// The global indices held here; along cyclic and scrambled axes places, see Layout::box.
  const Box& box() const { return box_; }
  /// Elements between neighbours along each axis.
  const PerAxis<Index>& strides() const { return strides_; }
  /// All local elements as they lie in memory; with gaps between them where the layout has some.
  std::span<T> span() { return {data(), memory_size()}; }
  /// The same, read only.
  std::span<const T> span() const { return {data(), memory_size()}; }

  /// The plan whose own array this is; null for other arrays.
  const void* owner() const { return owner_; }

  /// The element at a point of `box()` (not checked).
  T& at(const Point& point) { return data()[offset(point)]; }
  /// The same, read only.
  const T& at(const Point& point) const { return data()[offset(point)]; }
  /// The element at a point of `box()`, one argument per axis: array(x, y, z) (not checked).
  template <class... Indices>
  requires(std::is_convertible_v<Indices, Index>&&...) T& operator()(Indices... indices) {
    return data()[offset_of(indices...)];
  }
  /// The same, read only.
  template <class... Indices>
  requires(std::is_convertible_v<Indices, Index>&&...) const T& operator()(
      Indices... indices) const {
    return data()[offset_of(indices...)];
  }

  /// Calls visit(global index, element) for every local element, last axis fastest.
  template <class Visit>
  void for_each(Visit&& visit) {
    if (box_.empty()) return;
    Point point = box_.lower;
    for (;;) {
      if (indices_)
        visit(static_cast<const Point&>(index_of(point)), at(point));
      else
        visit(static_cast<const Point&>(point), at(point));
      int axis = box_.axes() - 1;
      while (axis >= 0 && ++point[axis] == box_.upper[axis]) point[axis] = box_.lower[axis], --axis;
      if (axis < 0) return;
    }
  }

  /// The global index at a point of `box()`: the same numbers, except along cyclic and scrambled
  /// axes.
  Point index_of(Point point) const {
    if (!indices_) return point;
    for (int axis = 0; axis < point.size(); ++axis)
      if (const std::vector<Index>& list = (*indices_)[axis]; !list.empty())
        point[axis] = list[static_cast<std::size_t>(point[axis] - box_.lower[axis])];
    return point;
  }

  /// Sets every local element to value(global index).
  template <class Value>
  void fill(Value&& value) {
    for_each([&](const Point& point, T& element) { element = static_cast<T>(value(point)); });
  }

 private:
  std::size_t memory_size() const {
    return static_cast<std::size_t>(memory_span(box_.extents(), strides_));
  }
  Index offset(const Point& point) const {
    Index result = 0;
    for (int axis = 0; axis < point.size(); ++axis)
      result += (point[axis] - box_.lower[axis]) * strides_[axis];
    return result;
  }
  template <class... Indices>
  Index offset_of(Indices... indices) const {
    Index result = 0;
    int axis = 0;
    ((result += (static_cast<Index>(indices) - box_.lower[axis]) * strides_[axis], ++axis), ...);
    return result;
  }

  std::shared_ptr<void> memory_;
  Box box_;
  PerAxis<Index> strides_;
  std::shared_ptr<const IndexLists> indices_;  // null: points of the box are indices
  const void* owner_ = nullptr;
};

}  // namespace weft
