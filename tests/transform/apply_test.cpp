// Functions of the spectrum in the tile: they must equal forward, a multiplication of the whole
// array and backward, with every exchange method and every form of spectrum; and the results of the
// provided operators on waves.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <weft/plan.hpp>

#include "cases/cases.hpp"
#include "support/error_checks.hpp"
#include "support/over_ranks.hpp"
#include "support/ranks.hpp"
#include "truth/truth.hpp"

namespace weft::test {
namespace {

/// The relative L2 distance of two parts of arrays, over all ranks.
template <class T>
double distance(const std::vector<T>& a, const std::vector<T>& b) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::norm(a[i] - b[i]);
    norm += std::norm(b[i]);
  }
  difference = sum_over_ranks(difference);
  norm = sum_over_ranks(norm);
  EXPECT_GT(norm, 0);
  return std::sqrt(difference / norm);
}

template <class T>
std::vector<T> random_values(Index count, std::uint64_t seed) {
  Random random(seed + 1000 * static_cast<std::uint64_t>(world_rank()));
  std::vector<T> values(static_cast<std::size_t>(count));
  const auto number = [&] { return static_cast<double>(random.between(-1000, 1000)) / 1000; };
  for (T& value : values) {
    if constexpr (std::is_floating_point_v<T>)
      value = static_cast<T>(number());
    else
      value = T(static_cast<typename T::value_type>(number()),
                static_cast<typename T::value_type>(number()));
  }
  return values;
}

/// A factor that differs between modes and between functions.
template <class T>
T weight(const PerAxis<double>& k, int function) {
  double real = 0.3 + function, imaginary = 0.1;
  for (int axis = 0; axis < k.size(); ++axis) {
    real += std::cos(0.37 * k[axis] + axis);
    imaginary += std::sin(0.53 * k[axis] - axis + function);
  }
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(real);
  else
    return T(static_cast<typename T::value_type>(real),
             static_cast<typename T::value_type>(imaginary));
}

template <class T>
LineFunction<T> weighting(int function) {
  return [function](const SpectrumLine<T>& line) {
    PerAxis<double> k = line.at;
    for (std::size_t i = 0; i < line.values.size(); ++i) {
      k[line.axis] = line.wavenumbers[i];
      line.values[i] *= weight<T>(k, function);
    }
  };
}

template <class Physical, class Spectral>
class Comparison {
 public:
  explicit Comparison(const Case& one)
      : plan_(MPI_COMM_WORLD, one.transform, one.options),
        backwards_(std::ranges::count(one.transform.kinds, Kind::c2r) > 0),
        bound_(std::is_same_v<Physical, float> || std::is_same_v<Physical, std::complex<float>>
                   ? 1e-5
                   : 1e-13) {}

  void run() {
    const Index size = backwards_ ? plan_.output_size() : plan_.input_size();
    const auto in = random_values<Physical>(size, 5);
    const std::vector<Physical> copy = in;
    std::vector<std::vector<Physical>> outs(3, random_values<Physical>(size, 6));
    std::vector<Physical*> pointers;
    std::vector<LineFunction<Spectral>> functions;
    for (int i = 0; i < 3; ++i) {
      pointers.push_back(outs[i].data());
      functions.push_back(weighting<Spectral>(i));
    }
    for (int round = 0; round < 2; ++round) {
      plan_.template apply<Spectral>(in.data(), pointers, functions);
      for (int i = 0; i < 3; ++i) EXPECT_LT(distance(outs[i], separately(in, i)), bound_) << i;
    }
    EXPECT_TRUE(in == copy) << "the input was changed";
    std::vector<Physical> in_place = in;
    plan_.template apply<Spectral>(in_place.data(), in_place.data(), functions[1]);
    EXPECT_LT(distance(in_place, outs[1]), bound_);
    // Forward and backward share buffers and windows with it.
    EXPECT_LT(distance(outs[2], separately(in, 2)), bound_);
  }

