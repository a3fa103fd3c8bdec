// The kernels of lines, for the instruction set that is compiled: they apply the tile transforms of
// the other files to lines in memory.
#if defined(WEFT_KERNEL_LINE_KERNELS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_KERNEL_LINE_KERNELS_INL_HPP
#undef WEFT_KERNEL_LINE_KERNELS_INL_HPP
#else
#define WEFT_KERNEL_LINE_KERNELS_INL_HPP
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>

#include "kernel/line_fft-inl.hpp"
#include "kernel/line_kernel.hpp"
#include "kernel/real_fft-inl.hpp"
#include "kernel/real_trigonometric-inl.hpp"
#if HWY_TARGET != HWY_SCALAR
#include "kernel/row_kernel-inl.hpp"
#endif
#include "kernel/scratch-inl.hpp"
#include "kernel/tile_copies-inl.hpp"
#include "kernel/trigonometric-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Backward is forward with its outputs in reverse order.
inline std::byte* const* reversed(const LineRows& lines, Index length, std::byte** rows) {
  rows[0] = lines.rows[0];
  for (Index k = 1; k < length; ++k) rows[k] = lines.rows[length - k];
  return rows;
}

inline constexpr auto in_order = [](Index j) { return j; };

/// A kernel that holds a line in each lane.
template <class Real>
class TileKernel : public LineKernel {
 public:
  std::size_t scratch_bytes(Index lines) const final {
    Scratch<Real> scratch;
    scratch.tiles(slots(), lines);
    return scratch.taken();
  }
  Index lanes() const final { return lanes_of<Real>(); }

 protected:
  virtual TileSlots slots() const = 0;
  LineTiles<Real> tiles(std::byte* memory, Index lines) const {
    return Scratch<Real>(memory).tiles(slots(), lines);
  }
};

template <class Real>
class ComplexKernel : public TileKernel<Real> {
  using Copies = TileCopies<Real, Form::complex>;
  static constexpr Index width = lanes_of<Real>();

 public:
  ComplexKernel(Index length, bool backward) : length_(length), backward_(backward), fft_(length) {}

  void run(const LineRows& from, const LineRows& to, Index lines, double factor,
           std::byte* memory) const override {
    const LineTiles<Real> tiles = this->tiles(memory, lines);
    LineRows target = to;
    if (backward_) target.rows = reversed(to, length_, tiles.rows);
    const SmoothFft<Real>* const stages = fft_.stages();
    if (stages != nullptr && stages->has_two_stages())
      run_stages(*stages, from, target, lines, tiles.tile, static_cast<Real>(factor));
    else
      run_inside(from, target, lines, tiles, static_cast<Real>(factor));
  }

 private:
  TileSlots slots() const override {
    TileSlots slots = fft_.slots();
    if (backward_) slots.rows = length_;
    return slots;
  }

  /// The first and the last stage read and write memory if the lines allow it.
  void run_stages(const SmoothFft<Real>& stages, const LineRows& from, const LineRows& to,
                  Index lines, const Tile<Real>& tile, Real factor) const {
    const bool reads_columns = is_column(from), writes_columns = is_column(to);
    const Index rest = lines % width;
    if (reads_columns) {
      stages.first(ColumnSource<Real>{from.rows, rest}, tile,
                   Ahead{writes_columns && to.is_fetched ? to.rows : nullptr});
    } else {
      Copies::in(from, length_, lines, tile, in_order);
      stages.first_inside(tile);
    }
    const Ahead ahead{reads_columns && from.ahead != 0 ? from.rows : nullptr, from.ahead};
    if (writes_columns && to.is_streamed) {
      stages.finish(tile, ColumnTarget<Real, true>{to.rows, rest, factor}, ahead);
    } else if (writes_columns) {
      stages.finish(tile, ColumnTarget<Real, false>{to.rows, rest, factor}, ahead);
    } else {
      stages.finish_inside(tile, ahead);
      Copies::out(
          to, length_, lines, tile, [&](Index k) { return stages.slot(k); }, factor);
    }
  }
  void run_inside(const LineRows& from, const LineRows& to, Index lines,
                  const LineTiles<Real>& tiles, Real factor) const {
    Copies::in(from, length_, lines, tiles.tile, in_order);
    fft_.run(tiles.tile, tiles.spare);
    Copies::out(
        to, length_, lines, tiles.tile, [&](Index k) { return fft_.slot(k); }, factor);
  }
  static bool is_column(const LineRows& lines) {
    return lines.is_complete && lines.line_bytes == Copies::element_bytes;
  }

  Index length_;
  bool backward_;
  LineFft<Real> fft_;
};

/// Real lines of even length, forward or backward.
template <class Real>
class EvenRealKernel : public TileKernel<Real> {
  using Pairs = TileCopies<Real, Form::pairs>;
  using Complex = TileCopies<Real, Form::complex>;

 public:
  EvenRealKernel(Index length, bool backward)
      : length_(length), backward_(backward), fft_(length) {}

