// FFTs of any length on tiles: smooth lengths by stages, others by convolutions. Compiled once for
// each instruction set.
#if defined(WEFT_KERNEL_LINE_FFT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_KERNEL_LINE_FFT_INL
#undef WEFT_KERNEL_LINE_FFT_INL
#else
#define WEFT_KERNEL_LINE_FFT_INL
#endif

#include <hwy/highway.h>

#include <variant>

#include "kernel/convolutions-inl.hpp"
#include "kernel/scratch-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {

/// An FFT of any length: by stages, by Rader's method or by Bluestein's.
template <class Real>
class LineFft {
 public:
  explicit LineFft(Index length) : length_(length), fft_(fft_of(length)) {}

  Index length() const { return length_; }
  /// Null unless the length is smooth.
  const SmoothFft<Real>* stages() const { return std::get_if<SmoothFft<Real>>(&fft_); }
  /// Input and output use the first `length` slots of the tile.
  TileSlots slots() const {
    if (stages() != nullptr) return {.tile = length_};
    return of_convolution([](const auto& fft) { return fft.slots(); });
  }
  /// Where `run` leaves output k.
  Index slot(Index k) const {
    if (const auto* const smooth = stages()) return smooth->slot(k);
    return of_convolution([k](const auto& fft) { return fft.slot(k); });
  }
  /// In place: element j in slot j becomes output k in slot(k). `spare`: another tile.
  void run(const Tile<Real>& tile, const Tile<Real>& spare) const {
    if (const auto* const smooth = stages()) return smooth->run(tile);
    of_convolution([&](const auto& fft) { fft.run(tile, spare); });
  }

 private:
  using Any = std::variant<SmoothFft<Real>, RaderFft<Real>, ChirpFft<Real>>;

  static Any fft_of(Index length) {
    if (is_smooth(length)) return SmoothFft<Real>(length);
    if (RaderFft<Real>::has(length)) return RaderFft<Real>(length);
    return ChirpFft<Real>(length);
  }
  template <class Work>
  auto of_convolution(const Work& work) const {
    if (const auto* const rader = std::get_if<RaderFft<Real>>(&fft_)) return work(*rader);
    return work(*std::get_if<ChirpFft<Real>>(&fft_));
  }

  Index length_;
  Any fft_;
};

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
