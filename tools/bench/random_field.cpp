// A hash of the global index makes the numbers: no state, no messages, the same on any number of
// ranks.
#include "bench/random_field.hpp"

#include <cmath>
#include <complex>

#include "bench/elements.hpp"

namespace weft::bench {
namespace {

// The finalizer of SplitMix64.
std::uint64_t scramble(std::uint64_t bits) {
  bits += 0x9e3779b97f4a7c15U;
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31U);
}

// 24 of the bits to [-1, 1): exact in float, so that both precisions transform the same array.
double unit(std::uint64_t bits) { return static_cast<double>(bits & 0xffffffU) * 0x1p-23 - 1.0; }

std::complex<double> random_value(Index place) {
  const std::uint64_t bits = scramble(static_cast<std::uint64_t>(place));
  return {unit(bits >> 8U), unit(bits >> 40U)};
}

Index place_of(const Shape& shape, const Point& point) {
  Index place = 0;
  for (int axis = 0; axis < shape.size(); ++axis) place = place * shape[axis] + point[axis];
  return place;
}

}  // namespace

InputValues::InputValues(const Problem& problem) : problem_(problem) {
  for (int axis = 0; axis < problem.input_shape.size(); ++axis)
    if (problem.kinds[axis] == Kind::c2r) halved_axis_ = axis;
}

std::complex<double> InputValues::at(const Point& point) const {
  const Index place = place_of(problem_.input_shape, point);
  if (problem_.real_input) return random_value(place).real();
  if (halved_axis_ < 0) return random_value(place);
  const Index mode = point[halved_axis_];
  if (mode != 0 && 2 * mode != problem_.output_shape[halved_axis_]) return random_value(place);
  const Index mirrored = place_of(problem_.input_shape, mirror(point));
  if (mirrored == place) return random_value(place).real();
  return mirrored > place ? random_value(place) : std::conj(random_value(mirrored));
}

Point InputValues::mirror(const Point& point) const {
  Point result = point;
  for (int axis = 0; axis < point.size(); ++axis)
    if (problem_.kinds[axis] == Kind::c2c && point[axis] != 0)
      result[axis] = problem_.input_shape[axis] - point[axis];
  return result;
}

void fill_input(const Problem& problem, const Field& field) {
  const InputValues values(problem);
  with_element_type(field, [&](auto* data) {
    for_each_element(
        field, [&](const Point& point, Index offset) { assign(data[offset], values.at(point)); });
  });
}

double distance_from_input(const Problem& problem, const Field& field) {
  const InputValues values(problem);
  double squares[2] = {0, 0};
  with_element_type(field, [&](auto* data) {
    for_each_element(field, [&](const Point& point, Index offset) {
      const std::complex<double> expected = values.at(point);
      squares[0] += std::norm(std::complex<double>(data[offset]) - expected);
      squares[1] += std::norm(expected);
    });
  });
  MPI_Allreduce(MPI_IN_PLACE, squares, 2, MPI_DOUBLE, MPI_SUM, problem.communicator);
  return std::sqrt(squares[0] / squares[1]);
}

}  // namespace weft::bench
