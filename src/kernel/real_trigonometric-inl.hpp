// DCT and DST of types II to IV of real lines of even length, by FFTs of half the length. Compiled
// once for each instruction set.
//
// With z the lines, M = N / 2, and e(x) = exp(-i pi x):
//   type II   v = z_0 z_2 z_4 ... z_5 z_3 z_1 and V its real FFT; Z_k and -Z_(N - k) are the
//             parts of 2 e(k / 2N) V_k (Makhoul, "A fast cosine transform in one and two
//             dimensions", 1980)
//   type III  the way back: V_k = (z_k - i z_(N - k)) / e(k / 2N)
//   type IV   t_j = (z_2j + i z_(N - 1 - 2j)) e((8j + 1) / 8N) and T its FFT; Z_2k and
//             -Z_(N - 1 - 2k) are the parts of 2 e((8k + 1) / 8N) T_k (Britanak, Yip and Rao,
//             "Discrete Cosine and Sine Transforms", 2007)
#if defined(WEFT_KERNEL_REAL_TRIGONOMETRIC_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_KERNEL_REAL_TRIGONOMETRIC_INL
#undef WEFT_KERNEL_REAL_TRIGONOMETRIC_INL
#else
#define WEFT_KERNEL_REAL_TRIGONOMETRIC_INL
#endif

#include <hwy/highway.h>

#include "kernel/real_fft-inl.hpp"
#include "kernel/trigonometric-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Real>
class RealTrigonometricFft {
  using Numbers = hn::Vec<Lanes<Real>>;

 public:
  static bool has(LineKind kind, Index length) {
    const int type = cosine_form(kind).type;
    return length % 2 == 0 && type >= 2;
  }
  RealTrigonometricFft(LineKind kind, Index length)
      : length_(length), half_(length / 2), form_(cosine_form(kind)), fft_(length) {
    for (Index k = 0; k <= half_; ++k)
      turns_.push_back(form_.type == 4 ? root_of_unity(8 * k + 1, 16 * length)
                                       : root_of_unity(k, 4 * length));
  }

  TileSlots slots() const {
    TileSlots slots = fft_.slots();
    slots.lines = half_;
    return slots;
  }
  /// From the elements in tile `lines`, elements 2 j and 2 j + 1 in slot j, to the results there.
  void run(const LineTiles<Real>& tiles) const {
    const Tile<Real>& lines = tiles.lines;
    const Tile<Real>& tile = tiles.tile;
    const Tile<Real>& spectrum = tiles.spectrum;
    if (form_.type == 2) {
      for_groups(lines, [&](Index group) { reorder(lines, tile, group); });
      fft_.forward(tile, tiles.spare, spectrum);
      for_groups(lines, [&](Index group) { take_cosines(spectrum, lines, group); });
    } else if (form_.type == 3) {
      for_groups(lines, [&](Index group) { make_spectrum(lines, spectrum, group); });
      fft_.backward(spectrum, tile, tiles.spare);
      for_groups(lines, [&](Index group) { restore_order(tile, lines, group); });
    } else {
      for_groups(lines, [&](Index group) { turn_pairs(lines, tile, group); });
      fft_.fft().run(tile, tiles.spare);
      for_groups(lines, [&](Index group) { take_pairs(tile, lines, group); });
    }
  }

 private:
  template <class Work>
  static void for_groups(const Tile<Real>& tile, const Work& work) {
    for (Index group = 0; group < tile.groups; ++group) work(group);
  }
  static Real* place(const Tile<Real>& lines, Index element, Index group) {
    return lines.at(element / 2, group) + element % 2 * lanes_of<Real>();
  }
  Numbers input(const Tile<Real>& lines, Index j, Index group) const {
    const Numbers x =
        hn::Load(Lanes<Real>(), place(lines, form_.reverses_input ? length_ - 1 - j : j, group));
    return form_.alternates_input && j % 2 == 1 ? hn::Neg(x) : x;
  }
  void output(const Tile<Real>& lines, Index k, Index group, Numbers x) const {
    hn::Store(form_.alternates_output && k % 2 == 1 ? hn::Neg(x) : x, Lanes<Real>(),
              place(lines, form_.reverses_output ? length_ - 1 - k : k, group));
  }
  /// Element m of z_0 z_2 z_4 ... z_5 z_3 z_1.
  Index reordered(Index m) const { return m < half_ ? 2 * m : 2 * (length_ - 1 - m) + 1; }
  Root turn(Index k) const { return turns_[static_cast<std::size_t>(k)]; }

  void reorder(const Tile<Real>& lines, const Tile<Real>& tile, Index group) const {
    for (Index j = 0; j < half_; ++j)
      tile.store(
          j, group,
          {input(lines, reordered(2 * j), group), input(lines, reordered(2 * j + 1), group)});
  }
  void take_cosines(const Tile<Real>& spectrum, const Tile<Real>& lines, Index group) const {
    output(lines, 0, group, spectrum.load(0, group).re);
    for (Index k = 1; k <= half_; ++k) {
      const Split<Real> x = times(spectrum.load(k, group), turn(k));
      output(lines, k, group, x.re);
      if (k < half_) output(lines, length_ - k, group, hn::Neg(x.im));
    }
  }

  void make_spectrum(const Tile<Real>& lines, const Tile<Real>& spectrum, Index group) const {
    spectrum.store(0, group, {input(lines, 0, group), broadcast(Real(0))});
    for (Index k = 1; k <= half_; ++k) {
      const Split<Real> x{input(lines, k, group), hn::Neg(input(lines, length_ - k, group))};
      spectrum.store(k, group, times_conjugate(x, turn(k)));
    }
  }
  void restore_order(const Tile<Real>& tile, const Tile<Real>& lines, Index group) const {
    for (Index j = 0; j < half_; ++j) {
      const Split<Real> x = tile.load(fft_.slot(j), group);
      output(lines, reordered(2 * j), group, x.re);
      output(lines, reordered(2 * j + 1), group, x.im);
    }
  }

  void turn_pairs(const Tile<Real>& lines, const Tile<Real>& tile, Index group) const {
    for (Index j = 0; j < half_; ++j) {
      const Split<Real> x{input(lines, 2 * j, group), input(lines, length_ - 1 - 2 * j, group)};
      tile.store(j, group, times(x, turn(j)));
    }
  }
  void take_pairs(const Tile<Real>& tile, const Tile<Real>& lines, Index group) const {
    for (Index k = 0; k < half_; ++k) {
      const Split<Real> z = tile.load(fft_.fft().slot(k), group);
      const Split<Real> x = times(z + z, turn(k));
      output(lines, 2 * k, group, x.re);
      output(lines, length_ - 1 - 2 * k, group, hn::Neg(x.im));
    }
  }

  Index length_;
  Index half_;
  CosineForm form_;
  RealFft<Real> fft_;
  std::vector<Root> turns_;
};

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
