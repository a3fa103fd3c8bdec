// FFTs of contiguous lines: neighbouring elements fill the lanes of a vector, so that nothing is
// transposed in memory. A line of M W elements is a matrix of M rows of W. Lanes transform its
// columns, and one twiddle for each element follows. Squares of W x W results are then transposed
// in registers and transformed across (Bailey, "FFTs in external or hierarchical memory", 1990).
// Compiled once for each instruction set.
#if defined(WEFT_KERNEL_ROW_FFT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_KERNEL_ROW_FFT_INL
#undef WEFT_KERNEL_ROW_FFT_INL
#else
#define WEFT_KERNEL_ROW_FFT_INL
#endif

#include <hwy/highway.h>

#include "kernel/tile_copies-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Contiguous lines, `pitch` bytes apart.
struct RowLines {
  std::byte* first;
  Index pitch;

  std::byte* line(Index number) const { return first + number * pitch; }
};

/// Prefetches the lines into the second-level cache.
HWY_INLINE void fetch(const std::byte* first, Index bytes) {
  for (Index byte = 0; byte < bytes; byte += line_bytes) __builtin_prefetch(first + byte, 0, 2);
}

/// exp(-2 pi i k / n) for lanes k = first + step j, j = 0 ... W - 1, in the order of lanes: W
/// cosines and W sines.
template <class Real>
void append_turns(Index first, Index step, Index n, std::vector<Real>& turns) {
  constexpr Index width = lanes_of<Real>();
  const auto begin = turns.size();
  turns.resize(begin + 2 * static_cast<std::size_t>(width));
  for (Index lane = 0; lane < width; ++lane) {
    const Root root = root_of_unity((first + step * line_of_lane<Real>(lane)) % n, n);
    turns[begin + static_cast<std::size_t>(lane)] = static_cast<Real>(root.cosine);
    turns[begin + static_cast<std::size_t>(width + lane)] = static_cast<Real>(root.sine);
  }
}
/// x times these constants, or their conjugates.
template <int Sign = 1, class Real>
HWY_INLINE Split<Real> times_turns(Split<Real> x, const Real* turns) {
  const Lanes<Real> tag;
  const auto c = hn::LoadU(tag, turns), s = hn::LoadU(tag, turns + lanes_of<Real>());
  if constexpr (Sign > 0)
    return {hn::NegMulAdd(s, x.im, hn::Mul(c, x.re)), hn::MulAdd(s, x.re, hn::Mul(c, x.im))};
  else
    return {hn::MulAdd(s, x.im, hn::Mul(c, x.re)), hn::NegMulAdd(s, x.re, hn::Mul(c, x.im))};
}

/// The source of the first stage: rows of lines, one line per group of a tile. With `Swapped`, real
/// and imaginary parts change places: a backward FFT is a forward one between two swaps.
template <class Real, bool Swapped>
struct RowSource {
  RowLines lines;
  static constexpr Index rest = 0;
  static constexpr bool has_partial_groups = false;

  const Real* place(Index row) const {
    return reinterpret_cast<const Real*>(lines.first) + row * 2 * lanes_of<Real>();
  }
  Index step() const { return lines.pitch / static_cast<Index>(sizeof(Real)); }
  static HWY_INLINE Split<Real> load(const Real* place) {
    const Split<Real> x = load_row(place);
    if constexpr (Swapped) return {x.im, x.re};
    return x;
  }
};

template <class Real>
class RowFft {
  static constexpr Index width = lanes_of<Real>();
  static constexpr Index element_bytes = 2 * static_cast<Index>(sizeof(Real));

 public:
  /// Whether a row FFT exists for that length: squares must be whole.
  static bool has(Index length) {
    return width > 1 && length % (width * width) == 0 && is_smooth(length / width);
  }

  RowFft(Index length, Direction direction)
      : rows_(length / width), backward_(direction == Direction::backward), columns_(rows_) {
    for (Index k = 0; k < rows_; ++k) append_turns<Real>(0, k, length, turns_);
  }

  /// Slots of a tile, which has a group for each line.
  Index slots() const { return rows_; }

  struct Target {
    RowLines lines;
    Real factor;
    bool is_streamed = false;  ///< lines are aligned to cache lines, and written past the cache
    bool is_fetched = false;   ///< lines are not in the second-level cache
  };
  /// `ahead`: bytes from each line to the line that is transformed next, which is prefetched
  /// meanwhile; 0: nothing is prefetched.
  void run(const RowLines& from, Index ahead, const Target& to, const Tile<Real>& tile) const {
    if (to.is_fetched) fetch(to.lines.first, rows_ * width * element_bytes);
    if (backward_)
      columns(RowSource<Real, true>{from}, tile);
    else
      columns(RowSource<Real, false>{from}, tile);
    constexpr Index square = width * width * element_bytes;
    for (Index line = 0; line < tile.groups; ++line)
      for (Index k = 0; k < rows_; k += width) {
        if (ahead != 0) fetch(from.line(line) + ahead + k * width * element_bytes, square);
        if (to.is_fetched && line + 1 < tile.groups)
          fetch(to.lines.line(line + 1) + k * width * element_bytes, square);
        auto* const place = reinterpret_cast<Real*>(to.lines.line(line)) + 2 * k;
        if (to.is_streamed)
          across<true>(tile, line, k, to.factor, place);
        else
          across<false>(tile, line, k, to.factor, place);
      }
  }

 private:
  template <class Source>
  void columns(const Source& source, const Tile<Real>& tile) const {
    if (!columns_.has_two_stages()) return columns_.only(source, tile);
    columns_.first(source, tile);
    columns_.middle(tile);
    columns_.last_inside(tile);
  }

  /// From row k to k + W - 1 of the transformed columns to results k + i + M j, j = 0 ... W - 1.
  /// Lanes hold the rows in the order in which they are stored.
  template <bool Streamed>
  HWY_NOINLINE void across(const Tile<Real>& tile, Index line, Index k, Real factor,
                           Real* place) const {
    hn::Vec<Lanes<Real>> re[width], im[width];
#pragma GCC unroll 16
    for (Index i = 0; i < width; ++i) {
      const Index row = k + line_of_lane<Real>(i);
      const Split<Real> x =
          times_turns(tile.load(columns_.slot(row), line), turns_.data() + row * 2 * width);
      re[i] = x.re;
      im[i] = x.im;
    }
    transpose<width, sizeof(Real)>(Lanes<Real>(), re);
    transpose<width, sizeof(Real)>(Lanes<Real>(), im);
    Split<Real> x[width];
#pragma GCC unroll 16
    for (Index i = 0; i < width; ++i) x[line_of_lane<Real>(i)] = {re[i], im[i]};
    Butterfly<static_cast<int>(width)>::run(x, static_cast<const Real*>(nullptr));
    const auto f = broadcast(factor);
#pragma GCC unroll 16
    for (Index j = 0; j < width; ++j) {
      Split<Real> y{hn::Mul(f, x[j].re), hn::Mul(f, x[j].im)};
      if (backward_) std::swap(y.re, y.im);
      store_row<Real, Streamed>(y, place + j * 2 * rows_);
    }
  }

  Index rows_;  // M
  bool backward_;
  SmoothFft<Real> columns_;
  std::vector<Real> turns_;  // by row: W cosines and sines
};

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
