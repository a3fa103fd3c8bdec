// Functions for solvers: wavenumbers of a plan's modes, how often a mode counts, and sums over all
// ranks.
#pragma once

#include <cmath>
#include <complex>
#include <vector>
#include <weft/plan.hpp>

namespace weft {

/// The wavenumbers of the modes that this rank holds, as a list along each axis. A mode's
/// wavenumbers are the entries at its indices, so the lists combine like NumPy's broadcast arrays.
/// They are copies and do not need the plan.
class WEFT_API Wavenumbers {
 public:
  /// In periods per box: 0, 1, ..., -1. Between walls in half periods of the kind's cosines or
  /// sines, from 1 for DST-I and II and from 1/2 for types III and IV. A batch axis counts from 0.
  explicit Wavenumbers(const Plan& plan);
  /// Angular wavenumbers, for a box with these edges (one per axis; edges of batch axes are
  /// ignored): 2 pi k / length, and pi k / length between walls. An Error unless the edges are
  /// positive.
  Wavenumbers(const Plan& plan, const std::vector<double>& lengths);

  /// The modes that this rank holds.
  const Box& box() const { return box_; }
  /// Entry i is the wavenumber of index box().lower[axis] + i of the spectrum.
  const std::vector<double>& along(int axis) const { return along_[axis]; }
  /// Entry i is the weight of index box().lower[axis] + i. The product of a mode's weights over all
  /// axes says how often it counts in sums over the spectrum. The weight is 2 for modes of real
  /// data whose conjugates are implied. It is 1/2 where a DCT or DST is orthogonal only with this
  /// weight.
  const std::vector<double>& weights(int axis) const { return weights_[axis]; }

  /// Calls visit(k, weight, i) for every mode in this rank's box. k[axis] are the mode's
  /// wavenumbers (a PerAxis<double>), and i is its place in the span() of any spectrum of the plan.
  template <class Visit>
  void for_each(Visit&& visit) const {
    walk(strides_, visit);
  }
  /// Calls visit(k, weight, element) for every mode of `spectrum`, which lies on the host, in this
  /// rank's box.
  template <class T, class Visit>
  void for_each(Array<T>& spectrum, Visit&& visit) const {
    T* const data = spectrum.data();
    walk(spectrum.strides(), [&](const PerAxis<double>& k, double weight, std::size_t i) {
      visit(k, weight, data[i]);
    });
  }
  /// The same, read only.
  template <class T, class Visit>
  void for_each(const Array<T>& spectrum, Visit&& visit) const {
    const T* const data = spectrum.data();
    walk(spectrum.strides(), [&](const PerAxis<double>& k, double weight, std::size_t i) {
      visit(k, weight, data[i]);
    });
  }

 private:
  template <class Visit>
  void walk(const PerAxis<Index>& strides, Visit&& visit) const;

