// What a function that runs between forward and backward sees of the spectrum: one line at a time,
// in the cache.
#pragma once

#include <complex>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>
#include <weft/export.hpp>
#include <weft/transform.hpp>

namespace weft {

/// Consecutive modes along one axis, with the values that forward would have written. A function
/// changes them in place, and the result is transformed back. Wavenumbers are whole numbers, stored
/// as double because they are multiplied with floating-point numbers.
template <class T>
struct SpectrumLine {
  std::span<T> values;                  ///< contiguous in memory
  int axis = 0;                         ///< the axis along which they lie
  std::span<const double> wavenumbers;  ///< of the values
  const PerAxis<double>& at;  ///< wavenumbers of the other axes (of a batch axis, the index)

  /// The wavenumber of value i along any axis.
  double wavenumber(std::size_t i, int along) const {
    return along == axis ? wavenumbers[i] : at[along];
  }
};

/// Called for every line, by several threads at once where the plan has several.
template <class T>
using LineFunction = std::function<void(const SpectrumLine<T>&)>;

/// A line whose element type is data.
struct RawSpectrumLine {
  void* values = nullptr;               ///< elements of the spectrum's type
  Index count = 0;                      ///< how many
  int axis = 0;                         ///< along which they lie
  const double* wavenumbers = nullptr;  ///< of the values, `count` of them
  const PerAxis<double>* at = nullptr;  ///< those of the other axes
};
/// A LineFunction whose element type is data.
using RawLineFunction = std::function<void(const RawSpectrumLine&)>;

/// The same function for raw lines, whose elements must be of type T (not checked).
template <class T>
RawLineFunction untyped(LineFunction<T> function) {
  if (!function) return nullptr;
  return [function = std::move(function)](const RawSpectrumLine& raw) {
    const auto count = static_cast<std::size_t>(raw.count);
    function(SpectrumLine<T>{
        {static_cast<T*>(raw.values), count}, raw.axis, {raw.wavenumbers, count}, *raw.at});
  };
}

/// The same modes of several fields. A function reads values[f] of the inputs f and leaves there
/// what output f becomes; there are as many values as inputs or outputs, whichever are more, and
/// those without an input hold zeros.
template <class T>
struct SpectrumLines {
  std::span<T* const> values;           ///< by field: as many numbers as wavenumbers
  int axis = 0;                         ///< the axis along which they lie
  std::span<const double> wavenumbers;  ///< of the values
  const PerAxis<double>& at;            ///< wavenumbers of the other axes

  /// The wavenumber of value i along any axis.
  double wavenumber(std::size_t i, int along) const {
    return along == axis ? wavenumbers[i] : at[along];
  }
};

/// Called for every line, by several threads at once where the plan has several.
template <class T>
using FieldsFunction = std::function<void(const SpectrumLines<T>&)>;

/// Lines whose element type is data.
struct RawSpectrumLines {
  std::span<void* const> values;        ///< by field: elements of the spectrum's type
  Index count = 0;                      ///< how many of each
  int axis = 0;                         ///< along which they lie
  const double* wavenumbers = nullptr;  ///< of the values, `count` of them
  const PerAxis<double>* at = nullptr;  ///< those of the other axes
};
/// A FieldsFunction whose element type is data.
using RawFieldsFunction = std::function<void(const RawSpectrumLines&)>;

/// The same function for raw lines, whose elements must be of type T (not checked).
template <class T>
RawFieldsFunction untyped(FieldsFunction<T> function) {
  if (!function) return nullptr;
  return [function = std::move(function)](const RawSpectrumLines& raw) {
    std::vector<T*> values;
    for (void* field : raw.values) values.push_back(static_cast<T*>(field));
    function(SpectrumLines<T>{
        values, raw.axis, {raw.wavenumbers, static_cast<std::size_t>(raw.count)}, *raw.at});
  };
}

/// The usual spectral operators, for a transform of a box with the given edge lengths (one per
/// axis; batch axes are ignored). kappa = 2 pi k / length is the angular wavenumber. T is the
/// spectrum's element type: std::complex<double> or std::complex<float>.
class WEFT_API SpectralOperators {
 public:
  /// `lengths`: the edges of the box, in any unit; derivatives are then per that unit.
  /// Throws an Error unless all transformed axes are c2c, r2c, c2r or r2c_packed, and their lengths
  /// positive.
  SpectralOperators(const Transform& transform, std::vector<double> lengths);

  /// Solves laplace(u) = f for the u with mean 0: multiplies by -1 / |kappa|^2, and the mean by 0.
  template <class T>
  LineFunction<T> inverse_laplacian() const;
  /// Multiplies by exp(-|kappa|^2 width^2 / 2), the transform of a Gaussian with standard deviation
  /// `width`.
  template <class T>
  LineFunction<T> gaussian(double width) const;
  /// Keeps modes with |kappa| <= cutoff and sets the others to 0: a sharp spectral filter.
  template <class T>
  LineFunction<T> sharp(double cutoff) const;
  /// Multiplies by i kappa_axis. The Nyquist mode of an even number of points gives 0, as the
  /// derivative of the trigonometric interpolant does on the grid (Johnson, "Notes on FFT-based
  /// differentiation", MIT 2011). An Error unless the axis is transformed.
  template <class T>
  LineFunction<T> derivative(int axis) const;
  /// The derivatives along all transformed axes, in their order.
  template <class T>
  std::vector<LineFunction<T>> gradient() const;

 private:
  void require_axis(int axis) const;

  PerAxis<double> unit_;    // 2 pi / length; 0 for a batch axis
  PerAxis<double> points_;  // of the grid that has just these modes
};

}  // namespace weft