 private:
  /// Forward, a sweep over the spectrum's array, backward.
  std::vector<Physical> separately(const std::vector<Physical>& in, int function) {
    const Transform& transform = plan_.transform();
    const Layout& layout = backwards_ ? plan_.input_layout() : plan_.output_layout();
    const Box& box = layout.box(world_rank());
    std::vector<Spectral> spectrum(static_cast<std::size_t>(box.volume()));
    std::vector<Physical> out(in.size());
    if (backwards_)
      plan_.backward(in.data(), spectrum.data());
    else
      plan_.forward(in.data(), spectrum.data());
    PerAxis<std::vector<Index>> numbers;
    for (int axis = 0; axis < transform.shape.size(); ++axis)
      numbers.push_back(transform.wavenumbers(axis));
    Array<Spectral> array({spectrum.data(), [](Spectral*) {}}, layout, world_rank());
    array.for_each([&](const Point& point, Spectral& value) {
      PerAxis<double> k;
      for (int axis = 0; axis < point.size(); ++axis)
        k.push_back(static_cast<double>(numbers[axis][point[axis]]));
      value *= weight<Spectral>(k, function);
    });
    if (backwards_)
      plan_.forward(spectrum.data(), out.data());
    else
      plan_.backward(spectrum.data(), out.data());
    return out;
  }

  Plan plan_;
  bool backwards_;
  double bound_;
};

void compare(const Case& one) {
  SCOPED_TRACE(to_string(one));
  running(to_string(one));
  const bool single = one.transform.precision == Precision::single_;
  if (!one.transform.physical_is_real())
    single ? Comparison<std::complex<float>, std::complex<float>>(one).run()
           : Comparison<std::complex<double>, std::complex<double>>(one).run();
  else if (one.transform.spectral_is_real())
    single ? Comparison<float, float>(one).run() : Comparison<double, double>(one).run();
  else
    single ? Comparison<float, std::complex<float>>(one).run()
           : Comparison<double, std::complex<double>>(one).run();
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const Transform& transform, const std::string& options) {
    all.push_back(
        {"apply_" + std::to_string(all.size()), transform, {}, Options::parse(options), {}});
    all.back().options.engine_effort = EngineEffort::estimate;
    return &all.back().transform;
  };
  for (Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r, Kind::dct2, Kind::r2c_packed}) {
    add(Transform({12, 9, 10}, kind), "auto");
    add(Transform({12, 9, 10}, kind, {}, Precision::single_),
        "decomposition=pencil, producer_chunks=2, consumer_chunks=3");
    add(Transform({8, 6, 14}, kind), "output=natural, threads=2")->scale = {Scale::Rule::ortho};
    add(Transform({16, 10}, kind), "decomposition=brick, consumer_chunks=2")->scale = {
        Scale::Rule::forward};
    add(Transform({14}, kind), "auto");
    add(Transform({5, 8, 6, 4}, kind, {1, 2}), "auto");
  }
  // Blocks of the forward and of the backward part wait in separate queues.
  add(Transform({12, 10, 16}, Kind::c2c), "producer_chunks=6, consumer_chunks=8, in_flight=1");
  add(Transform({12, 10, 16}, Kind::r2c),
      "decomposition=pencil, producer_chunks=5, consumer_chunks=4, in_flight=2");
  Transform* kept = add(Transform({12, 10, 16}, Kind::r2c), "decomposition=pencil");
  kept->modes = {Modes::up_to(3), Modes::of_grid(6), Modes::of_grid(10)};
  kept = add(Transform({12, 10, 16}, Kind::c2c), "decomposition=pencil, producer_chunks=2");
  kept->ellipse = {4, 4.5, 6};
  kept = add(Transform({12, 10, 16}, Kind::c2r), "auto");
  kept->ellipse = {4, 0, 6};
  kept->dropped = Dropped::zero;
  const Index square = static_cast<Index>(world_ranks()) * world_ranks();
  for (Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r}) {
    add(Transform({2 * square, 5, 6}, kind), "decomposition=cyclic, consumer_chunks=2");
    add(Transform({3, 2 * square, 6}, kind, {1, 2}), "decomposition=cyclic");
  }
  add(Transform({6 * square * square}, Kind::c2c), "output=scrambled");
  return all;
}

class ApplyTest : public testing::TestWithParam<std::string> {};

TEST_P(ApplyTest, IsForwardAFunctionAndBackward) {
  for (Case& one : cases()) {
    one.options.exchange = GetParam();
    compare(one);
  }
}

INSTANTIATE_TEST_SUITE_P(Every, ApplyTest, testing::ValuesIn(exchanges_here()),
                         [](const auto& info) { return info.param; });

constexpr double pi = std::numbers::pi;
const std::vector<double> lengths{2 * pi, 3, 1};

/// A wave with two nodes along x, one along y, three along z.
double phase(const Shape& shape, const Point& p) {
  const auto turn = [&](int axis, int waves) {
    return 2 * pi * waves * static_cast<double>(p[axis]) / static_cast<double>(shape[axis]);
  };
  return turn(0, 2) + turn(1, 1) - turn(2, 3);
}
const std::array<double, 3> kappa{2, 2 * pi / 3, -6 * pi};

