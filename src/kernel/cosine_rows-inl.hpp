// DCT and DST of types II to IV of contiguous real lines, as FFTs of rows between two
// rearrangements. A single line fills all lanes, which the tiles of real_trigonometric-inl.hpp
// leave empty; the formulas are the same. Compiled once for each instruction set.
#if defined(WEFT_KERNEL_COSINE_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_KERNEL_COSINE_ROWS_INL
#undef WEFT_KERNEL_COSINE_ROWS_INL
#else
#define WEFT_KERNEL_COSINE_ROWS_INL
#endif

#include <hwy/highway.h>

#include "kernel/real_rows-inl.hpp"
#include "kernel/trigonometric-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// W complex numbers of memory in the order of memory. (Vectors in the order of load_row could not
/// be stored as W neighbouring real numbers.)
template <class Real>
HWY_INLINE Split<Real> load_in_order(const Real* place) {
  Split<Real> x;
  hn::LoadInterleaved2(Lanes<Real>(), place, x.re, x.im);
  return x;
}
template <class Real>
HWY_INLINE void store_in_order(Split<Real> x, Real* place) {
  hn::StoreInterleaved2(x.re, x.im, Lanes<Real>(), place);
}
template <class Real>
HWY_INLINE Split<Real> reversed(Split<Real> x) {
  const Lanes<Real> tag;
  return {hn::Reverse(tag, x.re), hn::Reverse(tag, x.im)};
}
template <class Real>
HWY_INLINE hn::Vec<Lanes<Real>> negative_if(bool condition, hn::Vec<Lanes<Real>> x) {
  return condition ? hn::Neg(x) : x;
}

/// Lines of n = 2 M real numbers, their form, and memory for them between steps.
template <class Real>
class CosineLines {
 public:
  static constexpr Index width = lanes_of<Real>();

  static bool has(LineKind kind, Index length, int type) {
    return cosine_form(kind).type == type && length % 2 == 0 &&
           RowFft<Real>::has_whole_squares(length / 2);
  }
  /// exp(-2 pi i k / period) for k = first + step j, j = 0 ... M - 1, in vectors.
  CosineLines(LineKind kind, Index length, Index first, Index step, Index period)
      : length_(length), form_(cosine_form(kind)) {
    for (Index j = 0; j < half(); j += width)
      for (const auto part : {&Root::cosine, &Root::sine})
        for (Index lane = j; lane < j + width; ++lane)
          turns_.push_back(static_cast<Real>(root_of_unity(first + step * lane, period).*part));
  }

  Index length() const { return length_; }
  Index half() const { return length_ / 2; }
  const CosineForm& form() const { return form_; }
  /// The constants of j to j + W - 1.
  const Real* turns(Index j) const { return turns_.data() + 2 * j; }

  RowElements elements() const { return {length_, sizeof(Real)}; }
  /// Of memory for M + 1 complex numbers.
  Index spectrum_bytes() const {
    const Index bytes = 2 * (half() + 1) * static_cast<Index>(sizeof(Real));
    return (bytes + line_bytes - 1) / line_bytes * line_bytes;
  }

 private:
  Index length_;
  CosineForm form_;
  std::vector<Real> turns_;
};

template <class Real>
class SecondTypeRows {
  static constexpr Index width = lanes_of<Real>();

 public:
  static bool has(LineKind kind, Index length) { return CosineLines<Real>::has(kind, length, 2); }
  SecondTypeRows(LineKind kind, Index length)
      : lines_(kind, length, 1, 1, 4 * length), fft_(LineKind::r2c, length) {}

  RowElements input() const { return lines_.elements(); }
  RowElements output() const { return lines_.elements(); }
  Index slots() const { return fft_.slots(); }
  Index period() const { return fft_.period(); }
  Index spare_bytes() const { return 2 * lines_.spectrum_bytes(); }
  void run(const RowLines& from, Index ahead, const typename RowFft<Real>::Target& to,
           const Tile<Real>& tile, const RowLines& spare) const {
    const RowLines spectra{spare.first + lines_.spectrum_bytes(), spare.pitch};
    for (Index line = 0; line < tile.groups; ++line) {
      if (ahead != 0) fetch(from.line(line) + ahead, input().line_bytes());
      reorder(reinterpret_cast<const Real*>(from.line(line)),
              reinterpret_cast<Real*>(spare.line(line)));
    }
    fft_.run(spare, 0, {.lines = spectra, .factor = 2 * to.factor}, tile, spare);
    for (Index line = 0; line < tile.groups; ++line) {
      if (to.is_fetched) fetch(to.lines.line(line), output().line_bytes());
      take_cosines(reinterpret_cast<const Real*>(spectra.line(line)),
                   reinterpret_cast<Real*>(to.lines.line(line)));
    }
  }

