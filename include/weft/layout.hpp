// Which box of a global array each rank holds, and in which memory order: a value, free of MPI.
#pragma once

#include <string>
#include <vector>
#include <weft/box.hpp>
#include <weft/export.hpp>

namespace weft {

struct ModeMap;

/// How a global array is spread over ranks. Every rank holds one box (possibly empty), contiguous
/// in memory in the layout's order. Layouts made from a process grid remember which grid dimension
/// splits which axis, so that planning can move a dimension from one axis to another.
class WEFT_API Layout {
 public:
  /// No layout: given to a Plan, the planner chooses one.
  Layout() = default;

  /// 1-D decomposition: `axis` is split over all ranks, block r being [n r / P, n (r+1) / P).
  /// A negative axis counts from the end. An Error where the shape, `ranks` or `axis` is not valid.
  static Layout slabs(const Shape& global, int ranks, int axis = 0);

  /// 2-D decomposition over a process grid {p, q}: of the axes other than `local_axis`, the first
  /// is split in p and the second in q (the ones that follow stay whole). Rank = row-major grid
  /// position. An Error unless there are two axes besides `local_axis`, and two counts of 1 or
  /// more.
  static Layout pencils(const Shape& global, const PerAxis<int>& grid, int local_axis = -1);

  /// One process count per axis; rank = row-major position in the grid. An Error unless the grid
  /// has as many entries as the shape, each 1 or more.
  static Layout bricks(const Shape& global, const PerAxis<int>& grid);

  /// The caller's own boxes, one per rank. Throws unless they lie inside the global shape, are
  /// disjoint and complete; the message names the first offending ranks and boxes.
  static Layout boxes(const Shape& global, std::vector<Box> boxes);

  /// A process grid whose dimension d splits the axes as `split` says: split[a] lists the grid
  /// dimensions that split axis a, coarsest first. `slabs`, `pencils` and `bricks` are cases of it.
  /// An Error where a dimension splits two axes or does not exist.
  static Layout grid(const Shape& global, std::vector<int> grid, PerAxis<std::vector<int>> split);

  /// The same boxes in another memory order (axes from slowest to fastest; {0,1,2} is C order). An
  /// Error unless every axis is named once.
  Layout ordered(const Order& order) const;

  /// The same split of another global shape with as many axes (the spectrum of a real array, say).
  /// An Error for boxes of the caller's own, which follow no rule.
  Layout reshaped(const Shape& global) const;

  /// The shape of the global array.
  const Shape& global() const { return global_; }
  /// The number of ranks that it is spread over.
  int ranks() const { return static_cast<int>(boxes_.size()); }
  /// What a rank holds, 0 to ranks() - 1 (not checked).
  const Box& box(int rank) const { return boxes_[rank]; }
  /// What each rank holds.
  const std::vector<Box>& boxes() const { return boxes_; }
  /// The memory order on every rank, slowest axis first.
  const Order& order() const { return order_; }
  /// Elements between neighbours along each axis of that rank's array.
  PerAxis<Index> strides(int rank) const;
  /// True where made from a process grid; only then are `process_grid` and `split` meaningful.
  bool has_grid() const { return !grid_.empty(); }
  /// The process count of each grid dimension.
  const std::vector<int>& process_grid() const { return grid_; }
  /// For each axis the grid dimensions that split it, coarsest first.
  const PerAxis<std::vector<int>>& split() const { return split_; }
  /// True where every rank that holds anything holds all of that axis.
  bool is_local(int axis) const;

  /// Equal where shape, boxes, order and process grid are.
  friend bool operator==(const Layout&, const Layout&) = default;

 private:
  friend Layout kept_layout(const Layout& full, const PerAxis<ModeMap>& maps);

  Shape global_;
  std::vector<Box> boxes_;
  Order order_;
  std::vector<int> grid_;
  PerAxis<std::vector<int>> split_;
};

/// Strides, in elements, of a contiguous array with those extents in that order.
WEFT_API PerAxis<Index> strides_of(const Shape& extents, const Order& order);

/// {0, 1, ..., axes - 1}.
WEFT_API Order natural_order(int axes);

/// One line: "pencils 2x2 (axis 0 / 2, axis 1 / 2), order 0 1 2".
WEFT_API std::string to_string(const Layout& layout);

}  // namespace weft