template <class Value>
double distance_from(const Array<double>& array, Value&& value) {
  double difference = 0, norm = 0;
  Array<double> copy = array;
  copy.for_each([&](const Point& point, double& element) {
    difference += std::pow(element - value(point), 2);
    norm += std::pow(value(point), 2);
  });
  return std::sqrt(sum_over_ranks(difference) / sum_over_ranks(norm));
}

TEST(SpectralOperatorsTest, DifferentiateAndIntegrateWaves) {
  using Complex = std::complex<double>;
  const Shape shape{12, 8, 16};
  Plan plan(MPI_COMM_WORLD, shape, Kind::r2c, Options::parse("engine_effort=estimate"));
  Plan other(MPI_COMM_WORLD, shape, Kind::r2c, Options::parse("engine_effort=estimate"));
  const SpectralOperators operators(plan.transform(), lengths);
  Array<double> f = plan.input<double>(), u = other.input<double>();
  f.fill([&](const Point& point) { return 0.75 + std::sin(phase(shape, point)); });
  const double square = kappa[0] * kappa[0] + kappa[1] * kappa[1] + kappa[2] * kappa[2];
  const auto sine = [&](const Point& p) { return std::sin(phase(shape, p)); };

  plan.apply<Complex>(f.data(), u.data(), operators.inverse_laplacian<Complex>());
  EXPECT_LT(distance_from(u, [&](const Point& p) { return -sine(p) / square; }), 1e-13);
  plan.apply<Complex>(f.data(), u.data(), operators.gaussian<Complex>(0.1));
  EXPECT_LT(
      distance_from(u, [&](const Point& p) { return 0.75 + std::exp(-0.005 * square) * sine(p); }),
      1e-13);
  plan.apply<Complex>(f.data(), u.data(), operators.sharp<Complex>(std::sqrt(square) * 0.99));
  EXPECT_LT(distance_from(u, [&](const Point&) { return 0.75; }), 1e-13);

  const auto gradient = operators.gradient<Complex>();
  ASSERT_EQ(gradient.size(), 3U);
  for (int axis = 0; axis < 3; ++axis) {
    plan.apply<Complex>(f.data(), u.data(), gradient[axis]);
    EXPECT_LT(
        distance_from(u, [&](const Point& p) { return kappa[axis] * std::cos(phase(shape, p)); }),
        1e-13);
  }
  // The Nyquist mode has no derivative on the grid.
  f.fill([](const Point& p) { return p[2] % 2 ? -1.0 : 1.0; });
  plan.apply<Complex>(f.data(), u.data(), gradient[2]);
  u.for_each([](const Point&, double& value) { EXPECT_NEAR(value, 0, 1e-13); });
}

/// Planning leaves out complex axes of one element, but keeps one if no other axis is transformed.
TEST(SpectralOperatorsTest, AxesOfOneElementHaveASpectrum) {
  using Complex = std::complex<double>;
  Plan plan(MPI_COMM_WORLD, Transform({7, 1}, Kind::c2c, {1}));
  auto f = plan.make_input<Complex>(), u = plan.make_input<Complex>();
  f.fill([](const Point& p) { return Complex(1.0 + static_cast<double>(p[0]), 2); });
  plan.apply<Complex>(f.data(), u.data(), [](const SpectrumLine<Complex>& line) {
    for (Complex& value : line.values) value *= 3;
  });
  u.for_each([](const Point& p, Complex& value) {
    EXPECT_EQ(value, Complex(3.0 + 3 * static_cast<double>(p[0]), 6));
  });
}

TEST(SpectralOperatorsTest, SayWhatTheyCannotDo) {
  const SpectralOperators between_walls(Transform({4, 4}, Kind::dct2), {1, 1});
  EXPECT_THROW(between_walls.derivative<std::complex<double>>(0), Error);
  EXPECT_THROW(SpectralOperators(Transform({4, 4}, Kind::c2c), {1}), Error);
  EXPECT_THROW(SpectralOperators(Transform({4, 4}, Kind::c2c), {1, 0}), Error);
  const SpectralOperators operators(Transform({4, 4}, Kind::c2c, {1}), {1, 1});
  EXPECT_THROW(operators.derivative<std::complex<double>>(0), Error);
  Plan plan(MPI_COMM_WORLD, Transform({4, 4}, {Kind::none, Kind::none}));
  std::vector<double> values(16);
  EXPECT_THROW(plan.apply<double>(values.data(), values.data(), [](const auto&) {}), Error);
}

