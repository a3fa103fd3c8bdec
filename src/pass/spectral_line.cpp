// Simple loops, not SIMD kernels, since the lines are in the cache at that point.
#include "pass/spectral_line.hpp"

#include <complex>
#include <cstring>

namespace weft {
namespace {

template <class Real>
void fold_line(std::complex<Real>* line, Nyquist nyquist, const NyquistPair& mode) {
  std::complex<Real>& kept = line[mode.kept];
  if (nyquist == Nyquist::split)
    kept += line[mode.implied];
  else if (nyquist == Nyquist::doubled)
    kept = 2 * kept.real();
  else
    kept = {kept.real(), line[mode.implied].real()};
}

template <class Real>
void spread_line(std::complex<Real>* line, Nyquist nyquist, const NyquistPair& mode) {
  std::complex<Real>& kept = line[mode.kept];
  if (nyquist == Nyquist::packed) {
    line[mode.implied] = kept.imag();
    kept = kept.real();
    return;
  }
  kept *= Real(0.5);
  line[mode.implied] = kept;
}

/// Calls function(line) for every line, as complex numbers of the element's precision.
template <class Function>
void for_each_complex(const TileLines& lines, Function&& function) {
  lines.for_each([&](const Point&, std::byte* line) {
    if (lines.element.precision == Precision::double_)
      function(reinterpret_cast<std::complex<double>*>(line));
    else
      function(reinterpret_cast<std::complex<float>*>(line));
  });
}

void zero(std::byte* line, Index element_bytes, Index begin, Index end) {
  if (end > begin)
    std::memset(line + begin * element_bytes, 0,
                static_cast<std::size_t>((end - begin) * element_bytes));
}

}  // namespace

void fold_modes(const TileLines& lines, const ModeMap& modes) {
  if (modes.nyquist == Nyquist::plain) return;
  const NyquistPair pair = nyquist_pair(modes);
  for_each_complex(lines, [&](auto* line) { fold_line(line, modes.nyquist, pair); });
}

void spread_modes(const TileLines& lines, const ModeMap& modes) {
  if (modes.is_dealt()) return;  // nothing is dropped
  lines.for_each([&](const Point&, std::byte* line) {
    Index end = 0;
    for (const ModeRun& run : modes.runs) {
      zero(line, lines.element.bytes(), end, run.mode);
      end = run.mode + run.count;
    }
    zero(line, lines.element.bytes(), end, modes.line);
  });
  if (modes.nyquist == Nyquist::plain) return;
  const NyquistPair pair = nyquist_pair(modes);
  for_each_complex(lines, [&](auto* line) { spread_line(line, modes.nyquist, pair); });
}

void apply_function(const TileLines& lines, const ModeMap& modes,
                    const WavenumberTable& wavenumbers, const RawLineFunction& function) {
  auto at = PerAxis<double>::filled(wavenumbers.size(), 0);
  RawSpectrumLine raw;
  raw.at = &at;
  for (int axis = 0; axis < wavenumbers.size(); ++axis)
    if (lines.axis == wavenumbers[axis].first || lines.axis == wavenumbers[axis].second)
      raw.axis = axis;
  lines.for_each([&](const Point& point, std::byte* line) {
    for (int axis = 0; axis < at.size(); ++axis)
      at[axis] = axis == raw.axis ? 0 : *wavenumbers[axis].at(point);
    const double* const along = wavenumbers[raw.axis].at(point);
    for (const ModeRun& run : modes.runs) {
      raw.values = line + run.mode * lines.element.bytes();
      raw.count = run.count;
      raw.wavenumbers = along + run.kept;
      function(raw);
    }
  });
}

void scale_lines(const TileLines& lines, Index length, double factor) {
  const Index reals = length * lines.element.components();
  lines.for_each([&](const Point&, std::byte* line) {
    const auto scale = [&](auto* values) {
      for (Index i = 0; i < reals; ++i)
        values[i] *= static_cast<std::remove_pointer_t<decltype(values)>>(factor);
    };
    if (lines.element.precision == Precision::double_)
      scale(reinterpret_cast<double*>(line));
    else
      scale(reinterpret_cast<float*>(line));
  });
}

void cut_ellipse(const TileLines& lines, const ModeMap& modes, const Ellipse& ellipse) {
  const auto& squares = *ellipse.squares;
  const std::vector<double>& along = squares[lines.axis];
  const Index bytes = lines.element.bytes();
  lines.for_each([&](const Point& point, std::byte* line) {
    double left = 1;
    for (int axis = 0; axis < point.size(); ++axis)
      if (axis != lines.axis && !squares[axis].empty()) left -= squares[axis][point[axis]];
    for (const ModeRun& run : modes.runs)
      for (Index begin = 0, end = 0; begin < run.count; begin = end + 1) {
        while (begin < run.count && along[run.kept + begin] <= left) ++begin;
        for (end = begin; end < run.count && along[run.kept + end] > left;) ++end;
        zero(line, bytes, run.mode + begin, run.mode + end);
      }
  });
}

}  // namespace weft
