// Data are functions of the point, so no rank needs data of another rank. Every test compares
// norms: wrong elements of one rank count as much as the rounding errors of all elements together.
#include "make/self_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "machine/mixed_bits.hpp"
#include "make/trial_arrays.hpp"
#include "transform/impulse.hpp"
#include "transform/kinds.hpp"
#include "transform/rounding.hpp"

namespace weft {
namespace {

using Complex = std::complex<double>;
using Lines = PerAxis<std::vector<Complex>>;

/// How far rounding may go, in units of its typical size.
constexpr double margin = 32;
/// The linear combination that the test of linearity transforms.
constexpr double first_factor = 0.75;
constexpr double second_factor = -1.5;
/// Rounding errors that count for each exchange with a short wire: two transforms are compared, or
/// three with factors.
constexpr double most_roundings = 4;
/// Modes this close to the ellipse may round to either side.
constexpr double on_the_ellipse = 1e-9;
/// The mean square of random numbers between -1 and 1.
constexpr double mean_square_of_real = 1.0 / 3;

/// One rank's part of an array, whatever its type.
class Elements {
 public:
  Elements(void* data, ElementType type, const Layout& layout, int rank)
      : data_(data),
        type_(type),
        box_(layout.box(rank)),
        strides_(layout.strides(rank)),
        layout_(layout) {}

  Complex at(Index place) const {
    return type_.precision == Precision::double_ ? read<double>(place) : read<float>(place);
  }
  void set(Index place, Complex value) {
    type_.precision == Precision::double_ ? write<double>(place, value)
                                          : write<float>(place, value);
  }
  /// Calls visit(point of the global array, place).
  template <class Visit>
  void for_each(Visit&& visit) const {
    const Shape extents = box_.extents();
    const int last = extents.size() - 1;
    for_each_line(extents, strides_, [&](Point at, Index offset) {
      for (int axis = 0; axis < last; ++axis)
        at[axis] = layout_.index_at(axis, box_.lower[axis] + at[axis]);
      for (Index i = 0; i < extents[last]; ++i) {
        at[last] = layout_.index_at(last, box_.lower[last] + i);
        visit(static_cast<const Point&>(at), offset + i * strides_[last]);
      }
    });
  }

 private:
  template <class Real>
  Complex read(Index place) const {
    const Real* const number = static_cast<const Real*>(data_) + place * (type_.real ? 1 : 2);
    return {number[0], type_.real ? 0 : number[1]};
  }
  template <class Real>
  void write(Index place, Complex value) {
    Real* const number = static_cast<Real*>(data_) + place * (type_.real ? 1 : 2);
    number[0] = static_cast<Real>(value.real());
    if (!type_.real) number[1] = static_cast<Real>(value.imag());
  }

  void* data_;
  ElementType type_;
  Box box_;
  PerAxis<Index> strides_;
  const Layout& layout_;
};

class SelfTest {
 public:
  explicit SelfTest(Session& session)
      : session_(session),
        transform_(session.plan().request.transform),
        analysis_(analysis_direction(transform_)),
        arrays_(session),
        physical_(elements(source_of(analysis_), arrays_.at(source_of(analysis_)).data)),
        spectrum_(elements(target_of(analysis_), arrays_.at(target_of(analysis_)).data)),
        kept_memory_(kept_memory()),
        kept_(elements(target_of(analysis_), kept_memory_.data())),
        scale_(scale_factor(transform_, analysis_)),
        amplitude_(std::exp2(-std::round(std::log2(std::abs(scale_)) / 2))) {
    for (int axis = 0; axis < transform_.shape.size(); ++axis)
      numbers_.push_back(transform_.wavenumbers(axis));
  }

  void run() {
    fill([&](const Point& at) { return first(at); });
    run(analysis_);
    keep();
    test_shift();
    test_linearity();
    test_round_trip();
    test_impulse();
  }

 private:
  Elements elements(Side side, void* data) const {
    const Routes& routes = session_.plan().routes;
    const Layout& layout = side == Side::input ? routes.input : routes.output;
    const int rank = session_.ends().rank();
    return {data, session_.ends().type(side), layout, rank};
  }

