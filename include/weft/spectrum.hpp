// The lines of a spectrum, as functions between forward and backward see them: one at a time, in
// the cache.
#pragma once

#include <complex>
#include <functional>
#include <span>
#include <string>
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
  int axis = 0;                         ///< the axis along which they lie
  const double* wavenumbers = nullptr;  ///< of the values, `count` of them
  const PerAxis<double>* at = nullptr;  ///< wavenumbers of the other axes
};
/// A LineFunction whose element type is data.
using RawLineFunction = std::function<void(const RawSpectrumLine&)>;

/// The result of `untyped` for a LineFunction.
template <class T>
struct UntypedLineFunction {
  LineFunction<T> function;  ///< the function that is called

  /// Calls the function with the line's values as elements of type T.
  void operator()(const RawSpectrumLine& raw) const {
    const auto count = static_cast<std::size_t>(raw.count);
    function(SpectrumLine<T>{
        {static_cast<T*>(raw.values), count}, raw.axis, {raw.wavenumbers, count}, *raw.at});
  }
};

/// The same function for raw lines, whose elements must be of type T (not checked).
template <class T>
RawLineFunction untyped(LineFunction<T> function) {
  if (!function) return nullptr;
  return UntypedLineFunction<T>{std::move(function)};
}

/// The same modes of several fields. A function reads input f from values[f], and writes output f
/// there. There are as many values as inputs or outputs, whichever are more. Values without an
/// input hold zeros.
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
  int axis = 0;                         ///< the axis along which they lie
  const double* wavenumbers = nullptr;  ///< of the values, `count` of them
  const PerAxis<double>* at = nullptr;  ///< wavenumbers of the other axes
};
/// A FieldsFunction whose element type is data.
using RawFieldsFunction = std::function<void(const RawSpectrumLines&)>;

/// The result of `untyped` for a FieldsFunction.
template <class T>
struct UntypedFieldsFunction {
  FieldsFunction<T> function;  ///< the function that is called

  /// Calls the function with the lines' values as elements of type T.
  void operator()(const RawSpectrumLines& raw) const {
    std::vector<T*> values;
    for (void* field : raw.values) values.push_back(static_cast<T*>(field));
    function(SpectrumLines<T>{
        values, raw.axis, {raw.wavenumbers, static_cast<std::size_t>(raw.count)}, *raw.at});
  }
};

/// The same function for raw lines, whose elements must be of type T (not checked).
template <class T>
RawFieldsFunction untyped(FieldsFunction<T> function) {
  if (!function) return nullptr;
  return UntypedFieldsFunction<T>{std::move(function)};
}

/// An operator as data: a function for each output, or one for all fields. Plan::apply takes
/// either.
struct RawOperator {
  int inputs = 1;                     ///< how many fields it reads
  int outputs = 1;                    ///< how many it makes
  std::vector<RawLineFunction> each;  ///< of the outputs; empty where there is one for all
  RawFieldsFunction together;         ///< null where each output has its own
};

/// The usual spectral operators, for a transform of a box with the given edge lengths (one per
/// axis; batch axes are ignored). kappa is the angular wavenumber: 2 pi k / length for waves, and
/// pi (k + offset) / length for cosines and sines between walls. There `length` is the distance of
/// the walls; the offset is 1 for DST-I and II, and 1/2 for types III and IV. A DCT of type I or II
/// has Neumann walls (no gradient), a DST of type I or II Dirichlet walls (zero). With types III
/// and IV only the first wall is like this; the second wall is of the other kind.
///
/// T is the spectrum's element type: std::complex<double> or std::complex<float>; double or float
/// where all transformed axes are DCT or DST. Every operator is a function for Plan::apply; a
/// device can run no other functions.
class WEFT_API SpectralOperators {
 public:
  /// `lengths`: the edges of the box, in any unit; derivatives are then per that unit. Throws an
  /// Error unless they are positive.
  SpectralOperators(const Transform& transform, const std::vector<double>& lengths);

  // The next four throw an Error where an axis is r2c_packed: its modes 0 and n/2 share an element,
  // and have different |kappa|. Derivatives give both of them 0.

  /// Solves laplace(u) = f for the u with mean 0: multiplies by -1 / |kappa|^2, and the mean by 0.
  template <class T>
  LineFunction<T> inverse_laplacian() const;
  /// Multiplies by -|kappa|^2.
  template <class T>
  LineFunction<T> laplacian() const;
  /// Multiplies by exp(-|kappa|^2 width^2 / 2), the transform of a Gaussian with standard deviation
  /// `width`.
  template <class T>
  LineFunction<T> gaussian(double width) const;
  /// Keeps modes with |kappa| <= cutoff and sets the others to 0: a sharp spectral filter.
  template <class T>
  LineFunction<T> sharp(double cutoff) const;
  /// Multiplies by i kappa_axis. The Nyquist mode of an even number of points gives 0: so does the
  /// derivative of the trigonometric interpolant on the grid (Johnson, "Notes on FFT-based
  /// differentiation", MIT 2011). An Error unless the axis is transformed, and periodic: between
  /// walls the derivative of cosines consists of sines, which another plan transforms.
  template <class T>
  LineFunction<T> derivative(int axis) const;
  /// The derivatives along all transformed axes, in their order.
  template <class T>
  std::vector<LineFunction<T>> gradient() const;

  // Operators on vector fields, with one component for each transformed axis, in their order. All
  // of these axes must be periodic, else an Error. Derivatives are as in `derivative`.

  /// From d components to one: the sum of the derivatives of each along its axis.
  template <class T>
  FieldsFunction<T> divergence() const;
  /// From three components to three, or from two to one (d v / dx - d u / dy). An Error for other
  /// numbers.
  template <class T>
  FieldsFunction<T> curl() const;
  /// From d components to d: removes the gradient part, after which the divergence is zero:
  /// u - kappa (kappa . u) / |kappa|^2. The mean stays.
  template <class T>
  FieldsFunction<T> projection() const;

  /// The operator with this name and, where it takes one, this number: "gradient", "gaussian 0.5",
  /// "derivative 2". `type`: of the spectrum's elements. An Error lists the names that are valid
  /// for it.
  RawOperator by_name(const std::string& text, ElementType type) const;

 private:
  void require_periodic(int axis, const char* name) const;
  std::vector<int> vector_axes(const char* name) const;

  std::vector<Kind> kinds_;
  PerAxis<double> unit_;    // see wave_unit
  PerAxis<double> offset_;  // see wave_offset
  PerAxis<double> points_;  // of the grid that has just these modes; 0 between walls
};

}  // namespace weft
