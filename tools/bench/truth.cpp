// A sum over modes with weights r is a sum over the input with weights W^T r, and W, the matrix of
// the transform, is a product of one small matrix per axis, summed directly here (Freivalds'
// check).
#include "bench/truth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "bench/elements.hpp"
#include "bench/random_field.hpp"

namespace weft::bench {
namespace {

using Wide = long double;
using WideComplex = std::complex<Wide>;

// The matrix of a 1-D transform: entry (k, j) = weight(j) * wave(2 pi turns(k, j) / period).
class LineMatrix {
 public:
  LineMatrix(Kind kind, bool synthesis, Index physical_length)
      : kind_(kind), synthesis_(synthesis), n_(physical_length) {}

  WideComplex entry(Index k, Index j) const {
    if (kind_ == Kind::none) return k == j ? 1 : 0;
    const Wide angle = 2 * std::numbers::pi_v<Wide> * (turns(k, j) % period()) / period();
    if (kind_ >= Kind::dst1) return weight(j) * std::sin(angle);
    if (kind_ >= Kind::dct1) return weight(j) * std::cos(angle);
    return std::polar(weight(j), synthesis_ ? angle : -angle);
  }

 private:
  Index period() const {
    switch (kind_) {
      case Kind::dct1:
        return 2 * (n_ - 1);
      case Kind::dst1:
        return 2 * (n_ + 1);
      case Kind::dct2:
      case Kind::dct3:
      case Kind::dst2:
      case Kind::dst3:
        return 4 * n_;
      case Kind::dct4:
      case Kind::dst4:
        return 8 * n_;
      default:
        return n_;
    }
  }

  Index turns(Index k, Index j) const {
    switch (kind_) {
      case Kind::dct2:
        return k * (2 * j + 1);
      case Kind::dct3:
        return (2 * k + 1) * j;
      case Kind::dst1:
        return (k + 1) * (j + 1);
      case Kind::dst2:
        return (k + 1) * (2 * j + 1);
      case Kind::dst3:
        return (2 * k + 1) * (j + 1);
      case Kind::dct4:
      case Kind::dst4:
        return (2 * k + 1) * (2 * j + 1);
      default:
        return k * j;
    }
  }

  Wide weight(Index j) const {
    switch (kind_) {
      case Kind::c2c:
      case Kind::r2c:
        return 1;
      case Kind::c2r:
        return j == 0 || 2 * j == n_ ? 1 : 2;
      case Kind::dct1:
        return j == 0 || j == n_ - 1 ? 1 : 2;
      case Kind::dct3:
        return j == 0 ? 1 : 2;
      case Kind::dst3:
        return j == n_ - 1 ? 1 : 2;
      default:
        return 2;
    }
  }

  Kind kind_;
  bool synthesis_;
  Index n_;
};

// Weights of one axis of the output: independent, of mean 0 and mean square 1. On a long axis only
// some are not zero, so that the direct sums below stay affordable; the estimate stays unbiased.
Weights::Axis random_weights(Index length, Index input_length, bool real, std::mt19937_64& random) {
  constexpr Index affordable = Index{1} << 25;
  const Index modes = std::clamp<Index>(affordable / (input_length * Weights::sets), 1, length);
  const double size = std::sqrt(static_cast<double>(length) / static_cast<double>(modes));
  std::uniform_real_distribution<double> turn(0, 2 * std::numbers::pi);
  std::uniform_int_distribution<Index> anywhere(0, length - 1);
  Weights::Axis weights(length * Weights::sets);
  for (Index number = 0; number < modes; ++number) {
    const Index mode = modes == length ? number : anywhere(random);
    for (int set = 0; set < Weights::sets; ++set) {
      const double angle = turn(random);
      weights[mode * Weights::sets + set] +=
          real ? std::copysign(size, std::numbers::pi - angle) : std::polar(size, angle);
    }
  }
  return weights;
}

// W^T r along one axis.
Weights::Axis through(const LineMatrix& matrix, const Weights::Axis& weights, Index input_length) {
  std::vector<Index> modes;  // those with a weight
  for (auto at = weights.begin(); at != weights.end(); at += Weights::sets)
    if (std::any_of(at, at + Weights::sets, [](auto weight) { return weight != 0.0; }))
      modes.push_back((at - weights.begin()) / Weights::sets);
  Weights::Axis result(input_length * Weights::sets);
  for (Index index = 0; index < input_length; ++index) {
    std::array<WideComplex, Weights::sets> sums{};
    for (const Index mode : modes) {
      const WideComplex entry = matrix.entry(mode, index);
      for (int set = 0; set < Weights::sets; ++set)
        sums[set] += entry * WideComplex(weights[mode * Weights::sets + set]);
    }
    for (int set = 0; set < Weights::sets; ++set)
      result[index * Weights::sets + set] = std::complex<double>(sums[set]);
  }
  return result;
}

Weights random_output_weights(const Problem& problem) {
  std::mt19937_64 random(20240229);  // the same on every rank
  std::vector<Weights::Axis> axes;
  for (int axis = 0; axis < problem.output_shape.size(); ++axis)
    axes.push_back(random_weights(problem.output_shape[axis], problem.input_shape[axis],
                                  problem.real_output, random));
  return Weights(std::move(axes));
}

Weights input_weights(const Problem& problem, const Weights& output) {
  const bool synthesis = std::ranges::count(problem.kinds, Kind::c2r) > 0;
  std::vector<Weights::Axis> axes;
  for (int axis = 0; axis < problem.input_shape.size(); ++axis) {
    const Index physical = std::max(problem.input_shape[axis], problem.output_shape[axis]);
    const LineMatrix matrix(problem.kinds[axis], synthesis, physical);
    const Index modes = problem.output_shape[axis];
    const Weights::Axis weights(output.at(axis, 0), output.at(axis, 0) + modes * Weights::sets);
    axes.push_back(through(matrix, weights, problem.input_shape[axis]));
  }
  return Weights(std::move(axes));
}

// Sums over many products, several at once, with a second word for what rounding drops: the check
// must be finer than what it checks. (Kahan's sum; a compiler may not reorder it.)
class CompensatedSums {
 public:
  void add(int set, double real, double imag) {
    add(real_[set], real_lost_[set], real);
    add(imag_[set], imag_lost_[set], imag);
  }
  WideComplex value(int set) const { return {real_[set], imag_[set]}; }

