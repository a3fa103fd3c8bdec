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

#include <utility>
#include <vector>

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
HWY_INLINE hn::Vec<Lanes<Real>> negative_if(bool condition, hn::Vec<Lanes<Real>> x) {
  return condition ? hn::Neg(x) : x;
}

/// DCT or DST of one type of lines of n = 2 M real numbers, by an FFT of rows in spare memory.
template <class Real, class Fft, int type>
class CosineRows {
 public:
  static bool has(LineKind kind, Index length) {
    return cosine_form(kind).type == type && length % 2 == 0 &&
           RowFft<Real>::has_whole_squares(length / 2);
  }

  RowElements input() const { return {length_, sizeof(Real)}; }
  RowElements output() const { return input(); }
  Index slots() const { return fft_.slots(); }
  Index period() const { return fft_.period(); }
  /// Bytes of M + 1 complex numbers, in whole cache lines.
  Index spare_bytes() const {
    const Index bytes = 2 * (half() + 1) * static_cast<Index>(sizeof(Real));
    return (bytes + line_bytes - 1) / line_bytes * line_bytes;
  }

 protected:
  static constexpr Index width = lanes_of<Real>();

  /// The constants of the type: exp(-2 pi i k / period) for k = first + step j, j = 0 ... M - 1.
  struct Turns {
    Index first, step, period;
  };
  CosineRows(LineKind kind, Index length, Fft fft, Turns turns)
      : length_(length), form_(cosine_form(kind)), fft_(std::move(fft)) {
    for (Index j = 0; j < half(); j += width)
      for (const auto part : {&Root::cosine, &Root::sine})
        for (Index lane = j; lane < j + width; ++lane) {
          const Root root = root_of_unity(turns.first + turns.step * lane, turns.period);
          turns_.push_back(static_cast<Real>(root.*part));
        }
  }

  Index length() const { return length_; }
  Index half() const { return length_ / 2; }
  const CosineForm& form() const { return form_; }
  /// The constants of j to j + W - 1: W cosines and W sines.
  const Real* turns(Index j) const { return turns_.data() + 2 * j; }

  /// before(line, spare line), the FFT times `factor` in spare memory, after(spare line, line).
  template <class Before, class After>
  void run_between(const RowLines& from, Index ahead, const typename RowFft<Real>::Target& to,
                   const Tile<Real>& tile, const RowLines& spare, Real factor, const Before& before,
                   const After& after) const {
    const auto numbers = [](std::byte* line) { return reinterpret_cast<Real*>(line); };
    for (Index line = 0; line < tile.groups; ++line) {
      if (ahead != 0) fetch(from.line(line) + ahead, input().line_bytes());
      before(numbers(from.line(line)), numbers(spare.line(line)));
    }
    fft_.run(spare, 0, {.lines = spare, .factor = factor * to.factor}, tile, spare);
    for (Index line = 0; line < tile.groups; ++line) {
      if (to.is_fetched) fetch(to.lines.line(line), output().line_bytes());
      after(numbers(spare.line(line)), numbers(to.lines.line(line)));
    }
  }

 private:
  Index length_;
  CosineForm form_;
  Fft fft_;
  std::vector<Real> turns_;
};

/// DCT-II and DST-II.
template <class Real>
class SecondTypeRows : public CosineRows<Real, RealRows<Real>, 2> {
  using Base = CosineRows<Real, RealRows<Real>, 2>;
  using Base::form, Base::half, Base::length, Base::turns, Base::width;

 public:
  SecondTypeRows(LineKind kind, Index length)
      : Base(kind, length, RealRows<Real>(LineKind::r2c, length), {1, 1, 4 * length}) {}

  void run(const RowLines& from, Index ahead, const typename RowFft<Real>::Target& to,
           const Tile<Real>& tile, const RowLines& spare) const {
    this->run_between(
        from, ahead, to, tile, spare, 2, [&](const Real* z, Real* v) { reorder(z, v); },
        [&](const Real* spectrum, Real* z) { take_cosines(spectrum, z); });
  }

 private:
  /// v = z_0 z_2 z_4 ... z_5 z_3 z_1.
  HWY_NOINLINE void reorder(const Real* z, Real* v) const {
    const Lanes<Real> tag;
    for (Index j = 0; j < half(); j += width) {
      const Split<Real> x = load_in_order(z + 2 * j);  // even and odd elements
      hn::StoreU(x.re, tag, v + j);
      hn::StoreU(hn::Reverse(tag, negative_if<Real>(form().alternates_input, x.im)), tag,
                 v + length() - j - width);
    }
  }
  HWY_NOINLINE void take_cosines(const Real* spectrum, Real* z) const {
    const Lanes<Real> tag;
    const Index n = length();
    const bool is_reversed = form().reverses_output;
    z[is_reversed ? n - 1 : 0] = spectrum[0];
    for (Index j = 0; j < half(); j += width) {
      const Index k = j + 1;  // elements k ... k + W - 1, and n - k ... n - k - W + 1
      const Split<Real> x = times_turns(load_in_order(spectrum + 2 * k), turns(j));
      const auto mirrored = hn::Neg(x.im);
      hn::StoreU(is_reversed ? mirrored : x.re, tag, z + (is_reversed ? k - 1 : k));
      hn::StoreU(hn::Reverse(tag, is_reversed ? x.re : mirrored), tag,
                 z + n - k - width + (is_reversed ? 0 : 1));
    }
  }
};

