// FFTs of lengths with prime factors above 13, as cyclic convolutions, which FFTs of smooth lengths
// compute. Compiled once for each instruction set.
#if defined(WEFT_KERNEL_CONVOLUTIONS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_KERNEL_CONVOLUTIONS_INL
#undef WEFT_KERNEL_CONVOLUTIONS_INL
#else
#define WEFT_KERNEL_CONVOLUTIONS_INL
#endif

#include <hwy/highway.h>

#include <complex>
#include <vector>

#include "kernel/scratch-inl.hpp"
#include "machine/aligned_buffer.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {

using Number = std::complex<double>;

inline Number number_of(Root root) { return {root.cosine, root.sine}; }

template <class Real>
HWY_INLINE Split<Real> times(Split<Real> x, Number factor) {
  return times(x, static_cast<Real>(factor.real()), static_cast<Real>(factor.imag()));
}

/// Cyclic convolutions of tiles with a sequence of smooth length.
template <class Real>
class CyclicConvolution {
 public:
  explicit CyclicConvolution(const std::vector<Number>& sequence)
      : fft_(static_cast<Index>(sequence.size())) {
    transform(sequence);
  }

  Index length() const { return fft_.length(); }
  /// Where `run` leaves element m of the result: two forward FFTs reverse the order.
  Index slot(Index m) const { return fft_.slot((length() - m) % length()); }

  /// From `from`, whose contents are lost, to `to`. Between both FFTs, change(sum, group) may
  /// change element 0 of the product of the spectra, in slot 0 of `to`; `sum`: of the elements of
  /// `from`.
  template <class Change>
  void run(const Tile<Real>& from, const Tile<Real>& to, const Change& change) const {
    fft_.run(from);
    for (Index k = 0; k < length(); ++k)
      for (Index group = 0; group < from.groups; ++group)
        to.store(k, group,
                 times(from.load(fft_.slot(k), group), filter_[static_cast<std::size_t>(k)]));
    for (Index group = 0; group < from.groups; ++group)
      change(from.load(fft_.slot(0), group), group);
    fft_.run(to);
  }

 private:
  /// The transform of the sequence, divided by its length. It is computed in double precision; all
  /// lanes are equal.
  void transform(const std::vector<Number>& sequence) {
    const SmoothFft<double> fft(length());
    const Index pitch = tile_pitch<double>(1);
    const AlignedBuffer memory(length() * pitch * static_cast<Index>(sizeof(double)));
    const Tile<double> tile{reinterpret_cast<double*>(memory.data()), 1, pitch};
    for (Index j = 0; j < length(); ++j) {
      const Number value = sequence[static_cast<std::size_t>(j)];
      tile.store(j, 0, {broadcast(value.real()), broadcast(value.imag())});
    }
    fft.run(tile);
    for (Index k = 0; k < length(); ++k) {
      const double* const value = tile.at(fft.slot(k), 0);
      filter_.push_back(Number(value[0], value[lanes_of<double>()]) /
                        static_cast<double>(length()));
    }
  }

  SmoothFft<Real> fft_;
  std::vector<Number> filter_;
};

/// X_k = c_k sum_j (x_j c_j) / c_(k - j) with c_j = exp(-i pi j^2 / n), for any length n
/// (Bluestein, "A linear filtering approach to the computation of the discrete Fourier transform",
/// 1970).
template <class Real>
class ChirpFft {
 public:
  explicit ChirpFft(Index length) : chirp_(chirp_of(length)), convolution_(reciprocals(chirp_)) {}

  TileSlots slots() const {
    return {.tile = convolution_.length(), .spare = convolution_.length()};
  }
  Index slot(Index k) const { return k; }

  void run(const Tile<Real>& tile, const Tile<Real>& spare) const {
    const auto length = static_cast<Index>(chirp_.size());
    const Split<Real> zero{broadcast(Real(0)), broadcast(Real(0))};
    for (Index j = 0; j < convolution_.length(); ++j)
      for (Index group = 0; group < tile.groups; ++group)
        tile.store(j, group, j < length ? times(tile.load(j, group), chirp(j)) : zero);
    convolution_.run(tile, spare, [](Split<Real>, Index) HWY_ATTR {});
    for (Index k = 0; k < length; ++k)
      for (Index group = 0; group < tile.groups; ++group)
        tile.store(k, group, times(spare.load(convolution_.slot(k), group), chirp(k)));
  }

