// Complex and real line transforms for every instruction set, chosen at run time; that costs code
// size and compile time. Two real lines share a lane as one complex line, which any length allows.
#include "kernel/line_kernel.hpp"

// Tiles are arrays of vectors, which the sizeless vectors of SVE and RVV do not allow; processors
// with SVE use NEON instead.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/line_kernel.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>

#include "kernel/line_fft-inl.hpp"
#include "kernel/tile_copies-inl.hpp"
#include "kernel/trigonometric-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Memory of one run, cut from the caller's scratch.
template <class Real>
class Scratch {
 public:
  explicit Scratch(std::byte* memory) : next_(memory) {}

  Tile<Real> tile(Index slots, Index groups) {
    const Index pitch = tile_pitch<Real>(groups);
    return {reinterpret_cast<Real*>(take(slots * pitch * static_cast<Index>(sizeof(Real)))), groups,
            pitch};
  }
  std::byte** rows(Index count) {
    return reinterpret_cast<std::byte**>(take(count * static_cast<Index>(sizeof(std::byte*))));
  }
  /// What has been taken.
  std::size_t bytes(std::byte* memory) const { return static_cast<std::size_t>(next_ - memory); }

 private:
  std::byte* take(Index bytes) {
    std::byte* const taken = next_;
    next_ += (bytes + line_bytes - 1) / line_bytes * line_bytes;
    return taken;
  }

  std::byte* next_;
};

/// Backward is forward with its outputs in reverse order.
inline std::byte* const* reversed(const LineRows& lines, Index length, std::byte** rows) {
  rows[0] = lines.rows[0];
  for (Index k = 1; k < length; ++k) rows[k] = lines.rows[length - k];
  return rows;
}

template <class Real>
class ComplexKernel : public LineKernel {
  using Copies = TileCopies<Real, 2>;
  static constexpr Index width = lanes_of<Real>();

 public:
  ComplexKernel(Index length, bool backward) : length_(length), backward_(backward), fft_(length) {}

  void run(const LineRows& from, const LineRows& to, Index lines, double factor,
           std::byte* memory) const override {
    const Parts parts = cut(Scratch<Real>(memory), lines);
    LineRows target = to;
    if (backward_) target.rows = reversed(to, length_, parts.rows);
    const Index whole = lines / width;
    const Work work{parts.tile.part(0, whole), parts.tile.part(whole, parts.tile.groups - whole),
                    whole * width, lines};
    if (!fft_.is_convolution() && fft_.stages().has_two_stages())
      run_stages(from, target, work, parts.tile, static_cast<Real>(factor));
    else
      run_inside(from, target, lines, parts, static_cast<Real>(factor));
  }

  std::size_t scratch_bytes(Index lines) const override {
    Scratch<Real> scratch(nullptr);
    cut(scratch, lines);
    return scratch.bytes(nullptr);
  }
  Index lanes() const override { return width; }

 private:
  struct Parts {
    Tile<Real> tile;
    Tile<Real> spare;
    std::byte** rows;
  };
  /// The groups that are full, and the last one where it is not.
  struct Work {
    Tile<Real> whole;
    Tile<Real> rest;
    Index first_of_rest;
    Index lines;
  };

  template <class Memory>
  Parts cut(Memory&& scratch, Index lines) const {
    const Index groups = (lines + width - 1) / width;
    return {scratch.tile(fft_.slots(), groups), scratch.tile(fft_.spare_slots(), groups),
            scratch.rows(backward_ ? length_ : 0)};
  }