/// DCT-III and DST-III.
template <class Real>
class ThirdTypeRows : public CosineRows<Real, HalfRows<Real>, 3> {
  using Base = CosineRows<Real, HalfRows<Real>, 3>;
  using Base::form, Base::half, Base::length, Base::turns, Base::width;

 public:
  ThirdTypeRows(LineKind kind, Index length)
      : Base(kind, length, HalfRows<Real>(LineKind::c2r, length), {1, 1, 4 * length}) {}

  void run(const RowLines& from, Index ahead, const typename RowFft<Real>::Target& to,
           const Tile<Real>& tile, const RowLines& spare) const {
    this->run_between(
        from, ahead, to, tile, spare, 1,
        [&](const Real* z, Real* spectrum) { make_spectrum(z, spectrum); },
        [&](const Real* v, Real* z) { restore_order(v, z); });
  }

 private:
  HWY_NOINLINE void make_spectrum(const Real* z, Real* spectrum) const {
    const Lanes<Real> tag;
    const Index n = length();
    const bool is_reversed = form().reverses_input;
    spectrum[0] = z[is_reversed ? n - 1 : 0];
    spectrum[1] = 0;
    for (Index j = 0; j < half(); j += width) {
      const Index k = j + 1;  // elements k ... k + W - 1, and n - k ... n - k - W + 1
      const auto near = hn::LoadU(tag, z + (is_reversed ? k - 1 : k));
      const auto far = hn::Reverse(tag, hn::LoadU(tag, z + n - k - width + (is_reversed ? 0 : 1)));
      const Split<Real> x{is_reversed ? far : near, hn::Neg(is_reversed ? near : far)};
      store_in_order(times_turns<-1>(x, turns(j)), spectrum + 2 * k);
    }
  }
  HWY_NOINLINE void restore_order(const Real* v, Real* z) const {
    const Lanes<Real> tag;
    for (Index j = 0; j < half(); j += width) {
      const auto odd = hn::Reverse(tag, hn::LoadU(tag, v + length() - j - width));
      store_in_order<Real>(
          {hn::LoadU(tag, v + j), negative_if<Real>(form().alternates_output, odd)}, z + 2 * j);
    }
  }
};

/// DCT-IV and DST-IV.
template <class Real>
class FourthTypeRows : public CosineRows<Real, ComplexRows<Real>, 4> {
  using Base = CosineRows<Real, ComplexRows<Real>, 4>;
  using Base::form, Base::half, Base::turns, Base::width;

 public:
  FourthTypeRows(LineKind kind, Index length)
      : Base(kind, length, ComplexRows<Real>(LineKind::c2c_forward, length / 2),
             {1, 8, 16 * length}) {}

  void run(const RowLines& from, Index ahead, const typename RowFft<Real>::Target& to,
           const Tile<Real>& tile, const RowLines& spare) const {
    this->run_between(
        from, ahead, to, tile, spare, 2, [&](const Real* z, Real* t) { turn_pairs(z, t); },
        [&](const Real* t, Real* z) { take_pairs(t, z); });
  }

 private:
  HWY_NOINLINE void turn_pairs(const Real* z, Real* t) const {
    const bool is_reversed = form().reverses_input;
    for_mirrored(z, t,
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
  HWY_NOINLINE void take_pairs(const Real* t, Real* z) const {
    const bool is_negative = !form().alternates_output;
    for_mirrored(t, z,
                 [&](Split<Real>& x, Split<Real>& y, const Real* near, const Real* far) HWY_ATTR {
                   x = times_turns(x, near);
                   y = times_turns(y, far);
                   x.im = negative_if<Real>(is_negative, x.im);
                   y.im = negative_if<Real>(is_negative, y.im);
                   exchange_odd(x, y);
                 });
  }
  /// Exchanges the odd elements of both, in reverse order.
  static HWY_INLINE void exchange_odd(Split<Real>& x, Split<Real>& y) {
    const Lanes<Real> tag;
    const auto odd = hn::Reverse(tag, x.im);
    x.im = hn::Reverse(tag, y.im);
    y.im = odd;
  }
  /// Calls work(x, y, constants of x, of y) for the pairs j to j + W - 1 of a line and for the
  /// pairs M - j - W to M - j - 1, and stores both.
  template <class Work>
  HWY_INLINE void for_mirrored(const Real* from, Real* to, const Work& work) const {
    for (Index j = 0; 2 * j < half(); j += width) {
      const Index mirrored = half() - j - width;
      Split<Real> x = load_in_order(from + 2 * j), y = load_in_order(from + 2 * mirrored);
      work(x, y, turns(j), turns(mirrored));
      store_in_order(x, to + 2 * j);
      store_in_order(y, to + 2 * mirrored);
    }
  }
};

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