 private:
  /// v = z_0 z_2 z_4 ... z_5 z_3 z_1.
  HWY_NOINLINE void reorder(const Real* z, Real* v) const {
    const Lanes<Real> tag;
    for (Index j = 0; j < lines_.half(); j += width) {
      const Split<Real> x = load_in_order(z + 2 * j);  // even and odd elements
      hn::StoreU(x.re, tag, v + j);
      hn::StoreU(hn::Reverse(tag, negative_if<Real>(lines_.form().alternates_input, x.im)), tag,
                 v + lines_.length() - j - width);
    }
  }
  HWY_NOINLINE void take_cosines(const Real* spectrum, Real* z) const {
    const Lanes<Real> tag;
    const Index n = lines_.length();
    const bool is_reversed = lines_.form().reverses_output;
    z[is_reversed ? n - 1 : 0] = spectrum[0];
    for (Index j = 0; j < lines_.half(); j += width) {
      const Index k = j + 1;  // elements k ... k + W - 1, and n - k ... n - k - W + 1
      const Split<Real> x = times_turns(load_in_order(spectrum + 2 * k), lines_.turns(j));
      const auto mirrored = hn::Neg(x.im);
      hn::StoreU(is_reversed ? mirrored : x.re, tag, z + (is_reversed ? k - 1 : k));
      hn::StoreU(hn::Reverse(tag, is_reversed ? x.re : mirrored), tag,
                 z + n - k - width + (is_reversed ? 0 : 1));
    }
  }

  CosineLines<Real> lines_;
  RealRows<Real> fft_;
};

template <class Real>
class ThirdTypeRows {
  static constexpr Index width = lanes_of<Real>();

 public:
  static bool has(LineKind kind, Index length) { return CosineLines<Real>::has(kind, length, 3); }
  ThirdTypeRows(LineKind kind, Index length)
      : lines_(kind, length, 1, 1, 4 * length), fft_(LineKind::c2r, length) {}

  RowElements input() const { return lines_.elements(); }
  RowElements output() const { return lines_.elements(); }
  Index slots() const { return fft_.slots(); }
  Index period() const { return fft_.period(); }
  Index spare_bytes() const { return 2 * lines_.spectrum_bytes(); }
  void run(const RowLines& from, Index ahead, const typename RowFft<Real>::Target& to,
           const Tile<Real>& tile, const RowLines& spare) const {
    const RowLines spectra{spare.first + lines_.spectrum_bytes(), spare.pitch};
    for (Index line = 0; line < tile.groups; ++line) {
      if (ahead != 0) fetch(from.line(line) + ahead, input().line_bytes());
      make_spectrum(reinterpret_cast<const Real*>(from.line(line)),
                    reinterpret_cast<Real*>(spectra.line(line)));
    }
    fft_.run(spectra, 0, {.lines = spare, .factor = to.factor}, tile, spare);
    for (Index line = 0; line < tile.groups; ++line) {
      if (to.is_fetched) fetch(to.lines.line(line), output().line_bytes());
      restore_order(reinterpret_cast<const Real*>(spare.line(line)),
                    reinterpret_cast<Real*>(to.lines.line(line)));
    }
  }

