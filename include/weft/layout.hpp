// Which box of a global array each rank holds, and in which memory order: a value, free of MPI.
#pragma once

#include <memory>
#include <string>
#include <vector>
#include <weft/box.hpp>
#include <weft/export.hpp>

namespace weft {

struct ModeMap;

/// How an axis of n elements is cut into p parts. `balanced`: part i is [n i / p, n (i+1) / p).
/// `blocks`: parts of ceil(n / p), the last ones shorter or empty, as FFTW-MPI, HDF5 and ScaLAPACK
/// cut. `longer_first`: the first n mod p parts have one element more, as mpi4py-fft and PETSc cut.
/// `longer_last`: the last n mod p parts have one element more, as 2DECOMP&FFT and P3DFFT cut.
/// `cyclic`: part i is i, i + p, i + 2 p, ..., as ScaLAPACK deals out blocks of one element.
/// Between cyclic layouts a transform of all axes needs one exchange (see Layout::cyclic).
enum class Partition { balanced, blocks, longer_first, longer_last, cyclic };

/// "balanced", "blocks", "longer_first", "longer_last", "cyclic".
WEFT_API std::string to_string(Partition partition);
/// The rule of that name. Throws an Error that lists the valid names.
WEFT_API Partition parse_partition(const std::string& name);

/// Equally spaced indices of an axis: first, first + step, ..., `count` of them.
struct Indices {
  Index first = 0;  ///< 0 where there are none
  Index count = 0;  ///< how many
  Index step = 1;   ///< the distance of neighbours

  /// The index at a place, 0 to count - 1 (not checked).
  Index operator[](Index place) const { return first + place * step; }
  /// Equal if all three numbers are equal.
  friend bool operator==(const Indices&, const Indices&) = default;
};

/// How a global array is spread over ranks. Every rank holds one box (possibly empty), contiguous
/// in memory in the layout's order unless the layout is `padded` or `strided`. Layouts made from a
/// process grid remember which grid dimension splits which axis, so that planning can move a
/// dimension from one axis to another. They keep the cuts of each axis, and compute a rank's box
/// from the cuts. Copies share their boxes and cuts.
class WEFT_API Layout {
 public:
  /// No layout: given to a Plan, the planner chooses one.
  Layout() = default;

  /// 1-D decomposition: `axis` is split over all ranks.
  /// A negative axis counts from the end. An Error where the shape, `ranks` or `axis` is not valid.
  static Layout slabs(const Shape& global, int ranks, int axis = 0);

  /// 2-D decomposition over a process grid {p, q}. Of the axes other than `local_axis`, the first
  /// is split in p and the second in q; the others stay whole. Rank = row-major grid position. An
  /// Error unless there are two axes besides `local_axis`, and two counts of 1 or more.
  static Layout pencils(const Shape& global, const PerAxis<int>& grid, int local_axis = -1);

  /// One process count per axis; rank = row-major position in the grid. An Error unless the grid
  /// has as many entries as the shape, each 1 or more.
  static Layout bricks(const Shape& global, const PerAxis<int>& grid);

  /// One process count per axis, as in `bricks`, but dealt out: of an axis with p processes,
  /// process i holds the indices i, i + p, i + 2 p, ... A pseudo-spectral code works point by point
  /// and does not care. A c2c of all axes between cyclic layouts needs a single exchange if p * p
  /// divides each axis (Koopman and Bisseling, "Minimizing communication in the multidimensional
  /// FFT", SIAM J. Sci. Comput. 45, 2023, C330). An Error under the same rules as `bricks`.
  static Layout cyclic(const Shape& global, const PerAxis<int>& grid);

  /// One axis whose indices lie in the order of their remainder by `classes`, and among equals in
  /// their own order; `ranks` parts of whole classes. A 1-D transform leaves its result so one
  /// exchange earlier than in natural order; FFTW-MPI calls it FFTW_MPI_SCRAMBLED_OUT. An Error
  /// unless `classes` is at least 1 and divides `length`.
  static Layout scrambled(Index length, Index classes, int ranks);

  /// The caller's own boxes, one per rank. Throws unless they lie inside the global shape, are
  /// disjoint and complete. The message names a rank whose box reaches outside, or two whose boxes
  /// overlap; of incomplete boxes it only says how many elements they hold. Boxes that cut each
  /// axis in the same places for all ranks, and follow each other in row-major order, make the
  /// layout of that process grid.
  static Layout boxes(const Shape& global, std::vector<Box> boxes);