  void run(const LineRows& from, const LineRows& to, Index lines, double factor,
           std::byte* memory) const override {
    const LineTiles<Real> tiles = this->tiles(memory, lines);
    const Index half = length_ / 2;
    if (backward_) {
      Complex::in(from, half + 1, lines, tiles.spectrum, in_order);
      fft_.backward(tiles.spectrum, tiles.tile, tiles.spare);
      Pairs::out(
          to, length_, lines, tiles.tile, [&](Index j) { return fft_.slot(j); },
          static_cast<Real>(factor));
    } else {
      Pairs::in(from, length_, lines, tiles.tile, in_order);
      fft_.forward(tiles.tile, tiles.spare, tiles.spectrum);
      Complex::out(to, half + 1, lines, tiles.spectrum, in_order, static_cast<Real>(factor / 2));
    }
  }

 private:
  TileSlots slots() const override { return fft_.slots(); }

  Index length_;
  bool backward_;
  RealFft<Real> fft_;
};

/// Real lines of odd length, as complex lines without imaginary parts. (Two real lines in one
/// complex line would be faster. But then the rounding of each would depend on the other.)
template <class Real>
class OddRealKernel : public TileKernel<Real> {
  using Single = TileCopies<Real, Form::real>;
  using Complex = TileCopies<Real, Form::complex>;

 public:
  OddRealKernel(Index length, bool backward)
      : length_(length), half_(length / 2), backward_(backward), fft_(length) {}

  void run(const LineRows& from, const LineRows& to, Index lines, double factor,
           std::byte* memory) const override {
    const LineTiles<Real> tiles = this->tiles(memory, lines);
    if (backward_) {
      // The second half of the tile follows from the first.
      Complex::in(from, half_ + 1, lines, tiles.tile, in_order);
      for (Index group = 0; group < tiles.tile.groups; ++group) mirror(tiles.tile, group);
      fft_.run(tiles.tile, tiles.spare);
      // Backward is forward with its outputs in reverse order.
      Single::out(
          to, length_, lines, tiles.tile,
          [&](Index j) { return fft_.slot(j == 0 ? 0 : length_ - j); }, static_cast<Real>(factor));
    } else {
      Single::in(from, length_, lines, tiles.tile, in_order);
      fft_.run(tiles.tile, tiles.spare);
      Complex::out(
          to, half_ + 1, lines, tiles.tile, [&](Index k) { return fft_.slot(k); },
          static_cast<Real>(factor));
    }
  }

 private:
  TileSlots slots() const override { return fft_.slots(); }

  void mirror(const Tile<Real>& line, Index group) const {
    line.store(0, group, {line.load(0, group).re, broadcast(Real(0))});
    for (Index k = 1; k <= half_; ++k)
      line.store(length_ - k, group, conjugate(line.load(k, group)));
  }

  Index length_;
  Index half_;
  bool backward_;
  LineFft<Real> fft_;
};

/// DCT and DST: of real lines, or of both parts of complex ones.
template <class Real, class Fft, Form form>
class TrigonometricKernel : public TileKernel<Real> {
  using Copies = TileCopies<Real, form>;

 public:
  TrigonometricKernel(LineKind kind, Index length) : length_(length), fft_(kind, length) {}

  void run(const LineRows& from, const LineRows& to, Index lines, double factor,
           std::byte* memory) const override {
    const LineTiles<Real> tiles = this->tiles(memory, lines);
    Copies::in(from, length_, lines, tiles.lines, in_order);
    fft_.run(tiles);
    Copies::out(to, length_, lines, tiles.lines, in_order, static_cast<Real>(factor));
  }

 private:
  TileSlots slots() const override { return fft_.slots(); }

  Index length_;
  Fft fft_;
};

template <class Real>
LineKernel* make_kernel_of(LineKind kind, Index length, int components,
                           [[maybe_unused]] bool are_contiguous) {
#if HWY_TARGET != HWY_SCALAR
  const bool may_be_row = are_contiguous && !(is_trigonometric(kind) && components == 2);
  if (LineKernel* const kernel = may_be_row ? make_row_kernel<Real>(kind, length) : nullptr)
    return kernel;
#endif
  if (is_trigonometric(kind)) {
    using Any = TrigonometricFft<Real>;
    using Half = RealTrigonometricFft<Real>;
    if (components == 2) return new TrigonometricKernel<Real, Any, Form::complex>(kind, length);
    if (Half::has(kind, length))
      return new TrigonometricKernel<Real, Half, Form::pairs>(kind, length);
    return new TrigonometricKernel<Real, Any, Form::real>(kind, length);
  }
  if (kind == LineKind::r2c || kind == LineKind::c2r) {
    const bool backward = kind == LineKind::c2r;
    if (length % 2 == 0) return new EvenRealKernel<Real>(length, backward);
    return new OddRealKernel<Real>(length, backward);
  }
  return new ComplexKernel<Real>(length, kind == LineKind::c2c_backward);
}

LineKernel* make_kernel(LineKind kind, Precision precision, Index length, int components,
                        bool are_contiguous) {
  return precision == Precision::double_
             ? make_kernel_of<double>(kind, length, components, are_contiguous)
             : make_kernel_of<float>(kind, length, components, are_contiguous);
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
