// Transforms of contiguous lines, complex and real: FFTs of the lines as rows (kernel/row_fft), and
// for real lines a sweep that separates or joins the spectra of even and odd elements.
// Compiled once for each instruction set.
#if defined(WEFT_KERNEL_REAL_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_KERNEL_REAL_ROWS_INL
#undef WEFT_KERNEL_REAL_ROWS_INL
#else
#define WEFT_KERNEL_REAL_ROWS_INL
#endif

#include <hwy/highway.h>

#include <cstring>
#include <vector>

#include "kernel/line_kernel.hpp"
#include "kernel/row_fft-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Elements of a line on one side.
struct RowElements {
  Index count;
  Index bytes;  ///< of each

  Index line_bytes() const { return count * bytes; }
  void gather(const LineRows& from, Index lines, const RowLines& to) const {
    for (Index j = 0; j < count; ++j)
      for (Index line = 0; line < lines; ++line) {
        std::byte* const element = to.line(line) + j * bytes;
        if (from.rows[j] == nullptr)
          std::memset(element, 0, static_cast<std::size_t>(bytes));
        else
          std::memcpy(element, from.rows[j] + line * from.line_bytes,
                      static_cast<std::size_t>(bytes));
      }
  }
  void scatter(const RowLines& from, Index lines, const LineRows& to) const {
    for (Index k = 0; k < count; ++k)
      for (Index line = 0; to.rows[k] != nullptr && line < lines; ++line)
        std::memcpy(to.rows[k] + line * to.line_bytes, from.line(line) + k * bytes,
                    static_cast<std::size_t>(bytes));
  }
};

/// A complex FFT alone.
template <class Real>
class ComplexRows {
 public:
  static bool has(LineKind kind, Index length) {
    return (kind == LineKind::c2c_forward || kind == LineKind::c2c_backward) &&
           RowFft<Real>::has(length);
  }
  ComplexRows(LineKind kind, Index length)
      : length_(length),
        fft_(length, kind == LineKind::c2c_forward ? Direction::forward : Direction::backward) {}

  RowElements input() const { return {length_, 2 * sizeof(Real)}; }
  RowElements output() const { return input(); }
  Index slots() const { return fft_.slots(); }
  Index period() const { return fft_.period(); }
  /// Bytes of spare memory per line, for elements between the FFT and memory.
  Index spare_bytes() const { return 0; }
  void run(const RowLines& from, Index ahead, const typename RowFft<Real>::Target& to,
           const Tile<Real>& tile, const RowLines&) const {
    fft_.run(from, ahead, to, tile);
  }

 private:
  Index length_;
  RowFft<Real> fft_;
};

/// Rearranges between a complex line of M elements and a real one of n = 2 M. For k = 0 ... M / 2,
/// elements x = X_k and y = X_(M - k) of a line of M + 1 become combine(x, conj(y), w^k). Here w is
/// exp(-2 pi i / n). W elements are handled at a time, and the second result is stored as its
/// conjugate. Element M / 2 becomes twice its conjugate. Both lines may be the same memory.
template <class Real>
class MirroredPairs {
  static constexpr Index width = lanes_of<Real>();

 public:
  explicit MirroredPairs(Index half) : half_(half) {
    for (Index k = 0; 2 * k < half; k += width) append_turns<Real>(k, 1, 2 * half, turns_);
  }

  template <class Combine>
  HWY_INLINE void run(const Real* from, Real* to, const Combine& combine) const {
    for (Index k = 0; 2 * k < half_; k += width) {
      const Index mirrored = 2 * (half_ - k - width + 1);
      Split<Real> x = load_row(from + 2 * k), y = reversed_conjugate(load_row(from + mirrored));
      combine(x, y, turns_.data() + 2 * k);
      store_row(x, to + 2 * k);
      store_row(reversed_conjugate(y), to + mirrored);
    }
    to[half_] = 2 * from[half_];
    to[half_ + 1] = -2 * from[half_ + 1];
  }

