// FFTs of any length on tiles: smooth lengths by stages, others as a convolution (Bluestein, "A
// linear filtering approach to the computation of the discrete Fourier transform", 1970). Compiled
// once for each instruction set.
#if defined(WEFT_KERNEL_LINE_FFT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_KERNEL_LINE_FFT_INL
#undef WEFT_KERNEL_LINE_FFT_INL
#else
#define WEFT_KERNEL_LINE_FFT_INL
#endif

#include <hwy/highway.h>

#include <complex>

#include "kernel/scratch-inl.hpp"
#include "machine/aligned_buffer.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// An FFT of any length n: stages for a smooth length; otherwise a convolution, X_k = c_k sum_j
/// (x_j c_j) / c_(k - j) with c_j = exp(-i pi j^2 / n).
template <class Real>
class LineFft {
 public:
  explicit LineFft(Index length)
      : length_(length), fft_(is_smooth(length) ? length : smooth_length_from(2 * length - 1)) {
    if (!is_convolution()) return;
    for (Index j = 0; j < length; ++j) {
      const Root root = root_of_unity(j * j % (2 * length), 2 * length);
      chirp_.push_back({root.cosine, root.sine});
    }
    transform_filter();
  }

  Index length() const { return length_; }
  bool is_convolution() const { return fft_.length() != length_; }
  /// The stages, unless it is a convolution.
  const SmoothFft<Real>& stages() const { return fft_; }
  /// Input and output use the first `length` slots of the tile.
  TileSlots slots() const {
    return {.tile = fft_.length(), .spare = is_convolution() ? fft_.length() : 0};
  }
  /// Where `run` leaves output k.
  Index slot(Index k) const { return is_convolution() ? k : fft_.slot(k); }

  /// In place: element j in slot j becomes output k in slot(k). `spare`: another tile.
  void run(const Tile<Real>& tile, const Tile<Real>& spare) const {
    if (!is_convolution()) return fft_.run(tile);
    const Index size = fft_.length();
    for (Index j = 0; j < size; ++j)
      for (Index group = 0; group < tile.groups; ++group)
        tile.store(j, group, j < length_ ? turned(tile.load(j, group), chirp(j)) : zero());
    fft_.run(tile);
    for (Index k = 0; k < size; ++k)
      for (Index group = 0; group < tile.groups; ++group)
        spare.store(k, group, turned(tile.load(fft_.slot(k), group), filter(k)));
    fft_.run(spare);  // forward twice: the result is in reverse order
    for (Index k = 0; k < length_; ++k)
      for (Index group = 0; group < tile.groups; ++group)
        tile.store(k, group, turned(spare.load(fft_.slot((size - k) % size), group), chirp(k)));
  }

 private:
  using Number = std::complex<double>;

  static Split<Real> zero() { return {broadcast(Real(0)), broadcast(Real(0))}; }
  static HWY_INLINE Split<Real> turned(Split<Real> x, Number factor) {
    return times(x, static_cast<Real>(factor.real()), static_cast<Real>(factor.imag()));
  }
  Number chirp(Index j) const { return chirp_[static_cast<std::size_t>(j)]; }
  Number filter(Index k) const { return filter_[static_cast<std::size_t>(k)]; }

  /// The transform of 1 / c_j, j = 1 - n, ..., n - 1, divided by its length. It is computed in
  /// double precision; all lanes are equal.
  void transform_filter() {
    const SmoothFft<double> fft(fft_.length());
    const Index size = fft.length(), pitch = tile_pitch<double>(1);
    const AlignedBuffer memory(size * pitch * static_cast<Index>(sizeof(double)));
    const Tile<double> tile{reinterpret_cast<double*>(memory.data()), 1, pitch};
    for (Index j = 0; j < size; ++j) {
      const Index distance = std::min(j, size - j);
      const Number value = distance < length_ ? std::conj(chirp(distance)) : Number(0);
      tile.store(j, 0, {broadcast(value.real()), broadcast(value.imag())});
    }
    fft.run(tile);
    for (Index k = 0; k < size; ++k) {
      const double* const value = tile.at(fft.slot(k), 0);
      filter_.push_back(Number(value[0], value[lanes_of<double>()]) / static_cast<double>(size));
    }
  }

  Index length_;
  SmoothFft<Real> fft_;
  std::vector<Number> chirp_;
  std::vector<Number> filter_;
};

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