  /// The first and the last stage read and write memory where they can.
  void run_stages(const LineRows& from, const LineRows& to, const Work& work,
                  const Tile<Real>& tile, Real factor) const {
    const SmoothFft<Real>& stages = fft_.stages();
    const auto in_order = [](Index j) { return j; };
    const auto slot = [&](Index k) { return stages.slot(k); };
    const auto load = [&](const Tile<Real>& part, Index first, Index count) {
      Copies::in(from, length_, first, count, part, in_order);
      stages.first_inside(part);
    };
    const auto store = [&](const Tile<Real>& part, Index first, Index count) {
      stages.last_inside(part);
      Copies::out(to, length_, first, count, part, slot, factor);
    };
    if (is_column(from) && work.whole.groups > 0) {
      stages.first(ColumnSource<Real>{from.rows}, work.whole);
      if (work.rest.groups > 0)
        load(work.rest, work.first_of_rest, work.lines - work.first_of_rest);
    } else {
      load(tile, 0, work.lines);
    }
    stages.middle(tile);
    if (is_column(to) && work.whole.groups > 0) {
      if (to.is_streamed)
        stages.last(work.whole, ColumnTarget<Real, true>{to.rows, factor});
      else
        stages.last(work.whole, ColumnTarget<Real, false>{to.rows, factor});
      if (work.rest.groups > 0)
        store(work.rest, work.first_of_rest, work.lines - work.first_of_rest);
    } else {
      store(tile, 0, work.lines);
    }
  }
  void run_inside(const LineRows& from, const LineRows& to, Index lines, const Parts& parts,
                  Real factor) const {
    Copies::in(from, length_, 0, lines, parts.tile, [](Index j) { return j; });
    fft_.run(parts.tile, parts.spare);
    Copies::out(
        to, length_, 0, lines, parts.tile, [&](Index k) { return fft_.slot(k); }, factor);
  }
  static bool is_column(const LineRows& lines) {
    return lines.is_complete && lines.line_bytes == Copies::element_bytes;
  }

  Index length_;
  bool backward_;
  LineFft<Real> fft_;
};

/// What real kernels share: a tile whose lanes hold two real lines each, and one of their halved
/// spectra, as groups of complex lines.
template <class Real>
class RealLines : public LineKernel {
 public:
  std::size_t scratch_bytes(Index lines) const override {
    Scratch<Real> scratch(nullptr);
    cut(scratch, lines);
    return scratch.bytes(nullptr);
  }
  Index lanes() const override { return RealCopies::lines; }

 protected:
  using RealCopies = TileCopies<Real, 1>;
  using ComplexCopies = TileCopies<Real, 2>;
  struct Parts {
    Tile<Real> tile;
    Tile<Real> spare;
    Tile<Real> half;
  };

  explicit RealLines(Index length) : length_(length), half_(length / 2 + 1), fft_(length) {}

  template <class Memory>
  Parts cut(Memory&& scratch, Index lines) const {
    const Index groups = (lines + RealCopies::lines - 1) / RealCopies::lines;
    return {scratch.tile(fft_.slots(), groups), scratch.tile(fft_.spare_slots(), groups),
            scratch.tile(half_, 2 * groups)};
  }
  /// The groups of complex lines that there are.
  static Tile<Real> used(const Tile<Real>& half, Index lines) {
    return half.part(0, (lines + ComplexCopies::lines - 1) / ComplexCopies::lines);
  }

  Index length_;
  Index half_;
  LineFft<Real> fft_;
};

/// z = x + i y has the transform Z = X + i Y, and X and Y are the parts of it that belong to real
/// lines: X_k = (Z_k + conj(Z_(n - k))) / 2, Y_k = (Z_k - conj(Z_(n - k))) / 2i.
template <class Real>
class RealKernel : public RealLines<Real> {
  using Base = RealLines<Real>;

 public:
  explicit RealKernel(Index length) : Base(length) {}

  void run(const LineRows& from, const LineRows& to, Index lines, double factor,
           std::byte* memory) const override {
    const auto parts = this->cut(Scratch<Real>(memory), lines);
    const auto in_order = [](Index j) { return j; };
    Base::RealCopies::in(from, this->length_, 0, lines, parts.tile, in_order);
    this->fft_.run(parts.tile, parts.spare);
    for (Index k = 0; k < this->half_; ++k)
      for (Index group = 0; group < parts.tile.groups; ++group) separate(parts, k, group);
    Base::ComplexCopies::out(to, this->half_, 0, lines, Base::used(parts.half, lines), in_order,
                             static_cast<Real>(factor / 2));
  }

 private:
  void separate(const typename Base::Parts& parts, Index k, Index group) const {
    const Split<Real> z = parts.tile.load(this->fft_.slot(k), group);
    const Index other = k == 0 ? 0 : this->length_ - k;
    const Split<Real> w = parts.tile.load(this->fft_.slot(other), group);
    parts.half.store(k, 2 * group, {hn::Add(z.re, w.re), hn::Sub(z.im, w.im)});
    parts.half.store(k, 2 * group + 1, {hn::Add(z.im, w.im), hn::Sub(w.re, z.re)});
  }
};

