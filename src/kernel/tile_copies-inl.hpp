// Copies between memory and tiles, for what a fused stage cannot read or write: lines that are
// contiguous, which squares of W x W numbers transpose, and any others, number by number. Compiled
// once for each instruction set.
#if defined(WEFT_KERNEL_TILE_COPIES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_KERNEL_TILE_COPIES_INL
#undef WEFT_KERNEL_TILE_COPIES_INL
#else
#define WEFT_KERNEL_TILE_COPIES_INL
#endif

#include <hwy/highway.h>

#include <array>

#include "kernel/line_kernel.hpp"
#include "kernel/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
template <class Real>
HWY_INLINE void transpose(hn::Vec<Lanes<Real>>*) {}
#else
/// One round on a pair of vectors: swaps groups of `Group` numbers between them.
template <int Group, class Real>
HWY_INLINE void swap_groups(hn::Vec<Lanes<Real>>& a, hn::Vec<Lanes<Real>>& b) {
  const Lanes<Real> tag;
  constexpr int bytes = Group * static_cast<int>(sizeof(Real));
  const auto x = a, y = b;
  if constexpr (bytes == 4) {
    a = hn::OddEven(hn::DupEven(y), x);
    b = hn::OddEven(y, hn::DupOdd(x));
  } else if constexpr (bytes == 8) {
    const hn::Repartition<double, decltype(tag)> wide;
    const auto wx = hn::BitCast(wide, x), wy = hn::BitCast(wide, y);
    a = hn::BitCast(tag, hn::InterleaveLower(wide, wx, wy));
    b = hn::BitCast(tag, hn::InterleaveUpper(wide, wx, wy));
  } else if constexpr (bytes == 16) {
    a = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(y), x);
    b = hn::OddEvenBlocks(y, hn::SwapAdjacentBlocks(x));
  } else {
    a = hn::ConcatLowerLower(tag, y, x);
    b = hn::ConcatUpperUpper(tag, y, x);
  }
}

/// Transposes W vectors.
template <class Real, int Group = 1>
HWY_INLINE void transpose(hn::Vec<Lanes<Real>>* v) {
  constexpr int width = static_cast<int>(lanes_of<Real>());
  if constexpr (Group < width) {
#pragma GCC unroll 16
    for (int i = 0; i < width; ++i)
      if ((i & Group) == 0) swap_groups<Group, Real>(v[i], v[i + Group]);
    transpose<Real, Group * 2>(v);
  }
}
#endif

/// Lines of which `Parts` numbers belong to each element: 2 for complex ones, whose parts go to the
/// real and imaginary parts of a lane; 1 for real ones, of which a lane holds two, W lines apart.
template <class Real, int Parts>
struct TileCopies {
  static constexpr Index width = lanes_of<Real>();
  static constexpr Index element_bytes = Parts * static_cast<Index>(sizeof(Real));
  /// Lines in a group of a tile.
  static constexpr Index lines = width * 2 / Parts;
  /// Elements in a square; 0 where vectors are too short for squares.
  static constexpr Index run = width / Parts;
  using Vector = hn::Vec<Lanes<Real>>;

  static HWY_INLINE std::byte* line_of(Index lane, Index line_bytes, std::byte* row) {
    return row + line_of_lane<Real>(lane) * line_bytes;
  }

  /// Whether elements j to j + run - 1 exist and are neighbours in memory.
  static bool is_run(const LineRows& lines, Index length, Index j) {
    if (run == 0 || j + run > length) return false;
    std::byte* const first = lines.rows[j];
    if (first == nullptr) return false;
    for (Index e = 1; e < run; ++e)
      if (lines.rows[j + e] != first + e * element_bytes) return false;
    return true;
  }

  /// The place of a number in a slot: part `part` of line `line` of a group.
  static Index place(Index line, Index part) {
    const Index within = line % width;
    const Index half = width / 2;
    const Index lane = width == 1 ? 0 : within % half * 2 + within / half;
    return (Parts == 2 ? part : line / width) * width + lane;
  }

  /// One square for each half of a group: vectors e * Parts + part of the transposed square.
  template <class Slot>
  static HWY_INLINE void square_in(std::byte* row, Index line_bytes, const Tile<Real>& tile,
                                   Index group, Index half, Index j, const Slot& slot) {
    Vector v[width];
#pragma GCC unroll 16
    for (Index i = 0; i < width; ++i)
      v[i] = hn::LoadU(Lanes<Real>(), reinterpret_cast<const Real*>(line_of(i, line_bytes, row)));
    transpose<Real>(v);
#pragma GCC unroll 16
    for (Index i = 0; i < width; ++i)
      hn::Store(v[i], Lanes<Real>(),
                tile.at(slot(j + i / Parts), group) + (Parts == 2 ? i % 2 : half) * width);
  }
  template <class Slot>
  static HWY_INLINE void square_out(std::byte* row, Index line_bytes, const Tile<Real>& tile,
                                    Index group, Index half, Index j, const Slot& slot,
                                    Real factor) {
    const auto f = broadcast(factor);
    Vector v[width];
#pragma GCC unroll 16
    for (Index i = 0; i < width; ++i)
      v[i] = hn::Mul(f, hn::Load(Lanes<Real>(), tile.at(slot(j + i / Parts), group) +
                                                    (Parts == 2 ? i % 2 : half) * width));
    transpose<Real>(v);
#pragma GCC unroll 16
    for (Index i = 0; i < width; ++i)
      hn::StoreU(v[i], Lanes<Real>(), reinterpret_cast<Real*>(line_of(i, line_bytes, row)));
  }