  Box box_;
  PerAxis<Index> strides_;
  PerAxis<std::vector<double>> along_;
  PerAxis<std::vector<double>> weights_;
};

/// The wavenumbers of all indices of a spectrum along an axis, in the units of Wavenumbers(plan).
WEFT_API std::vector<double> wavenumbers_along(const Transform& transform, int axis);

/// Weights of the elements of an array at one end of a plan, by axis, and a factor. The weighted
/// sum of |x|^2, times the factor, is the mean of |x|^2 over the physical grid.
struct WEFT_API MeanSquareWeights {
  /// The weights of this rank's elements at that end.
  MeanSquareWeights(const Plan& plan, Side side);
  /// The weights of all elements at that end, of every rank.
  MeanSquareWeights(const Transform& transform, Side side);
  PerAxis<std::vector<double>> weights;  ///< by index
  double factor = 1;                     ///< see above
};

/// Throws an Error on all ranks if any rank's array lies in the memory of a device, where it cannot
/// be summed. Collective.
WEFT_API void require_on_host(const Plan& plan, const void* array, const char* name = "array");

/// The sum of the elements of `array`, which lies on the host, over all ranks. Collective.
template <class T>
T global_sum(const Plan& plan, const Array<T>& array);

/// The mean of |x|^2 over the physical grid, from an array of the host at either end. By Parseval's
/// theorem a field and its spectrum give the same number, up to rounding and dropped modes. Ends of
/// lines count half where the kind is orthogonal only with that weight (DCT-I, unless with
/// Scale::ortho). Collective.
template <class T>
double mean_square(const Plan& plan, Side side, const Array<T>& array);

/// The energy |u|^2 / 2 of a field of the host, by wavenumber. Entry s is the part of half the mean
/// square in modes with s - 1/2 <= |k| < s + 1/2. The unit is the smallest 2 pi / length (between
/// walls pi / length). Without `lengths`, all edges are alike. The last entry belongs to the
/// largest |k| of any rank. Collective. An Error for r2c_packed, where modes of different |k| share
/// an element.
template <class T>
std::vector<double> energy_by_shell(const Plan& plan, const Array<T>& spectrum,
                                    const std::vector<double>& lengths = {});

/// The end of a plan at which its spectrum is: the output, unless its kind is c2r.
WEFT_API Side spectral_side(const Plan& plan);
/// The shells of energy_by_shell.
struct Shells {
  double width = 1;       ///< the unit of wavenumbers, by which they are divided
  std::size_t count = 0;  ///< the number of shells
};
/// See energy_by_shell.
WEFT_API Shells shells_of(const Plan& plan, const std::vector<double>& lengths);

// ---- Definitions --------------------------------------------------------------------------------

/// Calls visit(index along each axis, product of the weights, place in memory) for the elements of
/// a box with these extents.
template <class Visit>
void for_each_weighted(const Shape& extents, const PerAxis<Index>& strides,
                       const PerAxis<std::vector<double>>& weights, Visit&& visit) {
  const int last = extents.size() - 1;
  for_each_line(extents, strides, [&](Point at, Index offset) {
    double others = 1;
    for (int axis = 0; axis < last; ++axis)
      others *= weights[axis][static_cast<std::size_t>(at[axis])];
    for (; at[last] < extents[last]; ++at[last])
      visit(static_cast<const Point&>(at),
            others * weights[last][static_cast<std::size_t>(at[last])],
            static_cast<std::size_t>(offset + at[last] * strides[last]));
  });
}

template <class Visit>
void Wavenumbers::walk(const PerAxis<Index>& strides, Visit&& visit) const {
  PerAxis<double> k = PerAxis<double>::filled(box_.axes(), 0);
  const auto at_mode = [&](const Point& at, double weight, std::size_t place) {
    for (int axis = 0; axis < at.size(); ++axis)
      k[axis] = along_[axis][static_cast<std::size_t>(at[axis])];
    visit(static_cast<const PerAxis<double>&>(k), weight, place);
  };
  for_each_weighted(box_.extents(), strides, weights_, at_mode);
}

template <class T>
T global_sum(const Plan& plan, const Array<T>& array) {
  require_on_host(plan, array.data());
  std::complex<double> sum = 0;
  const Shape extents = array.box().extents();
  const int last = extents.size() - 1;
  for_each_line(extents, array.strides(), [&](const Point&, Index offset) {
    for (Index i = 0; i < extents[last]; ++i)
      sum += array.data()[offset + i * array.strides()[last]];
  });
  double parts[2] = {sum.real(), sum.imag()};
  plan.sum_over_ranks(parts);
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(parts[0]);
  else
    return T(static_cast<typename T::value_type>(parts[0]),
             static_cast<typename T::value_type>(parts[1]));
}

template <class T>
double mean_square(const Plan& plan, Side side, const Array<T>& array) {
  require_on_host(plan, array.data());
  const MeanSquareWeights all(plan, side);
  double sum = 0;
  for_each_weighted(array.box().extents(), array.strides(), all.weights,
                    [&](const Point&, double weight, std::size_t i) {
                      sum += weight * std::norm(std::complex<double>(array.data()[i]));
                    });
  plan.sum_over_ranks({&sum, 1});
  return sum * all.factor;
}

template <class T>
std::vector<double> energy_by_shell(const Plan& plan, const Array<T>& spectrum,
                                    const std::vector<double>& lengths) {
  require_on_host(plan, spectrum.data(), "spectrum");
  const Wavenumbers wavenumbers = lengths.empty() ? Wavenumbers(plan) : Wavenumbers(plan, lengths);
  const auto [width, count] = shells_of(plan, lengths);
  const std::vector<Kind>& kinds = plan.transform().kinds;
  std::vector<double> energy(count, 0);
  wavenumbers.for_each(
      spectrum, [&, width = width](const PerAxis<double>& k, double weight, const T& element) {
        double square = 0;
        for (int axis = 0; axis < k.size(); ++axis)
          if (kinds[static_cast<std::size_t>(axis)] != Kind::none) square += k[axis] * k[axis];
        const auto shell = static_cast<std::size_t>(std::sqrt(square) / width + 0.5);
        energy[shell] += weight * std::norm(std::complex<double>(element));
      });
  plan.sum_over_ranks(energy);
  const double factor = MeanSquareWeights(plan, spectral_side(plan)).factor / 2;
  for (double& shell : energy) shell *= factor;
  return energy;
}

}  // namespace weft