  AlignedBuffer kept_memory() const {
    AlignedBuffer memory;
    session_.resources().agree(
        [&] { memory = AlignedBuffer(session_.ends().bytes(target_of(analysis_)) + 1); });
    return memory;
  }

  void run(Direction direction) {
    const RawArray in = arrays_.at(source_of(direction)), out = arrays_.at(target_of(direction));
    session_.transforms().run({direction, {&in, 1}, {&out, 1}});
  }

  template <class Value>
  void fill(Value&& value) {
    physical_.for_each(
        [&](const Point& at, Index place) { physical_.set(place, amplitude_ * value(at)); });
  }

  void keep() {
    kept_.for_each([&](const Point&, Index place) { kept_.set(place, spectrum_.at(place)); });
  }

  /// Both parts between -1 and 1.
  Complex random(std::uint64_t seed, const Point& at) const {
    Index number = 0;
    for (int axis = 0; axis < at.size(); ++axis)
      number = number * transform_.shape[axis] + at[axis];
    const std::uint64_t bits = mixed_bits(mixed_bits(seed) ^ static_cast<std::uint64_t>(number));
    return {2 * unit_number(bits) - 1,
            transform_.physical_is_real() ? 0 : 2 * unit_number(mixed_bits(bits)) - 1};
  }
  Complex first(const Point& at) const { return random(1, at); }
  Complex second(const Point& at) const { return random(2, at); }
  /// A point or a shift along an axis, below its length.
  Index random_index(int axis, std::uint64_t seed) const {
    const auto length = static_cast<std::uint64_t>(transform_.shape[axis]);
    return static_cast<Index>(mixed_bits(mixed_bits(seed) ^ static_cast<std::uint64_t>(axis)) %
                              length);
  }

  double typical_square_of_random() const {
    double square = mean_square_of_real;
    for (int axis = 0; axis < transform_.shape.size(); ++axis)
      if (transform_.kinds[axis] != Kind::none)
        square *= static_cast<double>(transform_.shape[axis]);
    return square;
  }
  double typical_square_of_impulse() const {
    double square = 1;
    for (int axis = 0; axis < transform_.shape.size(); ++axis)
      if (transform_.kinds[axis] == Kind::none)
        square /= static_cast<double>(transform_.shape[axis]);
    return square;
  }

  static Complex product(const Lines& lines, const Point& at) {
    Complex product = 1;
    for (int axis = 0; axis < at.size(); ++axis)
      product *= lines[axis][static_cast<std::size_t>(at[axis])];
    return product;
  }

  void test_shift() {
    Point shift;
    Lines factors;
    bool is_shifted = false;
    for (int axis = 0; axis < transform_.shape.size(); ++axis) {
      const Kind kind = transform_.kinds[axis];
      const bool is_periodic = kind == Kind::c2c || is_half_complex(kind);
      Index along = is_periodic ? random_index(axis, 3) : 0;
      if (kind == Kind::r2c_packed) along -= along % 2;
      is_shifted |= along != 0;
      shift.push_back(along);
      factors.push_back(shift_factors(transform_, axis, along));
    }
    if (!is_shifted) return;
    fill([&](Point at) {
      for (int axis = 0; axis < at.size(); ++axis) {
        const Index length = transform_.shape[axis];
        at[axis] = (at[axis] + length - shift[axis]) % length;
      }
      return first(at);
    });
    run(analysis_);
    compare("a shifted array", typical_square_of_random(), [&](const Point& at, Index place) {
      const Complex factor = product(factors, at);
      return factor == 0.0 ? spectrum_.at(place) : factor * kept_.at(place);
    });
  }

  /// Finds the first spectrum in kept_, and leaves the spectrum of the sum there.
  void test_linearity() {
    fill([&](const Point& at) { return second(at); });
    run(analysis_);
    kept_.for_each([&](const Point&, Index place) {
      kept_.set(place, first_factor * kept_.at(place) + second_factor * spectrum_.at(place));
    });
    fill([&](const Point& at) { return first_factor * first(at) + second_factor * second(at); });
    run(analysis_);
    compare("linearity", typical_square_of_random(),
            [&](const Point&, Index place) { return kept_.at(place); });
    keep();
  }

