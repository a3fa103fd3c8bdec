// Direct sums over a table of cosines; all kinds differ in the angles, and in the weights of a
// line's ends.
#include "truth/line_by_definition.hpp"

#include <cmath>
#include <numbers>

namespace weft::test {
namespace {

using Exact = std::complex<long double>;
using Line = std::vector<std::complex<double>>;

/// Cosines of whole turns over 8 n.
class Waves {
 public:
  explicit Waves(Index n) {
    for (Index turn = 0; turn < 8 * n; ++turn)
      cosines_.push_back(std::cos(std::numbers::pi_v<long double> / 4 *
                                  static_cast<long double>(turn) / static_cast<long double>(n)));
  }

  /// Sum of x_j cos(first + j step), of both parts. Angles are in 1 / (8 n) of a turn.
  Exact cosines(const Line& line, Index first, Index step) const {
    const auto period = static_cast<Index>(cosines_.size());
    long double real = 0, imaginary = 0;
    Index turn = first % period;
    step %= period;
    for (const std::complex<double>& x : line) {
      const long double cosine = cosines_[static_cast<std::size_t>(turn)];
      real += x.real() * cosine;
      imaginary += x.imag() * cosine;
      turn += step;
      if (turn >= period) turn -= period;
    }
    return {real, imaginary};
  }
  /// Sum of x_j sin(first + j step).
  Exact sines(const Line& line, Index first, Index step) const {
    const auto period = static_cast<Index>(cosines_.size());
    return cosines(line, first + 3 * period / 4, step);
  }

 private:
  std::vector<long double> cosines_;
};

/// The first `outputs` of the DFT.
std::vector<Exact> fourier(const Line& line, bool backward, Index length, Index outputs) {
  const Waves waves(length);
  std::vector<Exact> result;
  for (Index k = 0; k < outputs; ++k) {
    const Exact cosines = waves.cosines(line, 0, 8 * k), sines = waves.sines(line, 0, 8 * k);
    const Exact turned(-sines.imag(), sines.real());
    result.push_back(backward ? cosines + turned : cosines - turned);
  }
  return result;
}

/// The real part of the backward DFT of half a spectrum, the modes of which stand for two, except
/// for the first and the highest one of an even length.
std::vector<Exact> from_half(Line line, Index length) {
  for (std::size_t k = 1; k < line.size(); ++k) line[k] *= 2;
  line[0] = line[0].real();
  if (length % 2 == 0) line.back() = line.back().real() / 2;
  std::vector<Exact> result = fourier(line, true, length, length);
  for (Exact& x : result) x = x.real();
  return result;
}

/// The definitions of FFTW's manual, "1d Real-even DFTs (DCTs)" and "1d Real-odd DFTs (DSTs)":
/// waves of pi (j + first_in) (k + first_out) / period.
std::vector<Exact> trigonometric(LineKind kind, Line line) {
  const auto n = static_cast<Index>(line.size());
  const auto number = static_cast<int>(kind) - static_cast<int>(LineKind::dct1);
  const bool is_sine = number >= 4;
  const int type = number % 4 + 1;
  const Index edge = is_sine ? 1 : 0;
  const Index twice_first_in = type == 2 || type == 4 ? 1 : 2 * edge;
  const Index twice_first_out = type == 3 || type == 4 ? 1 : 2 * edge;
  for (Index j = 0; j < n; ++j) {
    const bool is_end = type == 3   ? j == (is_sine ? n - 1 : 0)
                        : type == 1 ? !is_sine && (j == 0 || j == n - 1)
                                    : false;
    if (!is_end) line[static_cast<std::size_t>(j)] *= 2;
  }
  const Waves waves(type == 1 ? n + 2 * edge - 1 : n);
  std::vector<Exact> result;
  for (Index k = 0; k < n; ++k) {
    const Index turns = 2 * k + twice_first_out;
    const Index first = twice_first_in * turns, step = 2 * turns;
    result.push_back(is_sine ? waves.sines(line, first, step) : waves.cosines(line, first, step));
  }
  return result;
}

}  // namespace

std::vector<Exact> line_by_definition(LineKind kind, const Line& line, Index length) {
  if (is_trigonometric(kind)) return trigonometric(kind, line);
  if (kind == LineKind::c2r) return from_half(line, length);
  const Index outputs = kind == LineKind::r2c ? length / 2 + 1 : length;
  return fourier(line, kind == LineKind::c2c_backward, length, outputs);
}

}  // namespace weft::test
