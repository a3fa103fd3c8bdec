// Ghost cells: room around each rank's box for copies of elements that other ranks hold.
#pragma once

#include <mpi.h>

#include <memory>
#include <type_traits>
#include <weft/array.hpp>
#include <weft/fields.hpp>
#include <weft/layout.hpp>

namespace weft {

/// How many ghost cells each rank's box has along each axis, and where the values come from.
struct GhostCells {
  PerAxis<Index> below;    ///< cells before the first index of the box
  PerAxis<Index> above;    ///< cells behind its last index
  PerAxis<bool> periodic;  ///< whether the axis continues at its other end; else cells there stay
  bool corners = true;     ///< whether cells outside along several axes are filled as well

  /// As many cells on both sides of each axis, all axes periodic or none.
  static GhostCells of_width(const PerAxis<Index>& width, bool periodic = true) {
    return {width, width, PerAxis<bool>::filled(width.size(), periodic)};
  }
};

/// Fills the ghost cells of distributed arrays, at any time and in any number of arrays. Boxes may
/// be of any sizes: where one is narrower than the ghost cells, values come from several ranks.
class WEFT_API Halo {
 public:
  /// Collective. Arrays have `layout`. Without gaps, it is padded by the ghost cells, see layout();
  /// with padding, this must have room for them; strides of its own are trusted to have. Elements
  /// have 1, 2, 4, 8 or 16 bytes. Other values are an Error on all ranks.
  Halo(MPI_Comm communicator, const Layout& layout, const GhostCells& cells, int element_bytes);
  ~Halo();
  /// The moved-from object may only be assigned to or destroyed.
  Halo(Halo&&) noexcept;
  /// Drops this one; the moved-from object may only be assigned to or destroyed.
  Halo& operator=(Halo&&) noexcept;

  /// Collective: copies elements of other ranks, or of this one, to this rank's ghost cells. The
  /// array begins with the first element of this rank's box, as for a transform; ghost cells lie
  /// before and behind it. Of a mistake (another size of elements, a null array, an update that has
  /// begun and not ended) the rank says so and ends the job, because others wait for it.
  template <class A>
  requires OneField<std::remove_cvref_t<A>>
  void update(A&& array) {
    start(array);
    wait();
  }
  /// Begins an update, and returns: the caller may compute with elements that are no ghost cells,
  /// and change those that no other rank copies.
  template <class A>
  requires OneField<std::remove_cvref_t<A>>
  void start(A&& array) { start(raw_array(array)); }
  /// The same for an array whose type is known while running.
  void start(const RawArray& array);
  /// Whether the update has ended.
  bool test();
  /// Returns when the update has ended. Without an update it does nothing.
  void wait();

  /// A new array with ghost cells, all zero. Its indices go from box().lower - below to
  /// box().upper + above: array(i - 1, j, k) is the cell before. Not collective.
  template <AnyElement T>
  Array<T> make_array() const {
    return {make_memory(sizeof(T)), box(), strides()};
  }
  /// The layout of the arrays, for plans that transform them: their padding is the ghost cells.
  const Layout& layout() const;
  /// This rank's box, without ghost cells.
  const Box& box() const;
  /// Elements between neighbours along each axis of this rank's array.
  const PerAxis<Index>& strides() const;
  /// The bytes of an element.
  int element_bytes() const;
  /// Elements of this rank's array, from its first ghost cell to its last.
  Index allocated() const;
  /// Elements from its first ghost cell to the first element of the box.
  Index offset() const;
  /// The bytes that this rank sends to others in one update, and the number of messages.
  struct Traffic {
    std::size_t bytes = 0;  ///< to all ranks together
    int messages = 0;       ///< one for each rank that has ghost cells of this rank's elements
  };
  /// See Traffic.
  Traffic sent() const;

 private:
  std::shared_ptr<void> make_memory(std::size_t element_bytes) const;

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weft