 private:
  static std::vector<Number> chirp_of(Index length) {
    std::vector<Number> chirp;
    for (Index j = 0; j < length; ++j)
      chirp.push_back(number_of(root_of_unity(j * j % (2 * length), 2 * length)));
    return chirp;
  }
  /// 1 / c_j for j = 1 - n, ..., n - 1, with zeros between.
  static std::vector<Number> reciprocals(const std::vector<Number>& chirp) {
    const std::size_t length = chirp.size();
    std::vector<Number> sequence(static_cast<std::size_t>(
        fastest_length_from(2 * static_cast<Index>(length) - 1, largest_radix<Real>())));
    for (std::size_t j = 0; j < length; ++j)
      sequence[j] = sequence[(sequence.size() - j) % sequence.size()] = std::conj(chirp[j]);
    return sequence;
  }
  Number chirp(Index j) const { return chirp_[static_cast<std::size_t>(j)]; }

  std::vector<Number> chirp_;
  CyclicConvolution<Real> convolution_;
};

/// With powers of a primitive root g of a prime n, X_(g^-m) = x_0 + sum_q x_(g^q) w^(g^(q - m)): a
/// convolution of n - 1 elements, less than half as long as ChirpFft's (Rader, "Discrete Fourier
/// transforms when the number of data samples is prime", 1968).
template <class Real>
class RaderFft {
 public:
  static bool has(Index length) { return is_prime(length) && is_smooth(length - 1); }

  explicit RaderFft(Index length)
      : powers_(powers_of(primitive_root(length), length)), convolution_(roots(powers_)) {
    slots_.resize(static_cast<std::size_t>(length), 0);
    for (Index m = 0; m < length - 1; ++m)
      slots_[static_cast<std::size_t>(power(m == 0 ? 0 : length - 1 - m))] =
          1 + convolution_.slot(m);
  }

  TileSlots slots() const {
    return {.tile = convolution_.length() + 1, .spare = convolution_.length()};
  }
  Index slot(Index k) const { return slots_[static_cast<std::size_t>(k)]; }

  /// Element 0 of the product of the spectra gets x_0, so that all results of the convolution do.
  void run(const Tile<Real>& tile, const Tile<Real>& spare) const {
    for (Index q = 0; q < convolution_.length(); ++q)
      for (Index group = 0; group < tile.groups; ++group)
        spare.store(q, group, tile.load(power(q), group));
    const Tile<Real> result{tile.at(1, 0), tile.groups, tile.pitch};
    convolution_.run(spare, result, [&](Split<Real> sum, Index group) HWY_ATTR {
      const Split<Real> first = tile.load(0, group);
      tile.store(0, group, first + sum);
      result.store(0, group, result.load(0, group) + first);
    });
  }

 private:
  static std::vector<Index> powers_of(Index base, Index prime) {
    std::vector<Index> powers{1};
    for (Index power = base; power != 1; power = power * base % prime) powers.push_back(power);
    return powers;
  }
  static Index primitive_root(Index prime) {
    Index root = 2;
    while (static_cast<Index>(powers_of(root, prime).size()) != prime - 1) ++root;
    return root;
  }
  /// w^(g^-r) for r = 0, ..., n - 2.
  static std::vector<Number> roots(const std::vector<Index>& powers) {
    const std::size_t count = powers.size();
    std::vector<Number> roots;
    for (std::size_t r = 0; r < count; ++r)
      roots.push_back(
          number_of(root_of_unity(powers[(count - r) % count], static_cast<Index>(count) + 1)));
    return roots;
  }
  Index power(Index q) const { return powers_[static_cast<std::size_t>(q)]; }

  std::vector<Index> powers_;  // g^q
  CyclicConvolution<Real> convolution_;
  std::vector<Index> slots_;
};

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