 private:
  HWY_NOINLINE void make_spectrum(const Real* z, Real* spectrum) const {
    const Lanes<Real> tag;
    const Index n = lines_.length();
    const bool is_reversed = lines_.form().reverses_input;
    spectrum[0] = z[is_reversed ? n - 1 : 0];
    spectrum[1] = 0;
    for (Index j = 0; j < lines_.half(); j += width) {
      const Index k = j + 1;  // elements k ... k + W - 1, and n - k ... n - k - W + 1
      const auto near = hn::LoadU(tag, z + (is_reversed ? k - 1 : k));
      const auto far = hn::Reverse(tag, hn::LoadU(tag, z + n - k - width + (is_reversed ? 0 : 1)));
      const Split<Real> x{is_reversed ? far : near, hn::Neg(is_reversed ? near : far)};
      store_in_order(times_turns<-1>(x, lines_.turns(j)), spectrum + 2 * k);
    }
  }
  HWY_NOINLINE void restore_order(const Real* v, Real* z) const {
    const Lanes<Real> tag;
    for (Index j = 0; j < lines_.half(); j += width) {
      const auto odd = hn::Reverse(tag, hn::LoadU(tag, v + lines_.length() - j - width));
      store_in_order<Real>(
          {hn::LoadU(tag, v + j), negative_if<Real>(lines_.form().alternates_output, odd)},
          z + 2 * j);
    }
  }

  CosineLines<Real> lines_;
  HalfRows<Real> fft_;
};

template <class Real>
class FourthTypeRows {
  static constexpr Index width = lanes_of<Real>();

 public:
  static bool has(LineKind kind, Index length) { return CosineLines<Real>::has(kind, length, 4); }
  FourthTypeRows(LineKind kind, Index length)
      : lines_(kind, length, 1, 8, 16 * length), fft_(LineKind::c2c_forward, length / 2) {}

  RowElements input() const { return lines_.elements(); }
  RowElements output() const { return lines_.elements(); }
  Index slots() const { return fft_.slots(); }
  Index period() const { return fft_.period(); }
  Index spare_bytes() const { return lines_.spectrum_bytes(); }
  void run(const RowLines& from, Index ahead, const typename RowFft<Real>::Target& to,
           const Tile<Real>& tile, const RowLines& spare) const {
    const bool is_reversed = lines_.form().reverses_input;
    for (Index line = 0; line < tile.groups; ++line) {
      if (ahead != 0) fetch(from.line(line) + ahead, input().line_bytes());
      for_mirrored(from.line(line), spare.line(line),
                   [&](Split<Real>& x, Split<Real>& y, const Real* near, const Real* far) HWY_ATTR {
                     exchange_odd(x, y);
                     if (is_reversed) {
                       std::swap(x.re, x.im);
                       std::swap(y.re, y.im);
                     }
                     x = times_turns(x, near);
                     y = times_turns(y, far);
                   });
    }
    fft_.run(spare, 0, {.lines = spare, .factor = 2 * to.factor}, tile, spare);
    const bool alternates = lines_.form().alternates_output;
    for (Index line = 0; line < tile.groups; ++line) {
      if (to.is_fetched) fetch(to.lines.line(line), output().line_bytes());
      for_mirrored(spare.line(line), to.lines.line(line),
                   [&](Split<Real>& x, Split<Real>& y, const Real* near, const Real* far) HWY_ATTR {
                     x = times_turns(x, near);
                     y = times_turns(y, far);
                     x.im = negative_if<Real>(!alternates, x.im);
                     y.im = negative_if<Real>(!alternates, y.im);
                     exchange_odd(x, y);
                   });
    }
  }

 private:
  /// The odd elements of each in reverse order to the other.
  static HWY_INLINE void exchange_odd(Split<Real>& x, Split<Real>& y) {
    const Lanes<Real> tag;
    const auto odd = hn::Reverse(tag, x.im);
    x.im = hn::Reverse(tag, y.im);
    y.im = odd;
  }
  /// Calls work(x, y, constants of x, of y) for the pairs j to j + W - 1 of a line and for the
  /// pairs M - j - W to M - j - 1, and stores both.
  template <class Work>
  HWY_NOINLINE void for_mirrored(const std::byte* from, std::byte* to, const Work& work) const {
    const auto* const source = reinterpret_cast<const Real*>(from);
    auto* const target = reinterpret_cast<Real*>(to);
    const Index half = lines_.half();
    for (Index j = 0; 2 * j < half; j += width) {
      const Index mirrored = half - j - width;
      Split<Real> x = load_in_order(source + 2 * j), y = load_in_order(source + 2 * mirrored);
      work(x, y, lines_.turns(j), lines_.turns(mirrored));
      store_in_order(x, target + 2 * j);
      store_in_order(y, target + 2 * mirrored);
    }
  }

  CosineLines<Real> lines_;
  ComplexRows<Real> fft_;
};

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
