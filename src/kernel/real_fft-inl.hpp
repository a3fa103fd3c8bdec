// FFTs of real lines of even length on tiles: a complex FFT of half the length treats pairs of
// numbers as complex. A second step separates or joins its mirrored elements. Compiled once for
// each instruction set.
#if defined(WEFT_KERNEL_REAL_FFT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_KERNEL_REAL_FFT_INL
#undef WEFT_KERNEL_REAL_FFT_INL
#else
#define WEFT_KERNEL_REAL_FFT_INL
#endif

#include <hwy/highway.h>

#include "kernel/line_fft-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Real>
HWY_INLINE Split<Real> conjugate(Split<Real> x) {
  return {x.re, hn::Neg(x.im)};
}

/// Slot j of a tile holds elements 2 j and 2 j + 1 of its lines. A second tile holds elements 0 to
/// M = n / 2 of their spectra.
template <class Real>
class RealFft {
 public:
  explicit RealFft(Index length) : half_(length / 2), fft_(half_) {
    for (Index k = 0; k <= half_; ++k) turns_.push_back(root_of_unity(k, length));
  }

  const LineFft<Real>& fft() const { return fft_; }
  TileSlots slots() const {
    TileSlots slots = fft_.slots();
    slots.spectrum = half_ + 1;
    return slots;
  }
  /// Where `backward` leaves elements 2 j and 2 j + 1: backward is forward with its outputs in
  /// reverse order.
  Index slot(Index j) const { return fft_.slot(j == 0 ? 0 : half_ - j); }

  /// Twice the spectrum. With Z the transform of the pairs, 2 X_k = E + T and 2 conj(X_(M - k)) = E
  /// - T, where E = Z_k + conj(Z_(M - k)) and T = -i w^k (Z_k - conj(Z_(M - k))).
  void forward(const Tile<Real>& line, const Tile<Real>& spare, const Tile<Real>& spectrum) const {
    fft_.run(line, spare);
    for (Index k = 0; 2 * k <= half_; ++k)
      for (Index group = 0; group < line.groups; ++group) {
        const Split<Real> z = line.load(fft_.slot(k), group);
        const Split<Real> w = conjugate(line.load(fft_.slot(k == 0 ? 0 : half_ - k), group));
        const Split<Real> even = z + w, odd = times(z - w, turn(k));
        spectrum.store(k, group, minus_i(even, odd));
        spectrum.store(half_ - k, group, conjugate(plus_i(even, odd)));
      }
  }
  /// The way back: Z_k = X_k + conj(X_(M - k)) + i w^-k (X_k - conj(X_(M - k))). The imaginary
  /// parts of elements that are their own conjugates are ignored.
  void backward(const Tile<Real>& spectrum, const Tile<Real>& line, const Tile<Real>& spare) const {
    for (Index group = 0; group < line.groups; ++group) {
      for (const Index end : {Index{0}, half_})
        spectrum.store(end, group, {spectrum.load(end, group).re, broadcast(Real(0))});
      for (Index k = 0; k < half_; ++k) {
        const Split<Real> x = spectrum.load(k, group);
        const Split<Real> y = conjugate(spectrum.load(half_ - k, group));
        line.store(k, group, plus_i(x + y, times_conjugate(x - y, turn(k))));
      }
    }
    fft_.run(line, spare);
  }

 private:
  /// w^k = exp(-2 pi i k / n).
  Root turn(Index k) const { return turns_[static_cast<std::size_t>(k)]; }

  Index half_;
  LineFft<Real> fft_;
  std::vector<Root> turns_;
};

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
