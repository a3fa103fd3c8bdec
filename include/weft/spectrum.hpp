// The spectrum as a function sees it that runs between forward and backward: one line in the cache.
#pragma once

#include <cmath>
#include <complex>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>
#include <weft/transform.hpp>

namespace weft {

/// Consecutive modes along one axis, with the values that forward would have written. A function
/// changes them in place; what it leaves is transformed back.
template <class T>
struct SpectrumLine {
  std::span<T> values;
  int axis = 0;                        ///< along which they lie
  std::span<const Index> wavenumbers;  ///< of the values
  const PerAxis<Index>& at;            ///< those of the other axes (a batch axis: its index)

  /// The wavenumber of value i along any axis.
  Index wavenumber(std::size_t i, int along) const {
    return along == axis ? wavenumbers[i] : at[along];
  }
};

/// Called for every line, by several threads at once where the plan has several.
template <class T>
using LineFunction = std::function<void(const SpectrumLine<T>&)>;

/// A line whose element type is data.
struct RawSpectrumLine {
  void* values = nullptr;
  Index count = 0;
  int axis = 0;
  const Index* wavenumbers = nullptr;
  const PerAxis<Index>* at = nullptr;
};
using RawLineFunction = std::function<void(const RawSpectrumLine&)>;

template <class T>
RawLineFunction untyped(LineFunction<T> function) {
  return [function = std::move(function)](const RawSpectrumLine& raw) {
    const auto count = static_cast<std::size_t>(raw.count);
    function(SpectrumLine<T>{
        {static_cast<T*>(raw.values), count}, raw.axis, {raw.wavenumbers, count}, *raw.at});
  };
}

/// The usual functions of wavenumbers, for a transform of a box of those edge lengths (one per
/// axis; batch axes are ignored). kappa = 2 pi k / length is the angular wavenumber. T is the
/// spectrum's element type: std::complex<double> or std::complex<float>.
class SpectralOperators {
 public:
  SpectralOperators(const Transform& transform, std::vector<double> lengths);

  /// The solution u of laplace(u) = f of mean 0: times -1 / |kappa|^2, and 0 for the mean.
  template <class T>
  LineFunction<T> inverse_laplacian() const {
    return scaling<T>([](double square) { return square > 0 ? -1 / square : 0.0; });
  }
  /// exp(-|kappa|^2 width^2 / 2): the transform of a Gaussian of that standard deviation.
  template <class T>
  LineFunction<T> gaussian(double width) const {
    return scaling<T>([=](double square) { return std::exp(-0.5 * square * width * width); });
  }
  /// 1 up to |kappa| = cutoff, 0 beyond.
  template <class T>
  LineFunction<T> sharp(double cutoff) const {
    return scaling<T>([=](double square) { return square <= cutoff * cutoff ? 1.0 : 0.0; });
  }
  /// Times i kappa_axis. The Nyquist mode of an even number of points gives 0, as the derivative of
  /// the trigonometric interpolant does on the grid (Johnson, "Notes on FFT-based differentiation",
  /// MIT 2011).
  template <class T>
  LineFunction<T> derivative(int axis) const {
    require_axis(axis);
    return [self = *this, axis](const SpectrumLine<T>& line) {
      using Real = typename T::value_type;
      for (std::size_t i = 0; i < line.values.size(); ++i) {
        const Index k = line.wavenumber(i, axis);
        const bool nyquist = 2 * k == self.points_[axis] || 2 * k == -self.points_[axis];
        line.values[i] *= T(0, nyquist ? Real(0) : static_cast<Real>(self.unit_[axis] * k));
      }
    };
  }
  /// The derivatives along all transformed axes, in their order.
  template <class T>
  std::vector<LineFunction<T>> gradient() const {
    std::vector<LineFunction<T>> result;
    for (int axis = 0; axis < unit_.size(); ++axis)
      if (unit_[axis] != 0) result.push_back(derivative<T>(axis));
    return result;
  }

  /// Times factor(|kappa|^2).
  template <class T, class Factor>
  LineFunction<T> scaling(Factor factor) const {
    return [unit = unit_, factor](const SpectrumLine<T>& line) {
      const auto square = [&](int axis, Index k) {
        const double kappa = unit[axis] * static_cast<double>(k);
        return kappa * kappa;
      };
      double others = 0;
      for (int axis = 0; axis < unit.size(); ++axis)
        if (axis != line.axis) others += square(axis, line.at[axis]);
      for (std::size_t i = 0; i < line.values.size(); ++i)
        line.values[i] *= static_cast<typename T::value_type>(
            factor(others + square(line.axis, line.wavenumbers[i])));
    };
  }

 private:
  void require_axis(int axis) const;

  PerAxis<double> unit_;   // 2 pi / length; 0 for a batch axis
  PerAxis<Index> points_;  // of the grid that has just these modes
};

}  // namespace weft