 private:
  static void add(double& sum, double& lost, double term) {
    const double corrected = term - lost;
    const double next = sum + corrected;
    lost = (next - sum) - corrected;
    sum = next;
  }

  std::array<double, Weights::sets> real_{}, imag_{}, real_lost_{}, imag_lost_{};
};

template <class T>
CompensatedSums sums_of_line(const T* line, Index stride, Index count,
                             const std::complex<double>* weights) {
  CompensatedSums sums;
  for (Index index = 0; index < count; ++index, weights += Weights::sets) {
    const std::complex<double> value(line[index * stride]);
    for (int set = 0; set < Weights::sets; ++set)
      sums.add(set, value.real() * weights[set].real() - value.imag() * weights[set].imag(),
               value.real() * weights[set].imag() + value.imag() * weights[set].real());
  }
  return sums;
}

// Adds one line, which begins at `point`, to the sums over the whole array.
template <class T>
void add_line(std::vector<WideComplex>& totals, const Weights& weights, const Point& point,
              const T* line, Index stride, Index count) {
  const int last = point.size() - 1;
  const CompensatedSums sums = sums_of_line(line, stride, count, weights.at(last, point[last]));
  for (int set = 0; set < Weights::sets; ++set) {
    WideComplex product = sums.value(set);
    for (int axis = 0; axis < last; ++axis)
      product *= WideComplex(weights.at(axis, point[axis])[set]);
    totals[set] += product;
  }
}

template <class T>
Wide squares_of_line(const T* line, Index stride, Index count) {
  double sum = 0;
  for (Index index = 0; index < count; ++index)
    sum += std::norm(std::complex<double>(line[index * stride]));
  return sum;
}

void add_over_ranks(std::vector<WideComplex>& sums, MPI_Comm communicator) {
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(2 * sums.size()), MPI_LONG_DOUBLE,
                MPI_SUM, communicator);
}

}  // namespace

Truth::Truth(const Problem& problem)
    : problem_(problem), output_weights_(random_output_weights(problem)), expected_(Weights::sets) {
  const Weights weights = input_weights(problem, output_weights_);
  const InputValues values(problem);
  const int last = problem.input_shape.size() - 1;
  const Index length = problem.input_shape[last];
  int rank = 0;
  MPI_Comm_rank(problem.communicator, &rank);
  std::vector<std::complex<double>> line(length);
  Field lines{nullptr, Precision::double_, false, whole_box(problem.input_shape), {}};
  lines.strides = PerAxis<Index>::filled(last + 1, 0);
  Index number = 0;
  for_each_line(lines, [&](Point point, Index) {
    if (number++ % problem.ranks() != rank) return;
    for (point[last] = 0; point[last] < length; ++point[last]) line[point[last]] = values.at(point);
    point[last] = 0;
    add_line(expected_, weights, point, line.data(), 1, length);
  });
  add_over_ranks(expected_, problem.communicator);
  if (problem.real_output)
    for (auto& sum : expected_) sum.imag(0);
}

double Truth::error(const Field& output, double factor) const {
  Sums sums(Weights::sets + 1);  // the last is the square of the norm
  const int last = output.box.axes() - 1;
  with_element_type(output, [&](const auto* data) {
    const Index stride = output.strides[last];
    const Index count = output.box.extent(last);
    for_each_line(output, [&](const Point& point, Index offset) {
      add_line(sums, output_weights_, point, data + offset, stride, count);
      sums.back() += squares_of_line(data + offset, stride, count);
    });
  });
  add_over_ranks(sums, problem_.communicator);
  Wide squares = 0;
  for (int set = 0; set < Weights::sets; ++set)
    squares += std::norm(sums[set] - expected_[set] * static_cast<Wide>(factor));
  return static_cast<double>(std::sqrt(squares / Weights::sets / sums.back().real()));
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
