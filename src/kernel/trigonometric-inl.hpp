// DCT and DST of types I to IV on tiles, as complex FFTs between two rearrangements. The
// transforms have real coefficients, so both parts of complex lines are transformed alike. Compiled
// once for each instruction set.
//
// With z the lines, F the FFT, and e(x) = exp(-i pi x):
//   type II   v = z_0 z_2 z_4 ... z_5 z_3 z_1, Z_k = e(k / 2N) F_k + conj(...) F_(N - k)
//             (Makhoul, "A fast cosine transform in one and two dimensions", 1980)
//   type III  the way back: v_k = (z_k - i z_(N - k)) / e(k / 2N), and F backward
//   type IV   v = z_j e(j / 2N) and N zeros, Z_k = e((2k + 1) / 4N) F_k + conj(...) F_(2N - 1 - k)
//   type I    the even or odd line of length 2 (N -+ 1)
// The sine transforms of types II to IV are cosine transforms of lines in reverse or with
// alternating signs.
#if defined(WEFT_KERNEL_TRIGONOMETRIC_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_KERNEL_TRIGONOMETRIC_INL
#undef WEFT_KERNEL_TRIGONOMETRIC_INL
#else
#define WEFT_KERNEL_TRIGONOMETRIC_INL
#endif

#include <hwy/highway.h>

#include "kernel/line_fft-inl.hpp"
#include "transform/kinds.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The cosine transform that implements a kind, and the rearrangement of its lines.
struct CosineForm {
  int type;  ///< 1 to 4; 0: DST-I
  bool reverses_input = false;
  bool alternates_input = false;
  bool reverses_output = false;
  bool alternates_output = false;
};

inline CosineForm cosine_form(LineKind kind) {
  switch (kind) {
    case LineKind::dct1:
      return {1};
    case LineKind::dct2:
      return {2};
    case LineKind::dct3:
      return {3};
    case LineKind::dct4:
      return {4};
    case LineKind::dst2:
      return {.type = 2, .alternates_input = true, .reverses_output = true};
    case LineKind::dst3:
      return {.type = 3, .reverses_input = true, .alternates_output = true};
    case LineKind::dst4:
      return {.type = 4, .reverses_input = true, .alternates_output = true};
    default:
      return {0};
  }
}

inline Index fft_length_of(int type, Index length) {
  if (type == 0) return 2 * (length + 1);
  if (type == 1) return std::max<Index>(1, 2 * (length - 1));
  return type == 4 ? 2 * length : length;
}

template <class Real>
class TrigonometricFft {
 public:
  TrigonometricFft(LineKind kind, Index length)
      : length_(length), form_(cosine_form(kind)), fft_(fft_length_of(form_.type, length)) {
    for (Index k = 0; k < length; ++k) {
      if (form_.type == 2 || form_.type == 3) turns_.push_back(root_of_unity(k, 4 * length));
      if (form_.type != 4) continue;
      turns_.push_back(root_of_unity(k, 4 * length));
      turns_.push_back(root_of_unity(2 * k + 1, 8 * length));
    }
  }

  TileSlots slots() const {
    TileSlots slots = fft_.slots();
    slots.lines = length_;
    return slots;
  }
  /// From the elements in tile `lines` to the results there.
  void run(const LineTiles<Real>& tiles) const {
    const Index groups = tiles.lines.groups;
    for (Index group = 0; group < groups; ++group) before(tiles.lines, tiles.tile, group);
    fft_.run(tiles.tile, tiles.spare);
    for (Index group = 0; group < groups; ++group) after(tiles.lines, tiles.tile, group);
  }

 private:
  static Split<Real> negative(Split<Real> x) { return {hn::Neg(x.re), hn::Neg(x.im)}; }
  Root turn(Index i) const { return turns_[static_cast<std::size_t>(i)]; }

  Split<Real> input(const Tile<Real>& lines, Index j, Index group) const {
    const Split<Real> x = lines.load(form_.reverses_input ? length_ - 1 - j : j, group);
    return form_.alternates_input && j % 2 == 1 ? negative(x) : x;
  }
  void output(const Tile<Real>& lines, Index k, Index group, Split<Real> x) const {
    lines.store(form_.reverses_output ? length_ - 1 - k : k, group,
                form_.alternates_output && k % 2 == 1 ? negative(x) : x);
  }
  Split<Real> result(const Tile<Real>& tile, Index k, Index group) const {
    return tile.load(fft_.slot(k), group);
  }

  void before(const Tile<Real>& lines, const Tile<Real>& tile, Index group) const {
    const Split<Real> zero{broadcast(Real(0)), broadcast(Real(0))};
    const Index size = fft_.length();
    if (form_.type == 0) {
      tile.store(0, group, zero);
      tile.store(length_ + 1, group, zero);
    }
    for (Index j = 0; j < length_; ++j) {
      const Split<Real> x = input(lines, j, group);
      if (form_.type == 0) {
        tile.store(j + 1, group, x);
        tile.store(size - 1 - j, group, negative(x));
      } else if (form_.type == 1) {
        tile.store(j, group, x);
        if (j > 0 && j + 1 < length_) tile.store(size - j, group, x);
      } else if (form_.type == 2) {
        tile.store(j % 2 == 0 ? j / 2 : length_ - 1 - j / 2, group, x);
      } else if (form_.type == 3) {
        const Split<Real> mirrored = j == 0 ? zero : input(lines, length_ - j, group);
        tile.store(j, group, times_conjugate(minus_i(x, mirrored), turn(j)));
      } else {
        tile.store(j, group, times(x, turn(2 * j)));
        tile.store(length_ + j, group, zero);
      }
    }
  }

  void after(const Tile<Real>& lines, const Tile<Real>& tile, Index group) const {
    const Index size = fft_.length();
    for (Index k = 0; k < length_; ++k) {
      if (form_.type == 0) {
        const Split<Real> x = result(tile, k + 1, group);
        output(lines, k, group, {hn::Neg(x.im), x.re});
      } else if (form_.type == 1) {
        output(lines, k, group, result(tile, k, group));
      } else if (form_.type == 3) {
        // Backward is forward with its outputs in reverse order.
        const Index place = k % 2 == 0 ? k / 2 : length_ - 1 - k / 2;
        output(lines, k, group, result(tile, place == 0 ? 0 : size - place, group));
      } else {
        const Root root = form_.type == 2 ? turn(k) : turn(2 * k + 1);
        const Index mirrored = form_.type == 4 ? size - 1 - k : k == 0 ? 0 : size - k;
        output(lines, k, group,
               times(result(tile, k, group), root) +
                   times_conjugate(result(tile, mirrored, group), root));
      }
    }
  }

  Index length_;
  CosineForm form_;
  LineFft<Real> fft_;
  std::vector<Root> turns_;  // by element: one for types II and III, two for type IV
};

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
