// FFTs of contiguous lines: neighbouring elements fill the lanes of a vector, so that nothing is
// transposed in memory. A line of M W elements is a matrix of M rows of W. Lanes transform its
// columns, and one twiddle for each element follows. Squares of W x W results are then transposed
// in registers and transformed across (Bailey, "FFTs in external or hierarchical memory", 1990).
// Where M is no multiple of W, squares have rows of several lines.
// Compiled once for each instruction set.
#if defined(WEFT_KERNEL_ROW_FFT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_KERNEL_ROW_FFT_INL
#undef WEFT_KERNEL_ROW_FFT_INL
#else
#define WEFT_KERNEL_ROW_FFT_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <numeric>

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

/// Transformed columns are rows of W numbers, M rows of each line. A square has W rows, of several
/// lines where M is no multiple of W. It then consists of runs of gcd(M, W) rows of one line.
template <class Real>
class RowFft {
  static constexpr Index width = lanes_of<Real>();
  static constexpr Index element_bytes = 2 * static_cast<Index>(sizeof(Real));

 public:
  /// Whether a row FFT exists for that length. With shorter runs, or shorter vectors, transposes of
  /// whole lines are as fast.
  static bool has(Index length) {
    return has_whole_squares(length) ||
           (width >= 8 && length % (width * width / 2) == 0 && is_smooth(length / width));
  }
  /// Whether squares have rows of one line.
  static bool has_whole_squares(Index length) {
    return width > 1 && length % (width * width) == 0 && is_smooth(length / width);
  }

  RowFft(Index length, Direction direction)
      : rows_(length / width),
        run_(std::gcd(rows_, width)),
        backward_(direction == Direction::backward),
        columns_(rows_) {
    for (Index k = 0; k < rows_; ++k) append_turns<Real>(0, k, length, turns_);
    for (Index row = 0; row < std::lcm(rows_, width); row += run_)
      runs_.push_back({row / rows_, row % rows_});
  }

  /// Slots of a tile, which has a group for each line.
  Index slots() const { return rows_; }
  /// The lines after which squares begin at the first row of a line again.
  Index period() const { return width / run_; }

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
    if (run_ == width)
      squares<width>(from, ahead, to, tile);
    else
      squares<width / 2>(from, ahead, to, tile);
  }

 private:
  template <class Source>
  void columns(const Source& source, const Tile<Real>& tile) const {
    if (!columns_.has_two_stages()) return columns_.only(source, tile);
    columns_.first(source, tile);
    columns_.finish_inside(tile);
  }

  template <Index Run>
  void squares(const RowLines& from, Index ahead, const Target& to, const Tile<Real>& tile) const {
    constexpr Index count = width / Run, square = width * width * element_bytes;
    for (Index line = 0; line < tile.groups; line += count)
      for (std::size_t run = 0; run < runs_.size(); run += count) {
        const Index here = line + runs_[run].line, byte = runs_[run].row * width * element_bytes;
        if (here >= tile.groups) break;
        if (ahead != 0) fetch(from.line(here) + ahead + byte, square);
        if (to.is_fetched && here + 1 < tile.groups) fetch(to.lines.line(here + 1) + byte, square);
        if (to.is_streamed && line + count <= tile.groups)
          across<Run, true>(tile, line, run, to);
        else
          across<Run, false>(tile, line, run, to);
      }
  }

  /// From W rows to their results: row k of a line to its results k + M j, j = 0 ... W - 1. The
  /// rows are runs `first` and those after it, of the lines from `line` on. Runs of lines that the
  /// tile lacks take the place of the first run, whose results are written last.
  template <Index Run, bool Streamed>
  HWY_NOINLINE void across(const Tile<Real>& tile, Index line, std::size_t first,
                           const Target& to) const {
    constexpr Index count = width / Run;
    const Real* sources[count];
    Real* targets[count];
    Index rows[count];
#pragma GCC unroll 2
    for (Index r = 0; r < count; ++r) {
      const RowRun& run = runs_[first + static_cast<std::size_t>(r)];
      const bool exists = r == 0 || line + run.line < tile.groups;
      rows[r] = exists ? run.row : rows[0];
      sources[r] = exists ? tile.at(0, line + run.line) : sources[0];
      targets[r] = exists ? reinterpret_cast<Real*>(to.lines.line(line + run.line)) + 2 * run.row
                          : targets[0];
    }
    hn::Vec<Lanes<Real>> re[width], im[width];
#pragma GCC unroll 16
    for (Index i = 0; i < width; ++i) {
      const Index r = line_of_lane<Real>(i) / Run, k = rows[r] + line_of_lane<Real>(i) % Run;
      const Split<Real> x = times_turns(load_slot(sources[r] + columns_.slot(k) * tile.pitch),
                                        turns_.data() + k * 2 * width);
      re[i] = x.re;
      im[i] = x.im;
    }
    transpose<width, sizeof(Real)>(Lanes<Real>(), re);
    transpose<width, sizeof(Real)>(Lanes<Real>(), im);
    Split<Real> x[width];
#pragma GCC unroll 16
    for (Index i = 0; i < width; ++i) x[line_of_lane<Real>(i)] = {re[i], im[i]};
    Butterfly<static_cast<int>(width)>::run(x, static_cast<const Real*>(nullptr));
    const auto f = broadcast(to.factor);
#pragma GCC unroll 16
    for (Index j = 0; j < width; ++j) {
      Split<Real> y{hn::Mul(f, x[j].re), hn::Mul(f, x[j].im)};
      if (backward_) std::swap(y.re, y.im);
      store_runs<Run, Streamed>(y, targets, j * 2 * rows_);
    }
  }

  /// Stores W results in runs, the last run first, each `offset` numbers after its target.
  template <Index Run, bool Streamed>
  static HWY_INLINE void store_runs(Split<Real> y, Real* const* targets, Index offset) {
    if constexpr (Run == width) return store_row<Real, Streamed>(y, targets[0] + offset);
    const Lanes<Real> tag;
    hn::Vec<Lanes<Real>> a, b;
    interleave<Real>(y, a, b);
    if constexpr (Streamed) {
      hn::Stream(b, tag, targets[1] + offset);
      hn::Stream(a, tag, targets[0] + offset);
    } else {
      hn::StoreU(b, tag, targets[1] + offset);
      hn::StoreU(a, tag, targets[0] + offset);
    }
  }

  /// gcd(M, W) rows of one line.
  struct RowRun {
    Index line;  ///< counted from the first line of a period
    Index row;
  };

  Index rows_;  // M
  Index run_;   // rows
  bool backward_;
  SmoothFft<Real> columns_;
  std::vector<Real> turns_;   // by row: W cosines and sines
  std::vector<RowRun> runs_;  // of a period
};

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