  void test_round_trip() {
    run(reverse(analysis_));
    run(analysis_);
    compare("the way back and forth", typical_square_of_random(),
            [&](const Point&, Index place) { return kept_.at(place); });
  }

  void test_impulse() {
    Point where;
    Lines lines;
    for (int axis = 0; axis < transform_.shape.size(); ++axis) {
      where.push_back(random_index(axis, 4));
      lines.push_back(impulse_spectrum(transform_, axis, where[axis]));
    }
    // Real arrays drop imaginary parts.
    const Complex height = transform_.physical_is_real() ? Complex(1) : Complex(0.6, -0.8);
    fill([&](const Point& at) { return at == where ? height : Complex(0); });
    run(analysis_);
    compare("an impulse", typical_square_of_impulse(), [&](const Point& at, Index place) {
      const double radius = square_of_radius(at);
      if (std::abs(radius - 1) < on_the_ellipse) return spectrum_.at(place);
      return radius > 1 ? 0 : amplitude_ * scale_ * height * product(lines, at);
    });
  }

  /// At most 1 inside the ellipse of kept modes.
  double square_of_radius(const Point& at) const {
    double square = 0;
    for (int axis = 0; axis < at.size(); ++axis)
      if (!transform_.ellipse.empty() && transform_.ellipse[axis] > 0)
        square +=
            std::pow(static_cast<double>(numbers_[axis][at[axis]]) / transform_.ellipse[axis], 2);
    return square;
  }

  double tolerance() const {
    const Options& options = session_.plan().request.options;
    const auto exchanges = static_cast<double>(session_.plan().routes.forward.exchanges.size());
    const auto elements = static_cast<double>(volume(transform_.shape));
    return margin * epsilon_of(transform_.precision) * std::sqrt(1 + std::log2(1 + elements)) +
           exchanges * (most_roundings * epsilon_of(options.wire));
  }

  /// `typical_square`: of an element; a smaller mean square is mostly rounding.
  template <class Expected>
  void compare(const char* name, double typical_square, Expected&& expected) const {
    std::array<double, 3> sums{};  // squares of differences, squares of elements, elements
    const double unit = 1 / (amplitude_ * scale_);
    spectrum_.for_each([&](const Point& at, Index place) {
      const Complex found = spectrum_.at(place), wanted = expected(at, place);
      sums[0] += std::norm(unit * (found - wanted));
      sums[1] += std::norm(unit * wanted);
      sums[2] += 1;
    });
    const Communicator& communicator = session_.resources().job().communicator;
    const std::vector<std::array<double, 3>> all = gathered(communicator, sums);
    sums = {};
    std::size_t worst = 0;
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += all[rank][i];
      if (!(all[rank][0] <= all[worst][0])) worst = rank;
    }
    const double error = std::sqrt(sums[0] / std::max(sums[1], typical_square * sums[2]));
    if (sums[0] == 0 || error <= tolerance()) return;
    throw Error(
        fmt::format(
            "the new plan failed its test by {}: relative error {:.1e}, most of it on rank {}; "
            "rounding explains {:.1e}",
            name, error, worst, tolerance()),
        Error::Cause::data);
  }

  Session& session_;
  const Transform& transform_;
  Direction analysis_;
  TrialArrays arrays_;
  Elements physical_;
  Elements spectrum_;
  AlignedBuffer kept_memory_;
  Elements kept_;                        // another spectrum
  PerAxis<std::vector<Index>> numbers_;  // of waves, by index of the spectrum
  double scale_;
  double amplitude_;  // of the input: neither it nor the result overflows, whatever the scale
};

}  // namespace

void self_test(Session& session) {
  try {
    SelfTest(session).run();
  } catch (const Error& error) {
    throw Error(fmt::format("planning with verify: {}", error.what()), error.cause());
  }
}

}  // namespace weft