  /// Numbers of neighbouring lines, `row` being the group's first.
  static HWY_INLINE void column_in(const std::byte* row, Real* slot) {
    const auto* const place = reinterpret_cast<const Real*>(row);
    const Lanes<Real> tag;
    Vector a = hn::LoadU(tag, place), b = hn::LoadU(tag, place + width);
    if constexpr (Parts == 2) {
      const Split<Real> x = deinterleave<Real>(a, b);
      a = x.re, b = x.im;
    } else {
      a = hn::TableLookupLanes(a, lanes_from_lines());
      b = hn::TableLookupLanes(b, lanes_from_lines());
    }
    hn::Store(a, tag, slot);
    hn::Store(b, tag, slot + width);
  }
  static HWY_INLINE void column_out(std::byte* row, const Real* slot, Real factor) {
    auto* const place = reinterpret_cast<Real*>(row);
    const Lanes<Real> tag;
    const auto f = broadcast(factor);
    Vector a = hn::Mul(f, hn::Load(tag, slot)), b = hn::Mul(f, hn::Load(tag, slot + width));
    if constexpr (Parts == 2) {
      interleave<Real>({a, b}, a, b);
    } else {
      a = hn::TableLookupLanes(a, lines_from_lanes());
      b = hn::TableLookupLanes(b, lines_from_lanes());
    }
    hn::StoreU(a, tag, place);
    hn::StoreU(b, tag, place + width);
  }

  /// `row`: of the group's first line; null for zeros.
  static void element_in(const std::byte* row, Index line_bytes, Index count, Real* slot) {
    std::fill_n(slot, 2 * width, Real(0));
    for (Index line = 0; row != nullptr && line < count; ++line) {
      const auto* const element = reinterpret_cast<const Real*>(row + line * line_bytes);
      for (Index part = 0; part < Parts; ++part) slot[place(line, part)] = element[part];
    }
  }
  static void element_out(std::byte* row, Index line_bytes, Index count, const Real* slot,
                          Real factor) {
    for (Index line = 0; row != nullptr && line < count; ++line) {
      auto* const element = reinterpret_cast<Real*>(row + line * line_bytes);
      for (Index part = 0; part < Parts; ++part) element[part] = factor * slot[place(line, part)];
    }
  }

  /// Lines into a tile: element j to slot(j). `first`: the number of the tile's first line;
  /// `count`: of lines, of which the last group may hold fewer than others.
  template <class Slot>
  static HWY_NOINLINE void in(const LineRows& from, Index length, Index first, Index count,
                              const Tile<Real>& tile, const Slot& slot) {
    for (Index group = 0; group < tile.groups; ++group) {
      const Index here = std::min(lines, count - group * lines);
      const Index offset = (first + group * lines) * from.line_bytes;
      const bool is_column = here == lines && from.line_bytes == element_bytes;
      for (Index j = 0; j < length;) {
        std::byte* const row = from.rows[j] == nullptr ? nullptr : from.rows[j] + offset;
        if (here == lines && !is_column && is_run(from, length, j)) {
          for (Index half = 0; half < 2 / Parts; ++half)
            square_in(row + half * width * from.line_bytes, from.line_bytes, tile, group, half, j,
                      slot);
          j += run;
          continue;
        }
        if (is_column && row != nullptr)
          column_in(row, tile.at(slot(j), group));
        else
          element_in(row, from.line_bytes, here, tile.at(slot(j), group));
        ++j;
      }
    }
  }
  /// The way back: element k from slot(k), times the factor.
  template <class Slot>
  static HWY_NOINLINE void out(const LineRows& to, Index length, Index first, Index count,
                               const Tile<Real>& tile, const Slot& slot, Real factor) {
    for (Index group = 0; group < tile.groups; ++group) {
      const Index here = std::min(lines, count - group * lines);
      const Index offset = (first + group * lines) * to.line_bytes;
      const bool is_column = here == lines && to.line_bytes == element_bytes;
      for (Index k = 0; k < length;) {
        std::byte* const row = to.rows[k] == nullptr ? nullptr : to.rows[k] + offset;
        if (here == lines && !is_column && is_run(to, length, k)) {
          for (Index half = 0; half < 2 / Parts; ++half)
            square_out(row + half * width * to.line_bytes, to.line_bytes, tile, group, half, k,
                       slot, factor);
          k += run;
          continue;
        }
        if (is_column && row != nullptr)
          column_out(row, tile.at(slot(k), group), factor);
        else
          element_out(row, to.line_bytes, here, tile.at(slot(k), group), factor);
        ++k;
      }
    }
  }

 private:
  using LaneNumber = hn::TFromD<hn::RebindToSigned<Lanes<Real>>>;
  using Order = std::array<LaneNumber, static_cast<std::size_t>(width)>;
  /// Of neighbouring lines in their order, those that each lane holds; and the way back.
  static auto lanes_from_lines() {
    Order order{};
    for (Index lane = 0; lane < width; ++lane)
      order[static_cast<std::size_t>(lane)] = static_cast<LaneNumber>(line_of_lane<Real>(lane));
    return hn::SetTableIndices(Lanes<Real>(), order.data());
  }
  static auto lines_from_lanes() {
    Order order{};
    for (Index lane = 0; lane < width; ++lane)
      order[static_cast<std::size_t>(line_of_lane<Real>(lane))] = static_cast<LaneNumber>(lane);
    return hn::SetTableIndices(Lanes<Real>(), order.data());
  }
};

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
