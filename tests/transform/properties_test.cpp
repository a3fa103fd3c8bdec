// Properties that only a Fourier transform has (F. Ergun, "Testing multivariate linear functions",
// STOC 1995: linearity, impulse, shift) and Parseval's, on arrays too large for a reference result.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cases/local_array.hpp"
#include "cases/run_case.hpp"
#include "support/ranks.hpp"
#include "truth/truth_lines.hpp"

namespace weft::test {
namespace {

using Complex = std::complex<double>;

/// A random element that depends only on the global index, so that every rank can compute any of
/// them.
template <class In>
In random_element(const Point& point, const Shape& shape, std::uint64_t seed) {
  std::uint64_t position = seed;
  for (int axis = 0; axis < shape.size(); ++axis)
    position = mixed(position) + static_cast<std::uint64_t>(point[axis]);
  const auto number = [](std::uint64_t bits) {
    return static_cast<double>(bits >> 11) * 0x1p-52 - 1;
  };
  if constexpr (std::is_same_v<In, double>)
    return number(mixed(position));
  else
    return {number(mixed(position)), number(mixed(position + 1))};
}

/// One plan and the arrays to try it on; In is double for r2c.
template <class In>
class Tester {
 public:
  Tester(const Shape& shape, const std::string& exchange)
      : shape_(shape), plan_(plan(shape, exchange)) {}

  void linearity() {
    const In a = random_element<In>({1}, {1}, 5), b = random_element<In>({2}, {1}, 6);
    const auto x = forward([&](const Point& p) { return element(p, 1); });
    const auto y = forward([&](const Point& p) { return element(p, 2); });
    const auto sum = forward([&](const Point& p) { return a * element(p, 1) + b * element(p, 2); });
    expect_equal(
        sum, [&](Index i, const Point&) { return a * x[i] + b * y[i]; }, "linearity");
  }

  /// The impulse hides in random data: A and impulse - A go through separately.
  void impulse() {
    Point place;
    for (Index length : shape_) place.push_back(length / 3);
    const auto part = forward([&](const Point& p) { return element(p, 3); });
    const auto rest =
        forward([&](const Point& p) { return In(p == place ? 1 : 0) - element(p, 3); });
    const auto sum = [&](Index i) { return part[i] + rest[i]; };
    double error = 0;
    spectrum_.for_each([&, i = Index{0}](const Point& k, const Complex&) mutable {
      error += std::norm(sum(i++) - phase(k, place));
    });
    // The random parts' norm is what rounding scales with: N numbers of variance about N / 3 each.
    const double norm = static_cast<double>(volume(shape_)) * std::sqrt(1.0 / 3);
    EXPECT_LE(std::sqrt(static_cast<double>(total(error))) / norm, bound()) << "impulse";
  }

  void shift() {
    const auto x = forward([&](const Point& p) { return element(p, 4); });
    for (int axis = 0; axis < shape_.size(); ++axis) {
      const Index by = shape_[axis] / 2 + 1;
      auto moved_by = Point::filled(shape_.size(), 0);
      moved_by[axis] = by;
      const auto moved = forward([&](const Point& p) {
        Point from = p;
        from[axis] = (p[axis] + shape_[axis] - by % shape_[axis]) % shape_[axis];
        return element(from, 4);
      });
      expect_equal(
          moved, [&](Index i, const Point& k) { return x[i] * phase(k, moved_by); },
          "shift along axis " + std::to_string(axis));
    }
  }

  void parseval() {
    // Sums of a million squares in double would err by more than the transform does.
    long double physical = 0, spectral = 0;
    forward([&](const Point& p) {
      physical += std::norm(element(p, 7));
      return element(p, 7);
    });
    const int last = shape_.size() - 1;
    spectrum_.for_each([&](const Point& k, const Complex& mode) {
      const bool is_half = std::is_same_v<In, double>;
      spectral += std::norm(mode) * (is_half ? half_complex_weight(k[last], shape_[last]) : 1);
    });
    const long double expected = total(physical) * static_cast<long double>(volume(shape_));
    EXPECT_NEAR(static_cast<double>(total(spectral) / expected), 1, bound()) << "Parseval";
  }

 private:
  static Plan plan(const Shape& shape, const std::string& exchange) {
    Options options;
    options.exchange = exchange;
    options.engine_effort = EngineEffort::estimate;
    return Plan(MPI_COMM_WORLD, shape, std::is_same_v<In, double> ? Kind::r2c : Kind::c2c, options);
  }

  In element(const Point& point, std::uint64_t seed) const {
    return random_element<In>(point, shape_, seed);
  }

  double bound() const { return 2 * error_bound(plan_.transform()); }

  /// The spectrum of an array given by its elements, last axis fastest, and left in spectrum_ as
  /// well.
  template <class Value>
  std::vector<Complex> forward(Value&& value) {
    field_.fill(value);
    plan_.forward(field_, spectrum_);
    std::vector<Complex> result;
    spectrum_.for_each([&](const Point&, const Complex& mode) { result.push_back(mode); });
    return result;
  }

  /// exp(-2 pi i sum k p / n)
  Complex phase(const Point& k, const Point& place) const {
    double turns = 0;
    for (int axis = 0; axis < shape_.size(); ++axis)
      turns += static_cast<double>(k[axis] * place[axis] % shape_[axis]) /
               static_cast<double>(shape_[axis]);
    return std::polar(1.0, -2 * std::numbers::pi * (turns - std::floor(turns)));
  }

  template <class Value>
  void expect_equal(const std::vector<Complex>& found, Value&& expected, const std::string& what) {
    double error = 0, norm = 0;
    Index i = 0;
    spectrum_.for_each([&](const Point& k, const Complex&) {
      const Complex right = expected(i, k);
      error += std::norm(found[i++] - right);
      norm += std::norm(right);
    });
    EXPECT_LE(std::sqrt(static_cast<double>(total(error) / total(norm))), bound()) << what;
  }

  static long double total(long double mine) {
    long double all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_LONG_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
  }

  const Shape shape_;
  Plan plan_;
  Array<In> field_ = plan_.template input<In>();
  Array<Complex> spectrum_ = plan_.template output<Complex>();
};

template <class In>
void check_properties(const Shape& shape, const std::string& exchange) {
  SCOPED_TRACE(to_string(shape) + (std::is_same_v<In, double> ? " r2c" : " c2c"));
  running("properties of " + to_string(shape));
  Tester<In> tester(shape, exchange);
  tester.linearity();
  tester.impulse();
  tester.shift();
  tester.parseval();
}

class PropertiesTest : public testing::TestWithParam<std::string> {};

TEST_P(PropertiesTest, OfAFourierTransform) {
  for (const Shape& shape :
       {Shape{40, 36, 50}, Shape{31, 29, 37}, Shape{128, 81}, Shape{9, 8, 10, 12}}) {
    check_properties<Complex>(shape, GetParam());
    check_properties<double>(shape, GetParam());
  }
}

/// Beyond the caches of most machines.
TEST_P(PropertiesTest, OfALargeTransform) {
  check_properties<Complex>({128, 120, 96}, GetParam());
  check_properties<double>({128, 120, 96}, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Every, PropertiesTest, testing::ValuesIn(exchanges_here()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace weft::test
