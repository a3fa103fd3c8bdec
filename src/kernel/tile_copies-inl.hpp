// Copies between memory and tiles, for lines that a fused stage cannot read or write. Contiguous
// lines are transposed by squares of W x W numbers; all other lines are copied number by number.
// Compiled once for each instruction set.
#if defined(WEFT_KERNEL_TILE_COPIES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_KERNEL_TILE_COPIES_INL
#undef WEFT_KERNEL_TILE_COPIES_INL
#else
#define WEFT_KERNEL_TILE_COPIES_INL
#endif

#include <hwy/highway.h>

#include <array>
#include <cstring>

#include "kernel/line_kernel.hpp"
#include "kernel/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The arrangement of the elements of lines in slots.
enum class Form {
  complex,  ///< element j in slot j
  pairs,    ///< of real lines, elements 2 j and 2 j + 1 as the parts of slot j
  real      ///< of real lines, element j as the real part of slot j; the other part is 0
};

/// Copies of lines in a form. A group of a tile holds W lines.
template <class Real, Form form>
struct TileCopies {
  static constexpr Index width = lanes_of<Real>();
  static constexpr Index numbers = form == Form::complex ? 2 : 1;  ///< of an element
  static constexpr Index element_bytes = numbers * static_cast<Index>(sizeof(Real));
  /// Elements in a square; 0 where vectors are too short for squares.
  static constexpr Index run = width / numbers;
  using Vector = hn::Vec<Lanes<Real>>;

  /// Copies lines into a tile: element j to slot(j), or in pairs to slot(j / 2). `count`:
  /// the number of lines; the last group may be partial.
  template <class Slot>
  static HWY_NOINLINE void in(const LineRows& from, Index length, Index count,
                              const Tile<Real>& tile, const Slot& slot) {
    if (from.line_bytes == element_bytes) {
      for (Index j = 0; j < length; ++j)
        neighbours_in(from.rows[j], count, place_of(tile, 0, j, slot));
      return;
    }
    for (Index group = 0; group < tile.groups; ++group) {
      const Index here = std::min(width, count - group * width);
      const Index offset = group * width * from.line_bytes;
      for (Index j = 0; j < length;) {
        std::byte* const row = from.rows[j] == nullptr ? nullptr : from.rows[j] + offset;
        if (here == width && is_run(from, length, j)) {
          square_in(row, from.line_bytes, tile, group, j, slot);
          j += run;
        } else {
          element_in(row, from.line_bytes, here, place_of(tile, group, j, slot));
          ++j;
        }
      }
    }
  }
  /// The way back: element k from slot(k), or slot(k / 2), times the factor.
  template <class Slot>
  static HWY_NOINLINE void out(const LineRows& to, Index length, Index count,
                               const Tile<Real>& tile, const Slot& slot, Real factor) {
    if (to.line_bytes == element_bytes) {
      for (Index k = 0; k < length; ++k) {
        const Real* const place = place_of(tile, 0, k, slot);
        if (to.is_streamed)
          neighbours_out<true>(to.rows[k], count, place, factor);
        else
          neighbours_out<false>(to.rows[k], count, place, factor);
      }
      return;
    }
    for (Index group = 0; group < tile.groups; ++group) {
      const Index here = std::min(width, count - group * width);
      const Index offset = group * width * to.line_bytes;
      for (Index k = 0; k < length;) {
        std::byte* const row = to.rows[k] == nullptr ? nullptr : to.rows[k] + offset;
        if (here == width && is_run(to, length, k)) {
          square_out(row, to.line_bytes, tile, group, k, slot, factor);
          k += run;
        } else {
          element_out(row, to.line_bytes, here, place_of(tile, group, k, slot), factor);
          ++k;
        }
      }
    }
  }

