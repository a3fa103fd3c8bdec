// Products of vectors span the space of all arrays, so an operator that maps a random product as
// the transform does is the transform, except with probability zero. (Very long axes contain zeros,
// to keep the direct sums affordable.)
#include "bench/product_field.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <type_traits>
#include <weft/array.hpp>

#include "ranks.hpp"
#include "transform/kinds.hpp"

namespace weft::bench {
namespace {

using Wide = long double;
using Value = std::complex<Wide>;
using Axis = std::vector<Value>;

// --- The input ----------------------------------------------------------------------------------

/// The finalizer of SplitMix64.
std::uint64_t scramble(std::uint64_t bits) {
  bits += 0x9e3779b97f4a7c15U;
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31U);
}

/// Odd multiples of 1/64 between -2 and 2.
Value random_value(int axis, Index place) {
  const std::uint64_t bits = scramble(scramble(static_cast<std::uint64_t>(axis)) + place);
  const auto part = [](std::uint64_t from) {
    return (2 * static_cast<Wide>(from & 127U) - 127) / 64;
  };
  return {part(bits), part(bits >> 32U)};
}

bool to_physical(const Problem& problem) {
  return std::ranges::count(problem.kinds, Kind::c2r) > 0;
}

/// Where modes become a real array, modes with opposite signs are conjugate, and elements along
/// other axes are real.
Axis input_axis(const Problem& problem, int axis) {
  const Kind kind = problem.kinds[axis];
  const bool has_modes = kind != Kind::none && !is_trigonometric(kind);
  const bool conjugate = to_physical(problem) && has_modes;
  const bool real = problem.real_input || (to_physical(problem) && !has_modes);
  const Index length = kind == Kind::c2r ? problem.output_shape[axis] : problem.input_shape[axis];
  const Index sparse = 1 + length * length / (Index{1} << 28);  // one in this many is not zero
  Axis values;
  for (Index place = 0; place < problem.input_shape[axis]; ++place) {
    const Index mirrored = (length - place) % length;
    const Index first = conjugate ? std::min(place, mirrored) : place;
    Value value = random_value(axis, first);
    if (first > 0 && scramble(static_cast<std::uint64_t>(first)) % sparse != 0) value = 0;
    if (real || (conjugate && place == mirrored)) value = value.real();
    values.push_back(first == place ? value : std::conj(value));
  }
  return values;
}

// --- Its transform ------------------------------------------------------------------------------

/// exp(2 pi i turn / period) for every turn.
Axis waves_of(Index period) {
  Axis waves;
  for (Index turn = 0; turn < period; ++turn)
    waves.push_back(std::polar(Wide{1}, 2 * std::numbers::pi_v<Wide> * turn / period));
  return waves;
}

Axis real_transformed(const LineSum& sum, const Axis& input) {
  const auto length = static_cast<Index>(input.size());
  const Axis waves = waves_of(sum.period(length));
  Axis output(input.size());
  for (Index j = 0; j < length; ++j) {
    const bool once = (sum.first_once && j == 0) || (sum.last_once && j == length - 1);
    const Value value = input[j] * Wide(once ? 1 : 2);
    for (Index k = 0; k < length && value != Value{}; ++k) {
      const Value wave = waves[(sum.a * j + sum.b) * (sum.c * k + sum.d) % std::ssize(waves)];
      output[k] += value * (sum.wave == LineSum::Wave::sine ? wave.imag() : wave.real());
    }
  }
  return output;
}

/// In a half spectrum, the modes that are left out count as conjugates of the stored ones.
Axis complex_transformed(const Problem& problem, int axis, const Axis& input) {
  const Index length = std::max(problem.input_shape[axis], problem.output_shape[axis]);
  const bool from_half = problem.kinds[axis] == Kind::c2r;
  const Axis waves = waves_of(length);
  Axis output(problem.output_shape[axis]);
  for (Index j = 0; j < std::ssize(input); ++j) {
    if (input[j] == Value{}) continue;
    const Value value = input[j] * Wide(from_half && j > 0 && 2 * j < length ? 2 : 1);
    for (Index k = 0; k < std::ssize(output); ++k) {
      const Value wave = waves[k * j % length];
      output[k] += value * (to_physical(problem) ? wave : std::conj(wave));
    }
  }
  return output;
}

Axis output_axis(const Problem& problem, int axis) {
  const Kind kind = problem.kinds[axis];
  const Sense sense = to_physical(problem) ? Sense::synthesis : Sense::analysis;
  const Axis input = input_axis(problem, axis);
  Axis output = kind == Kind::none       ? input
                : is_trigonometric(kind) ? real_transformed(line_sum(line_kind(kind, sense)), input)
                                         : complex_transformed(problem, axis, input);
  if (problem.real_output)
    for (Value& value : output) value.imag(0);
  return output;
}

// --- Local arrays -------------------------------------------------------------------------------

/// Calls visit(element, value) for every element, of whichever type, with the product that it has
/// or should have.
template <class Visit>
void for_each_element(const Field& field, const std::vector<Axis>& axes, Visit&& visit) {
  const auto visit_all = [&](auto zero) {
    using Element = decltype(zero);
    const int last = field.box.axes() - 1;
    Value product = 1;  // of all axes but the last
    Array<Element> array({std::shared_ptr<void>(), field.data}, field.box, field.strides, nullptr,
                         field.indices);
    const Index first = array.box().empty() ? 0 : array.index_of(field.box.lower)[last];
    array.for_each([&](const Point& point, Element& element) {
      if (point[last] == first) {
        product = 1;
        for (int axis = 0; axis < last; ++axis) product *= axes[axis][point[axis]];
      }
      visit(element, product * axes[last][point[last]]);
    });
  };
  const bool wide = field.precision == Precision::double_;
  if (field.real)
    wide ? visit_all(0.0) : visit_all(0.0F);
  else
    wide ? visit_all(std::complex<double>()) : visit_all(std::complex<float>());
}

}  // namespace

ProductField ProductField::input(const Problem& problem) {
  ProductField field;
  for (int axis = 0; axis < problem.input_shape.size(); ++axis)
    field.axes_.push_back(input_axis(problem, axis));
  return field;
}

ProductField ProductField::output(const Problem& problem) {
  ProductField field;
  for (int axis = 0; axis < problem.input_shape.size(); ++axis)
    field.axes_.push_back(output_axis(problem, axis));
  return field;
}

void ProductField::fill(const Field& field) const {
  for_each_element(field, axes_, [](auto& element, Value value) {
    using Element = std::remove_reference_t<decltype(element)>;
    if constexpr (std::is_floating_point_v<Element>)
      element = static_cast<Element>(value.real());
    else
      element = Element(value);
  });
}

double ProductField::distance(const Field& field, MPI_Comm communicator, double factor) const {
  Wide difference = 0, norm = 0;
  for_each_element(field, axes_, [&](const auto& element, Value value) {
    value *= factor;
    difference += std::norm(Value(element) - value);
    norm += std::norm(value);
  });
  return std::sqrt(command::sum(difference, communicator) / command::sum(norm, communicator));
}

double error_bound(const Problem& problem) {
  const double epsilon = problem.precision == Precision::double_
                             ? std::numeric_limits<double>::epsilon()
                             : std::numeric_limits<float>::epsilon();
  const auto elements = static_cast<double>(
      std::max(whole_box(problem.input_shape).volume(), whole_box(problem.output_shape).volume()));
  return 5 * epsilon * std::sqrt(std::max(1.0, std::log2(elements)));
}

}  // namespace weft::bench
