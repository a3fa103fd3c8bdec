// Direct sums over a table of cosines; kinds differ in the angles, and in how often elements count.
#include "truth/line_by_definition.hpp"

#include <cmath>
#include <numbers>

#include "truth/walls.hpp"

namespace weft::test {
namespace {

using Exact = std::complex<long double>;
using Line = std::vector<std::complex<double>>;

/// Cosines of quarters of waves that repeat after `period` points.
class Waves {
 public:
  explicit Waves(Index period) {
    for (Index turn = 0; turn < 4 * period; ++turn)
      cosines_.push_back(
          std::cos(std::numbers::pi_v<long double> / 2 * static_cast<long double>(turn) /
                   static_cast<long double>(period)));
  }

  /// Sum of x_j cos(first + j step), of both parts. Angles are in 1 / (4 period) of a turn.
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
    const Exact cosines = waves.cosines(line, 0, 4 * k), sines = waves.sines(line, 0, 4 * k);
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

std::vector<Exact> trigonometric(LineKind kind, Line line) {
  const auto n = static_cast<Index>(line.size());
  const Walls walls = walls_of(kind, n);
  for (Index j = 0; j < n; ++j)
    line[static_cast<std::size_t>(j)] *= static_cast<double>(walls.count_of_point(j));
  const Waves waves(walls.period);
  std::vector<Exact> result;
  for (Index k = 0; k < n; ++k) {
    const Index turns = 2 * k + walls.wave;
    const Index first = walls.point * turns, step = 2 * turns;
    result.push_back(walls.is_sine ? waves.sines(line, first, step)
                                   : waves.cosines(line, first, step));
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