/// An element of r2c_packed holds the modes 0 and n/2, which have different wavenumbers.
TEST(SpectralOperatorsTest, OfAPackedSpectrumTreatItsModesAlikeOrRefuse) {
  using Complex = std::complex<double>;
  const Shape shape{6, 5, 8};
  std::vector<std::vector<double>> results;
  for (const Kind kind : {Kind::r2c, Kind::r2c_packed}) {
    Plan plan(MPI_COMM_WORLD, Transform(shape, kind));
    const SpectralOperators operators(plan.transform(), {1, 2, 3});
    auto f = plan.make_input<double>(), u = plan.make_input<double>();
    f.fill([](const Point& p) { return std::sin(1e4 * (1 + p[0] + 7 * p[1] + 49 * p[2])); });
    for (const auto& derivative : operators.gradient<Complex>()) {
      plan.apply<Complex>(f.data(), u.data(), derivative);
      results.emplace_back(u.span().begin(), u.span().end());
    }
    if (kind == Kind::r2c) continue;
    for (const std::string name : {"laplacian", "inverse_laplacian", "gaussian 0.3", "sharp 2.5"})
      expect_error(
          [&] {
            operators.by_name(name, {Precision::double_, false});
          },
          {name.substr(0, name.find(' ')), "axis 2", "r2c_packed", "valid"});
  }
  ASSERT_EQ(results.size(), 6U);
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t i = 0; i < results[axis].size(); ++i)
      EXPECT_NEAR(results[axis][i], results[axis + 3][i], 1e-11);
}

/// Forgets the packed plane.
void forget_packed_plane(const Plan& plan, std::vector<std::complex<double>>& spectrum) {
  Array<std::complex<double>> array({spectrum.data(), [](auto*) {}}, plan.output_box(),
                                    plan.output_layout().strides(world_rank()));
  array.for_each([](const Point& point, auto& value) {
    if (point.back() == 0) value = -1;
  });
}

/// The packed form against the usual one, in layouts that put mirrored modes on other ranks.
TEST(PackedPlaneTest, UnpacksIntoTheMeanAndTheNyquistPlane) {
  using Complex = std::complex<double>;
  for (const Shape& shape : {Shape{6, 7, 8}, Shape{12, 9, 10}, Shape{8, 10}, Shape{1, 5, 2}})
    for (const char* options : {"auto", "output=natural", "decomposition=brick, output=natural"})
      for (bool coarse : {false, true}) {
        Transform transform(shape, Kind::r2c_packed);
        if (coarse) {
          transform.modes.assign(static_cast<std::size_t>(shape.size()), Modes{});
          transform.modes[0] = Modes::of_grid(std::max<Index>(1, shape[0] / 2));
        }
        SCOPED_TRACE(to_string(transform) + " " + options);
        Options chosen = Options::parse(options);
        chosen.engine_effort = EngineEffort::estimate;
        Plan plan(MPI_COMM_WORLD, transform, chosen);
        std::ranges::replace(transform.kinds, Kind::r2c_packed, Kind::r2c);
        const auto in = truth_of(transform, 3);
        std::vector<double> field(static_cast<std::size_t>(plan.input_size()));
        Array<double> physical({field.data(), [](double*) {}}, plan.input_box(),
                               plan.input_layout().strides(world_rank()));
        physical.fill([&](const Point& p) { return static_cast<double>(in->input.at(p).real()); });
        std::vector<Complex> spectrum(static_cast<std::size_t>(plan.output_size()));
        plan.forward(field.data(), spectrum.data());

        const Box plane = plan.packed_plane();
        std::vector<Complex> mean(static_cast<std::size_t>(plane.volume())), nyquist(mean.size());
        plan.unpack_plane(spectrum.data(), mean.data(), nyquist.data());
        const auto strides = strides_of(plane.extents(), plan.output_layout().order());
        for (auto* found : {&mean, &nyquist}) {
          double difference = 0, norm = 0;
          Array<Complex> array({found->data(), [](Complex*) {}}, plane, strides);
          array.for_each([&](const Point& point, Complex& value) {
            Point at = point;
            at.back() = found == &mean ? 0 : shape.back() / 2;
            const Complex expected(in->output.at(at));
            difference += std::norm(value - expected);
            norm += std::norm(expected);
          });
          EXPECT_LE(sum_over_ranks(difference), 1e-28 * sum_over_ranks(norm));
        }
        std::vector<Complex> again = spectrum;
        forget_packed_plane(plan, again);
        plan.pack_plane(mean.data(), nyquist.data(), again.data());
        EXPECT_LT(distance(again, spectrum), 1e-14);
      }
}

}  // namespace
}  // namespace weft::test