  /// A process grid whose dimension d splits the axes as `split` says: split[a] lists the grid
  /// dimensions that split axis a, coarsest first. `slabs`, `pencils` and `bricks` are cases of it.
  /// An Error where a dimension splits two axes or does not exist.
  static Layout grid(const Shape& global, std::vector<int> grid, PerAxis<std::vector<int>> split,
                     Partition partition = Partition::balanced);

  /// The same split, cut by another rule. An Error for layouts without a process grid.
  Layout partitioned(Partition partition) const;

  /// The same split, with each axis cut where its list says: part i is [cuts[axis][i],
  /// cuts[axis][i+1]). An Error for layouts without a process grid. Every list must ascend from 0
  /// to the length of the axis, with one entry more than the axis has parts, else an Error. Cyclic
  /// axes have no cuts of their own: other cuts of them are an Error, as are cuts inside the
  /// classes of a scrambled axis.
  Layout cut_at(PerAxis<std::vector<Index>> cuts) const;

  /// The same process grid on some of `ranks` ranks: its position p is on rank p * stride, and the
  /// other ranks hold nothing. A stride of 0 means ranks / positions(), rounded down. This puts one
  /// position on each node if there are as many positions as nodes, and every node has the same
  /// number of consecutive ranks. Small arrays are transformed faster by a few ranks, see
  /// Options::active_ranks. An Error for layouts without a process grid, and where the last
  /// position would have no rank.
  Layout spread(int ranks, int stride = 0) const;

  /// The same boxes in another memory order (axes from slowest to fastest; {0,1,2} is C order). An
  /// Error unless every axis is named once.
  Layout ordered(const Order& order) const;

  /// The same split of another global shape with as many axes, e.g. the spectrum of a real array.
  /// Axes of the same length are cut in the same places, others by the layout's rule. An Error for
  /// boxes of the caller's own that form no process grid.
  Layout reshaped(const Shape& global) const;

  /// The same boxes in larger arrays. Along each axis a rank's array has room for `extra` elements
  /// more than its box holds. Transforms neither read nor write these. FFTW's rows of r2c
  /// transforms in place take {0, 0, 2 (n/2 + 1) - n}. Ghost cells of width g take 2 g along each
  /// axis; transforms then get pointers to the first element inside. An Error for another number of
  /// axes, or a negative one.
  Layout padded(const PerAxis<Index>& extra) const;

  /// The same boxes with the calling rank's own strides, in elements: one component of a vector
  /// field, for example. Ranks may pass different strides, but all of them must pass some. The
  /// layout's `order` is then only a hint as to which axis is fastest. An Error unless there is one
  /// stride of at least 1 for each axis; a Plan throws if two elements share memory.
  Layout strided(const PerAxis<Index>& strides) const;

  /// The same boxes and order without gaps.
  Layout contiguous() const;