 private:
  /// Whether elements j to j + run - 1 exist and are neighbours in memory.
  static bool is_run(const LineRows& lines, Index length, Index j) {
    if (run == 0 || j % run != 0 || j + run > length) return false;
    std::byte* const first = lines.rows[j];
    if (first == nullptr) return false;
    for (Index e = 1; e < run; ++e)
      if (lines.rows[j + e] != first + e * element_bytes) return false;
    return true;
  }

  /// The lanes of an element, or of its real part.
  template <class Slot>
  static HWY_INLINE Real* place_of(const Tile<Real>& tile, Index group, Index j, const Slot& slot) {
    if constexpr (form == Form::pairs) return tile.at(slot(j / 2), group) + j % 2 * width;
    return tile.at(slot(j), group);
  }
  /// The lanes of number i of the square that begins with element j.
  template <class Slot>
  static HWY_INLINE Real* place_in_square(const Tile<Real>& tile, Index group, Index j, Index i,
                                          const Slot& slot) {
    if constexpr (form == Form::complex) return tile.at(slot(j + i / 2), group) + i % 2 * width;
    return place_of(tile, group, j + i, slot);
  }
  static HWY_INLINE std::byte* line_of(Index lane, Index line_bytes, std::byte* row) {
    return row + line_of_lane<Real>(lane) * line_bytes;
  }

  template <class Slot>
  static HWY_INLINE void square_in(std::byte* row, Index line_bytes, const Tile<Real>& tile,
                                   Index group, Index j, const Slot& slot) {
    Vector v[width];
#pragma GCC unroll 16
    for (Index i = 0; i < width; ++i)
      v[i] = hn::LoadU(Lanes<Real>(), reinterpret_cast<const Real*>(line_of(i, line_bytes, row)));
    transpose<width, sizeof(Real)>(Lanes<Real>(), v);
#pragma GCC unroll 16
    for (Index i = 0; i < width; ++i) {
      Real* const place = place_in_square(tile, group, j, i, slot);
      hn::Store(v[i], Lanes<Real>(), place);
      if constexpr (form == Form::real) hn::Store(broadcast(Real(0)), Lanes<Real>(), place + width);
    }
  }
  template <class Slot>
  static HWY_INLINE void square_out(std::byte* row, Index line_bytes, const Tile<Real>& tile,
                                    Index group, Index j, const Slot& slot, Real factor) {
    const auto f = broadcast(factor);
    Vector v[width];
#pragma GCC unroll 16
    for (Index i = 0; i < width; ++i)
      v[i] = hn::Mul(f, hn::Load(Lanes<Real>(), place_in_square(tile, group, j, i, slot)));
    transpose<width, sizeof(Real)>(Lanes<Real>(), v);
#pragma GCC unroll 16
    for (Index i = 0; i < width; ++i)
      hn::StoreU(v[i], Lanes<Real>(), reinterpret_cast<Real*>(line_of(i, line_bytes, row)));
  }

