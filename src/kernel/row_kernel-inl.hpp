// FFTs of contiguous lines, whose neighbouring elements fill the lanes of a vector, so that nothing
// is transposed in memory. A line of M W elements is a matrix of M rows of W: lanes transform its
// columns, one twiddle for each element follows, and squares of W x W results are transposed in
// registers and transformed across (Bailey, "FFTs in external or hierarchical memory", 1990).
// Compiled once for each instruction set.
#if defined(WEFT_KERNEL_ROW_KERNEL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_KERNEL_ROW_KERNEL_INL
#undef WEFT_KERNEL_ROW_KERNEL_INL
#else
#define WEFT_KERNEL_ROW_KERNEL_INL
#endif

#include <hwy/highway.h>

#include "kernel/scratch-inl.hpp"
#include "kernel/tile_copies-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Rows of lines that are `line_bytes` apart, one line per group of a tile. With `Swapped`, real
/// and imaginary parts change places: backward is forward between two such changes.
template <class Real, bool Swapped>
struct RowSource {
  const std::byte* first;
  Index line_bytes;

  HWY_INLINE Split<Real> load(Index row, Index line) const {
    const auto* const place =
        reinterpret_cast<const Real*>(first + line * line_bytes) + row * 2 * lanes_of<Real>();
    const Lanes<Real> tag;
    const Split<Real> x =
        deinterleave<Real>(hn::LoadU(tag, place), hn::LoadU(tag, place + lanes_of<Real>()));
    if constexpr (Swapped) return {x.im, x.re};
    return x;
  }
};

template <class Real>
class RowKernel : public LineKernel {
  static constexpr Index width = lanes_of<Real>();
  static constexpr Index element_bytes = 2 * static_cast<Index>(sizeof(Real));

 public:
  /// Whether there is one for that length: squares must be whole, and the columns have two stages.
  static bool has(Index length) {
    return width > 1 && length % (width * width) == 0 && is_smooth(length / width) &&
           make_lane_plan(length / width, largest_radix<Real>()).stages.size() > 1;
  }

  RowKernel(Index length, bool backward)
      : length_(length), rows_(length / width), backward_(backward), columns_(rows_) {
    for (Index k = 0; k < rows_; ++k) {
      std::array<Real, 2 * static_cast<std::size_t>(width)> turns;
      for (Index lane = 0; lane < width; ++lane) {
        const Root root = root_of_unity(line_of_lane<Real>(lane) * k, length);
        turns[static_cast<std::size_t>(lane)] = static_cast<Real>(root.cosine);
        turns[static_cast<std::size_t>(width + lane)] = static_cast<Real>(root.sine);
      }
      turns_.insert(turns_.end(), turns.begin(), turns.end());
    }
  }

  void run(const LineRows& from, const LineRows& to, Index lines, double factor,
           std::byte* memory) const override {
    const Parts parts = cut(Scratch<Real>(memory), lines);
    const bool reads_lines = is_contiguous(from), writes_lines = is_contiguous(to);
    const Index pitch = length_ * element_bytes;
    if (!reads_lines) gather(from, lines, parts.copies, pitch);
    const std::byte* const source = reads_lines ? from.rows[0] : parts.copies;
    const Index source_pitch = reads_lines ? from.line_bytes : pitch;
    if (backward_)
      columns_.first(RowSource<Real, true>{source, source_pitch}, parts.tile);
    else
      columns_.first(RowSource<Real, false>{source, source_pitch}, parts.tile);
    columns_.middle(parts.tile);
    columns_.last_inside(parts.tile);
    std::byte* const target = writes_lines ? to.rows[0] : parts.copies;
    const Index target_pitch = writes_lines ? to.line_bytes : pitch;
    for (Index line = 0; line < lines; ++line)
      for (Index k = 0; k < rows_; k += width) {
        auto* const place = reinterpret_cast<Real*>(target + line * target_pitch) + 2 * k;
        across(parts.tile, line, k, static_cast<Real>(factor), place);
      }
    if (!writes_lines) scatter(parts.copies, pitch, lines, to);
  }

  std::size_t scratch_bytes(Index lines) const override {
    return counted_bytes<Real>([&](Scratch<Real>& scratch) { cut(scratch, lines); });
  }
  Index lanes() const override { return 1; }

 private:
  struct Parts {
    Tile<Real> tile;
    std::byte* copies;  ///< contiguous lines
  };

  template <class Memory>
  Parts cut(Memory&& scratch, Index lines) const {
    return {scratch.tile(rows_, lines), scratch.bytes_of(lines * length_ * element_bytes)};
  }

  bool is_contiguous(const LineRows& lines) const {
    if (!lines.is_complete) return false;
    for (Index j = 1; j < length_; ++j)
      if (lines.rows[j] != lines.rows[0] + j * element_bytes) return false;
    return true;
  }
  void gather(const LineRows& from, Index lines, std::byte* copies, Index pitch) const {
    for (Index j = 0; j < length_; ++j)
      for (Index line = 0; line < lines; ++line) {
        std::byte* const element = copies + line * pitch + j * element_bytes;
        if (from.rows[j] == nullptr)
          std::memset(element, 0, element_bytes);
        else
          std::memcpy(element, from.rows[j] + line * from.line_bytes, element_bytes);
      }
  }
  void scatter(const std::byte* copies, Index pitch, Index lines, const LineRows& to) const {
    for (Index k = 0; k < length_; ++k)
      for (Index line = 0; to.rows[k] != nullptr && line < lines; ++line)
        std::memcpy(to.rows[k] + line * to.line_bytes, copies + line * pitch + k * element_bytes,
                    element_bytes);
  }

  /// From row k to k + W - 1 of the transformed columns to results k + i + M j, j = 0 ... W - 1.
  /// Lanes hold the rows in the order in which they are stored.
  HWY_NOINLINE void across(const Tile<Real>& tile, Index line, Index k, Real factor,
                           Real* place) const {
    const Lanes<Real> tag;
    hn::Vec<Lanes<Real>> re[width], im[width];
#pragma GCC unroll 16
    for (Index i = 0; i < width; ++i) {
      const Index row = k + line_of_lane<Real>(i);
      const Split<Real> x = tile.load(columns_.slot(row), line);
      const Real* const turns = turns_.data() + row * 2 * width;
      const auto c = hn::LoadU(tag, turns), s = hn::LoadU(tag, turns + width);
      re[i] = hn::NegMulAdd(s, x.im, hn::Mul(c, x.re));
      im[i] = hn::MulAdd(s, x.re, hn::Mul(c, x.im));
    }
    transpose<Real>(re);
    transpose<Real>(im);
    Split<Real> x[width];
#pragma GCC unroll 16
    for (Index i = 0; i < width; ++i) x[line_of_lane<Real>(i)] = {re[i], im[i]};
    Butterfly<static_cast<int>(width)>::run(x, static_cast<const Real*>(nullptr));
    const auto f = broadcast(factor);
#pragma GCC unroll 16
    for (Index j = 0; j < width; ++j) {
      Split<Real> y{hn::Mul(f, x[j].re), hn::Mul(f, x[j].im)};
      if (backward_) std::swap(y.re, y.im);
      hn::Vec<Lanes<Real>> a, b;
      interleave<Real>(y, a, b);
      Real* const to = place + j * 2 * rows_;
      hn::StoreU(a, tag, to);
      hn::StoreU(b, tag, to + width);
    }
  }

  Index length_;
  Index rows_;  // M
  bool backward_;
  SmoothFft<Real> columns_;
  std::vector<Real> turns_;  // by row: W cosines and sines
};

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