/// The way back. The imaginary parts of elements that are their own conjugates are ignored.
template <class Real>
class HalfKernel : public RealLines<Real> {
  using Base = RealLines<Real>;

 public:
  explicit HalfKernel(Index length) : Base(length) {}

  void run(const LineRows& from, const LineRows& to, Index lines, double factor,
           std::byte* memory) const override {
    const auto parts = this->cut(Scratch<Real>(memory), lines);
    const Index n = this->length_;
    const Tile<Real> used = Base::used(parts.half, lines);
    Base::ComplexCopies::in(from, this->half_, 0, lines, used, [](Index j) { return j; });
    for (Index k = 0; k < this->half_; ++k)
      for (Index group = 0; group < parts.tile.groups; ++group)
        combine(parts, k, group, 2 * group + 1 < used.groups);
    this->fft_.run(parts.tile, parts.spare);
    Base::RealCopies::out(
        to, n, 0, lines, parts.tile, [&](Index j) { return this->fft_.slot(j == 0 ? 0 : n - j); },
        static_cast<Real>(factor));
  }

 private:
  void combine(const typename Base::Parts& parts, Index k, Index group, bool has_second) const {
    const Index other = k == 0 ? 0 : this->length_ - k;
    const auto zero = broadcast(Real(0));
    Split<Real> x = parts.half.load(k, 2 * group);
    Split<Real> y{zero, zero};
    if (has_second) y = parts.half.load(k, 2 * group + 1);
    if (other == k) x.im = y.im = zero;
    parts.tile.store(k, group, plus_i(x, y));
    if (other != k) parts.tile.store(other, group, {hn::Add(x.re, y.im), hn::Sub(y.re, x.im)});
  }
};

/// DCT and DST: of real lines (Parts 1), or of both parts of complex ones (Parts 2).
template <class Real, int Parts>
class TrigonometricKernel : public LineKernel {
  using Copies = TileCopies<Real, Parts>;

 public:
  TrigonometricKernel(LineKind kind, Index length) : length_(length), fft_(kind, length) {}

  void run(const LineRows& from, const LineRows& to, Index lines, double factor,
           std::byte* memory) const override {
    const auto in_order = [](Index j) { return j; };
    const Tiles tiles = cut(Scratch<Real>(memory), lines);
    Copies::in(from, length_, 0, lines, tiles.lines, in_order);
    fft_.run(tiles.lines, tiles.tile, tiles.spare);
    Copies::out(to, length_, 0, lines, tiles.lines, in_order, static_cast<Real>(factor));
  }
  std::size_t scratch_bytes(Index lines) const override {
    Scratch<Real> scratch(nullptr);
    cut(scratch, lines);
    return scratch.bytes(nullptr);
  }
  Index lanes() const override { return Copies::lines; }

 private:
  struct Tiles {
    Tile<Real> lines;
    Tile<Real> tile;
    Tile<Real> spare;
  };
  template <class Memory>
  Tiles cut(Memory&& scratch, Index lines) const {
    const Index groups = (lines + Copies::lines - 1) / Copies::lines;
    return {scratch.tile(length_, groups), scratch.tile(fft_.fft().slots(), groups),
            scratch.tile(fft_.fft().spare_slots(), groups)};
  }

  Index length_;
  TrigonometricFft<Real> fft_;
};

template <class Real>
LineKernel* make_kernel_of(LineKind kind, Index length, int components) {
  if (is_trigonometric(kind) && components == 2)
    return new TrigonometricKernel<Real, 2>(kind, length);
  if (is_trigonometric(kind)) return new TrigonometricKernel<Real, 1>(kind, length);
  if (kind == LineKind::r2c) return new RealKernel<Real>(length);
  if (kind == LineKind::c2r) return new HalfKernel<Real>(length);
  return new ComplexKernel<Real>(length, kind == LineKind::c2c_backward);
}

LineKernel* make_kernel(LineKind kind, Precision precision, Index length, int components) {
  return precision == Precision::double_ ? make_kernel_of<double>(kind, length, components)
                                         : make_kernel_of<float>(kind, length, components);
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

HWY_EXPORT(make_kernel);

std::unique_ptr<LineKernel> make_line_kernel(LineKind kind, Precision precision, Index length,
                                             int components) {
  return std::unique_ptr<LineKernel>(
      HWY_DYNAMIC_DISPATCH(make_kernel)(kind, precision, length, components));
}

}  // namespace weft
#endif