 private:
  static HWY_INLINE Split<Real> reversed_conjugate(Split<Real> x) {
    const Lanes<Real> tag;
    return {hn::Reverse(tag, x.re), hn::Neg(hn::Reverse(tag, x.im))};
  }

  Index half_;
  std::vector<Real> turns_;
};

/// r2c of even lines: see RealFft for the formula.
template <class Real>
class RealRows {
 public:
  /// Where squares have rows of several lines, tiles with a line in each lane are faster.
  static bool has(LineKind kind, Index length) {
    return kind == LineKind::r2c && length % 2 == 0 && RowFft<Real>::has_whole_squares(length / 2);
  }
  RealRows(LineKind, Index length)
      : half_(length / 2), fft_(half_, Direction::forward), pairs_(half_) {}

  RowElements input() const { return {2 * half_, sizeof(Real)}; }
  RowElements output() const { return {half_ + 1, 2 * sizeof(Real)}; }
  Index slots() const { return fft_.slots(); }
  Index period() const { return fft_.period(); }
  Index spare_bytes() const { return output().line_bytes(); }
  void run(const RowLines& from, Index ahead, const typename RowFft<Real>::Target& to,
           const Tile<Real>& tile, const RowLines& spare) const {
    if (to.is_fetched) fetch(to.lines.first, output().line_bytes());
    fft_.run(from, ahead, {.lines = spare, .factor = to.factor / 2}, tile);
    for (Index line = 0; line < tile.groups; ++line) {
      if (to.is_fetched && line + 1 < tile.groups)
        fetch(to.lines.line(line + 1), output().line_bytes());
      separate(reinterpret_cast<Real*>(spare.line(line)),
               reinterpret_cast<Real*>(to.lines.line(line)));
    }
  }

 private:
  HWY_NOINLINE void separate(Real* z, Real* to) const {
    z[2 * half_] = z[0];
    z[2 * half_ + 1] = z[1];
    pairs_.run(z, to, [](Split<Real>& x, Split<Real>& y, const Real* turns) HWY_ATTR {
      const Split<Real> even = x + y, odd = times_turns(x - y, turns);
      x = minus_i(even, odd);
      y = plus_i(even, odd);
    });
  }

  Index half_;
  RowFft<Real> fft_;
  MirroredPairs<Real> pairs_;
};

/// c2r of even lines.
template <class Real>
class HalfRows {
 public:
  static bool has(LineKind kind, Index length) {
    return kind == LineKind::c2r && RealRows<Real>::has(LineKind::r2c, length);
  }
  HalfRows(LineKind, Index length)
      : half_(length / 2), fft_(half_, Direction::backward), pairs_(half_) {}

  RowElements input() const { return {half_ + 1, 2 * sizeof(Real)}; }
  RowElements output() const { return {2 * half_, sizeof(Real)}; }
  Index slots() const { return fft_.slots(); }
  Index period() const { return fft_.period(); }
  Index spare_bytes() const { return input().line_bytes(); }
  void run(const RowLines& from, Index, const typename RowFft<Real>::Target& to,
           const Tile<Real>& tile, const RowLines& spare) const {
    for (Index line = 0; line < tile.groups; ++line)
      join(reinterpret_cast<const Real*>(from.line(line)),
           reinterpret_cast<Real*>(spare.line(line)));
    fft_.run(spare, 0, to, tile);
  }

 private:
  HWY_NOINLINE void join(const Real* from, Real* z) const {
    const Real first = from[0], last = from[2 * half_];  // both ends are real
    pairs_.run(from, z, [](Split<Real>& x, Split<Real>& y, const Real* turns) HWY_ATTR {
      const Split<Real> even = x + y, odd = times_turns<-1>(x - y, turns);
      x = plus_i(even, odd);
      y = minus_i(even, odd);
    });
    z[0] = first + last;
    z[1] = first - last;
  }

  Index half_;
  RowFft<Real> fft_;
  MirroredPairs<Real> pairs_;
};

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