  /// The shape of the global array.
  const Shape& global() const { return global_; }
  /// The number of ranks that it is spread over, including ranks that hold nothing.
  int ranks() const { return ranks_; }
  /// The box of a rank, 0 to ranks() - 1 (not checked). Boxes hold global indices, except along
  /// cyclic and scrambled axes: there they hold places in the list of all classes of indices, one
  /// class after the other, and `index_at` says the index.
  Box box(int rank) const;
  /// The global indices of an axis that a rank holds. An Error where they are not equally spaced,
  /// as in most `scrambled` layouts.
  Indices indices(int rank, int axis) const;
  /// The global index at a coordinate of a box: the same number, except along cyclic and scrambled
  /// axes.
  Index index_at(int axis, Index coordinate) const;
  /// The classes of indices, i modulo this number, that lie one behind the other along an axis: its
  /// parts where it is cyclic, 1 where coordinates of boxes are indices.
  Index classes(int axis) const { return classes_.empty() ? 1 : classes_[axis]; }
  /// True where an axis is cyclic or scrambled, so that a rank's part of it is no range of indices.
  bool is_dealt(int axis) const { return classes(axis) > 1; }
  /// True where an axis is dealt out, and not cyclic.
  bool is_scrambled(int axis) const { return is_dealt(axis) && partition_ != Partition::cyclic; }
  /// True where every rank holds a range of indices along each axis.
  bool has_ranges() const;
  /// The box of each rank; every call makes the list anew.
  std::vector<Box> boxes() const;
  /// Whether every rank holds the same elements in both.
  bool has_boxes_of(const Layout& other) const;
  /// The memory order on every rank, slowest axis first.
  const Order& order() const { return order_; }
  /// Elements between neighbours along each axis of that rank's array. A `strided` layout has the
  /// strides of the rank that made it.
  PerAxis<Index> strides(int rank) const;
  /// The elements that rank's array takes in memory, gaps included.
  Index allocated(int rank) const;
  /// False where every rank's array is contiguous.
  bool has_gaps() const { return !padding_.empty() || !strides_.empty(); }
  /// The `extra` of `padded`; empty where the layout is not padded.
  const PerAxis<Index>& padding() const { return padding_; }
  /// True if made from a process grid; only then are the next seven functions meaningful.
  bool has_grid() const { return !grid_.empty(); }
  /// The process count of each grid dimension.
  const std::vector<int>& process_grid() const { return grid_; }
  /// The number of positions in the process grid: as many as ranks, unless `spread`.
  int positions() const { return has_grid() ? positions_ : ranks_; }
  /// The distance between the ranks of neighbouring positions; 1 unless `spread`.
  int stride_of_ranks() const { return stride_of_ranks_; }
  /// The position of a rank, row-major; -1 where it has none.
  int position_of(int rank) const {
    const int position = rank / stride_of_ranks_;
    return rank % stride_of_ranks_ == 0 && position < positions() ? position : -1;
  }
  /// For each axis the grid dimensions that split it, coarsest first.
  const PerAxis<std::vector<int>>& split() const { return split_; }
  /// The rule by which axes are cut.
  Partition partition() const { return partition_; }
  /// Where an axis is cut: its part i is [cuts[i], cuts[i+1]). The number of a position's part is
  /// its row-major place in the dimensions that split the axis.
  const std::vector<Index>& cuts(int axis) const { return (*cuts_)[axis]; }
  /// True where every rank that holds anything holds all of that axis.
  bool is_local(int axis) const;
  /// The most indices of an axis that a rank holds.
  Index longest_part(int axis) const;
  /// The most elements that a rank holds.
  Index largest_volume() const;
  /// True where some rank holds nothing.
  bool has_empty_boxes() const { return positions() < ranks_ || has_empty_positions(); }
  /// True where some rank with a position in the process grid holds nothing.
  bool has_empty_positions() const;

  /// Equal if shape, boxes, order, gaps and process grid are equal.
  friend WEFT_API bool operator==(const Layout& a, const Layout& b);

 private:
  friend Layout kept_layout(const Layout& full, const PerAxis<ModeMap>& maps);

  Shape global_;
  int ranks_ = 0;
  int positions_ = 0;  // of grids
  int stride_of_ranks_ = 1;
  Order order_;
  PerAxis<Index> padding_;  // empty: none
  PerAxis<Index> strides_;  // empty: they follow from boxes, order and padding
  std::vector<int> grid_;
  PerAxis<std::vector<int>> split_;
  Partition partition_ = Partition::balanced;
  PerAxis<Index> classes_;  // see classes(); empty: 1 for each axis
  std::shared_ptr<const PerAxis<std::vector<Index>>> cuts_;  // of grids
  std::shared_ptr<const std::vector<Box>> boxes_;            // of others
};

/// By axis, the global indices of a rank's elements; empty along axes whose boxes hold indices.
using IndexLists = PerAxis<std::vector<Index>>;
/// Null where boxes hold indices along all axes.
WEFT_API std::shared_ptr<const IndexLists> index_lists(const Layout& layout, int rank);

/// Strides, in elements, of a contiguous array with these extents in this order.
WEFT_API PerAxis<Index> strides_of(const Shape& extents, const Order& order);

/// The elements of memory from the first element of an array to its last, both included. This is 1
/// more than the sum of (extent - 1) * stride, and 0 where an extent is 0.
WEFT_API Index memory_span(const Shape& extents, const PerAxis<Index>& strides);

/// {0, 1, ..., axes - 1}.
WEFT_API Order natural_order(int axes);

/// One line: "grid 2x2x1, order 0 1 2", "grid 2x1x1 on 2 of 8 ranks, 4 apart, order 0 1 2".
WEFT_API std::string to_string(const Layout& layout);

}  // namespace weft