  /// Copies an element of `count` neighbouring lines; line 0 has it at `row`; null for zeros. All
  /// groups of the tile are copied at once, because memory is fastest in long runs.
  static HWY_INLINE void neighbours_in(const std::byte* row, Index count, Real* place) {
    const Lanes<Real> tag;
    const auto zero = broadcast(Real(0));
    if (row == nullptr) {
      for (Index line = 0; line < count; line += width, place += 2 * width) {
        hn::Store(zero, tag, place);
        if constexpr (form != Form::pairs) hn::Store(zero, tag, place + width);
      }
      return;
    }
    const auto* from = reinterpret_cast<const Real*>(row);
    for (Index left = count * numbers; left > 0;
         left -= numbers * width, from += numbers * width, place += 2 * width) {
      const Vector a = load_first(from, left);
      if constexpr (form == Form::complex) {
        store_slot<Real>(deinterleave<Real>(a, load_first(from + width, left - width)), place);
      } else {
        hn::Store(hn::TableLookupLanes(a, lanes_from_lines()), tag, place);
        if constexpr (form == Form::real) hn::Store(zero, tag, place + width);
      }
    }
  }
  template <bool Streamed>
  static HWY_INLINE void neighbours_out(std::byte* row, Index count, const Real* place,
                                        Real factor) {
    if (row == nullptr) return;
    const Lanes<Real> tag;
    const auto f = broadcast(factor);
    auto* to = reinterpret_cast<Real*>(row);
    for (Index left = count * numbers; left > 0;
         left -= numbers * width, to += numbers * width, place += 2 * width) {
      Vector a = hn::Mul(f, hn::Load(tag, place));
      if constexpr (form == Form::complex) {
        Vector b = hn::Mul(f, hn::Load(tag, place + width));
        interleave<Real>({a, b}, a, b);
        store_first<Streamed>(a, to, left);
        store_first<Streamed>(b, to + width, left - width);
      } else {
        store_first<Streamed>(hn::TableLookupLanes(a, lines_from_lanes()), to, left);
      }
    }
  }
  /// The first `count` numbers, and zeros for the others; `count` may be 0, or more than a vector
  /// holds.
  static HWY_INLINE Vector load_first(const Real* from, Index count) {
    const Lanes<Real> tag;
    if (count >= width) return hn::LoadU(tag, from);
    if (count <= 0) return broadcast(Real(0));
    return FirstNumbers<Real>(count).load(from);
  }
  template <bool Streamed>
  static HWY_INLINE void store_first(const Vector& v, Real* to, Index count) {
    const Lanes<Real> tag;
    if (count <= 0) return;
    if (count < width) {
      FirstNumbers<Real>(count).store(v, to);
    } else if constexpr (Streamed) {
      hn::Stream(v, tag, to);
    } else {
      hn::StoreU(v, tag, to);
    }
  }

  /// Copies number by number; the numbers may be unaligned. `row`: of the group's first line; null
  /// for zeros.
  static void element_in(const std::byte* row, Index line_bytes, Index count, Real* place) {
    std::fill_n(place, form == Form::pairs ? width : 2 * width, Real(0));
    for (Index line = 0; row != nullptr && line < count; ++line) {
      std::array<Real, static_cast<std::size_t>(numbers)> element;
      std::memcpy(element.data(), row + line * line_bytes, sizeof(element));
      for (Index number = 0; number < numbers; ++number)
        place[number * width + lane_of_line(line)] = element[static_cast<std::size_t>(number)];
    }
  }
  static void element_out(std::byte* row, Index line_bytes, Index count, const Real* place,
                          Real factor) {
    for (Index line = 0; row != nullptr && line < count; ++line) {
      std::array<Real, static_cast<std::size_t>(numbers)> element;
      for (Index number = 0; number < numbers; ++number)
        element[static_cast<std::size_t>(number)] =
            factor * place[number * width + lane_of_line(line)];
      std::memcpy(row + line * line_bytes, element.data(), sizeof(element));
    }
  }

  static Index lane_of_line(Index line) {
    constexpr Index half = width / 2;
    return half == 0 ? 0 : line % half * 2 + line / half;
  }
  using LaneNumber = hn::TFromD<hn::RebindToSigned<Lanes<Real>>>;
  using Numbers = std::array<LaneNumber, static_cast<std::size_t>(width)>;
  /// Permutes neighbouring lines into the order of lanes; lines_from_lanes is the way back.
  static HWY_INLINE auto lanes_from_lines() {
    Numbers order{};
    for (Index lane = 0; lane < width; ++lane)
      order[static_cast<std::size_t>(lane)] = static_cast<LaneNumber>(line_of_lane<Real>(lane));
    return hn::SetTableIndices(Lanes<Real>(), order.data());
  }
  static HWY_INLINE auto lines_from_lanes() {
    Numbers order{};
    for (Index lane = 0; lane < width; ++lane)
      order[static_cast<std::size_t>(line_of_lane<Real>(lane))] = static_cast<LaneNumber>(lane);
    return hn::SetTableIndices(Lanes<Real>(), order.data());
  }
};

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
