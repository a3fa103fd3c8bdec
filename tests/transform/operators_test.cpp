// Operators, which solvers use between forward and backward, on waves whose derivatives are known,
// between walls too; vector operators and their identities; Parseval's theorem for every kind.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <weft/wavenumbers.hpp>

#include "cases/cases.hpp"
#include "support/error_checks.hpp"
#include "support/over_ranks.hpp"
#include "support/ranks.hpp"
#include "truth/walls.hpp"

namespace weft::test {
namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

template <class T>
void fill_random(Array<T>& array, std::uint64_t seed) {
  Random random(seed + 100 * static_cast<std::uint64_t>(world_rank()));
  const auto number = [&] { return static_cast<double>(random.between(-1000, 1000)) / 1000; };
  for (T& value : array.span()) {
    if constexpr (std::is_floating_point_v<T>)
      value = static_cast<T>(number());
    else
      value = T(number(), number());
  }
}

class WallsTest : public testing::TestWithParam<Kind> {
 protected:
  static constexpr Index n = 9;
  static constexpr double length = 2.5;

  double kappa(int k) const { return pi * (k + static_cast<double>(walls.wave) / 2) / length; }
  double wave(Index i, int k) const {
    const double x =
        static_cast<double>(2 * i + walls.point) / static_cast<double>(walls.period) * length;
    return walls.is_sine ? std::sin(kappa(k) * x) : std::cos(kappa(k) * x);
  }

  const Kind kind = GetParam();
  const Walls walls = walls_of(kind, n);
};

TEST_P(WallsTest, TheLaplacianOfItsWavesIsKnown) {
  Plan plan(MPI_COMM_WORLD, Transform({5, n, 8}, {Kind::c2c, kind, Kind::r2c}));
  const SpectralOperators operators(plan.transform(), {1.0, length, 2 * pi});
  auto field = plan.make_input<double>(), result = plan.make_input<double>();
  for (const int k : {1, 4}) {
    field.fill([&](const Point& at) {
      return wave(at[1], k) * std::cos(2 * pi * static_cast<double>(at[2]) / 8);
    });
    plan.apply<Complex>(field, result, operators.laplacian<Complex>());
    const double square = kappa(k) * kappa(k) + 1;
    for (double& value : result.span()) value /= -square;
    EXPECT_LT(largest_difference(field, result), 1e-12) << k;
    plan.apply<Complex>(field, result, operators.inverse_laplacian<Complex>());
    for (double& value : result.span()) value *= -square;
    EXPECT_LT(largest_difference(field, result), 1e-12) << k;
  }
  EXPECT_EQ(Wavenumbers(plan, {1.0, length, 2 * pi}).along(1).empty(), plan.output_box().empty());
  expect_error([&] { operators.derivative<Complex>(1); }, {"axis 1", "walls"});
  expect_error([&] { operators.curl<Complex>(); }, {"curl", "walls"});
}

TEST_P(WallsTest, FiltersActOnItsWavesByTheirWavenumber) {
  Plan plan(MPI_COMM_WORLD, Transform({6, n, 8}, {Kind::c2c, kind, Kind::r2c}));
  const SpectralOperators operators(plan.transform(), {1.0, length, 2 * pi});
  auto field = plan.make_input<double>(), result = plan.make_input<double>();
  const double cutoff = (kappa(2) + kappa(3)) / 2, width = 0.4;
  for (const int k : {1, 2, 3, 5}) {
    field.fill([&](const Point& at) { return wave(at[1], k); });
    plan.apply<Complex>(field, result, operators.gaussian<Complex>(width));
    auto expected = plan.make_input<double>();
    const double damped = std::exp(-std::pow(kappa(k) * width, 2) / 2);
    expected.fill([&](const Point& at) { return damped * wave(at[1], k); });
    EXPECT_LT(largest_difference(result, expected), 1e-13) << k;
    plan.apply<Complex>(field, result, operators.sharp<Complex>(cutoff));
    expected.fill([&](const Point& at) { return k <= 2 ? wave(at[1], k) : 0; });
    EXPECT_LT(largest_difference(result, expected), 1e-13) << k;
  }
}

TEST_P(WallsTest, AllAxesMayHaveThem) {
  Plan plan(MPI_COMM_WORLD, Transform({n, n, n}, {kind, kind, kind}));
  const SpectralOperators operators(plan.transform(), {length, length, length});
  auto field = plan.make_input<double>(), result = plan.make_input<double>();
  field.fill([&](const Point& at) { return wave(at[0], 2) * wave(at[1], 1) * wave(at[2], 3); });
  plan.apply<double>(field, result, operators.laplacian<double>());
  const double square = kappa(2) * kappa(2) + kappa(1) * kappa(1) + kappa(3) * kappa(3);
  for (double& value : result.span()) value /= -square;
  EXPECT_LT(largest_difference(field, result), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Kinds, WallsTest, testing::ValuesIn(trigonometric_kinds),
                         [](const auto& one) { return to_string(one.param); });

class VectorTest : public testing::TestWithParam<std::string> {
 protected:
  using Field = std::vector<Array<double>>;

  VectorTest()
      : plan_(MPI_COMM_WORLD, {8 * world_ranks() * world_ranks(), 12, 10}, Kind::r2c,
              Options::parse(GetParam())) {}
  Field field(std::size_t components = 3) const {
    Field result;
    while (result.size() < components) result.push_back(plan_.make_input<double>());
    return result;
  }
  /// x, y, z of a point of the box, whose edges are 2 pi.
  double at(const Point& point, int axis) const {
    return 2 * pi * static_cast<double>(point[axis]) /
           static_cast<double>(plan_.transform().shape[axis]);
  }

  Plan plan_;
  SpectralOperators operators_{plan_.transform(), {2 * pi, 2 * pi, 2 * pi}};
  /// Derivatives multiply the rounding by the largest wavenumber.
  const double bound_ = std::max(1e-13, 1e-15 * static_cast<double>(plan_.transform().shape[0]));
};

TEST_P(VectorTest, TheCurlOfTaylorAndGreen) {
  Field u = field(), vorticity = field(), expected = field();
  const auto fill = [&](Array<double>& array, auto value) {
    array.fill([&](const Point& p) { return value(at(p, 0), at(p, 1), at(p, 2)); });
  };
  fill(u[0], [](double x, double y, double z) { return std::sin(x) * std::cos(y) * std::cos(z); });
  fill(u[1], [](double x, double y, double z) { return -std::cos(x) * std::sin(y) * std::cos(z); });
  fill(expected[0],
       [](double x, double y, double z) { return -std::cos(x) * std::sin(y) * std::sin(z); });
  fill(expected[1],
       [](double x, double y, double z) { return -std::sin(x) * std::cos(y) * std::sin(z); });
  fill(expected[2],
       [](double x, double y, double z) { return 2 * std::sin(x) * std::sin(y) * std::cos(z); });
  plan_.apply<Complex>(u, vorticity, operators_.curl<Complex>());
  for (std::size_t a = 0; a < 3; ++a)
    EXPECT_LT(largest_difference(vorticity[a], expected[a]), bound_) << a;
  std::vector<Array<double>> divergence = field(1);
  plan_.apply<Complex>(u, divergence, operators_.divergence<Complex>());
  EXPECT_LT(mean_square(plan_, Side::input, divergence[0]), bound_ * bound_);
}

TEST_P(VectorTest, WhatIsProjectedHasNoDivergence) {
  Field u = field(), projected = field();
  Field divergence = field(1);
  for (std::size_t a = 0; a < 3; ++a) fill_random(u[a], a);
  plan_.apply<Complex>(u, divergence, operators_.divergence<Complex>());
  EXPECT_GT(mean_square(plan_, Side::input, divergence[0]), 1);
  plan_.apply<Complex>(u, projected, operators_.projection<Complex>());
  plan_.apply<Complex>(projected, divergence, operators_.divergence<Complex>());
  EXPECT_LT(mean_square(plan_, Side::input, divergence[0]), bound_ * bound_);
  plan_.apply<Complex>(projected, u, operators_.projection<Complex>());  // changes nothing more
  for (std::size_t a = 0; a < 3; ++a) EXPECT_LT(largest_difference(u[a], projected[a]), bound_);
  plan_.apply<Complex>(u, u, operators_.curl<Complex>());  // in place
  plan_.apply<Complex>(u, divergence, operators_.divergence<Complex>());
  EXPECT_LT(mean_square(plan_, Side::input, divergence[0]), 1e-24);
}

TEST_P(VectorTest, MistakesAreErrors) {
  Field u = field(), v = field(2);
  expect_error([&] { plan_.apply<Complex>(u, u, FieldsFunction<Complex>()); },
               {"function is empty"});
  expect_error([&] { plan_.apply<Complex>(u, Field(), operators_.curl<Complex>()); },
               {"3 inputs and 0 outputs"});
  v[1] = v[0];
  if (plan_.input_size() > 0)
    expect_error([&] { plan_.apply<Complex>(u, v, operators_.curl<Complex>()); }, {"overlap"});
  std::vector<Complex> first(1), second(1);
  const std::array values{first.data(), second.data()};
  const double wavenumber = 1;
  const PerAxis<double> others{0, 0, 0};
  expect_error(
      [&] {
        operators_.curl<Complex>()({values, 2, {&wavenumber, 1}, others});
      },
      {"curl", "2 fields", "each of the 3"});
}

TEST_P(VectorTest, SpectraInMemoryCountAsWorkspace) {
  Field u = field(), v = field();
  for (Array<double>& component : u) fill_random(component, 1);
  const std::size_t before = plan_.workspace_bytes();
  plan_.apply<Complex>(u, v, operators_.curl<Complex>());
  const std::size_t spectra = 3 * static_cast<std::size_t>(plan_.output_size()) * sizeof(Complex);
  EXPECT_GE(plan_.workspace_bytes(), before + spectra);
  const std::size_t after = plan_.workspace_bytes();
  plan_.apply<Complex>(u, v, operators_.curl<Complex>());
  EXPECT_EQ(plan_.workspace_bytes(), after);
}

INSTANTIATE_TEST_SUITE_P(Options, VectorTest,
                         testing::Values("auto", "fields=3, producer_chunks=2", "threads=2",
                                         "decomposition=pencil", "decomposition=cyclic"),
                         [](const auto& one) { return std::to_string(one.index); });

struct ParsevalCase {
  std::vector<Kind> kinds;
  std::string scale;
  std::string options = "auto";
};

class ParsevalTest : public testing::TestWithParam<ParsevalCase> {};

template <class In, class Out>
void expect_parseval(Plan& plan) {
  const bool forward = spectral_side(plan) == Side::output;
  auto in = plan.make_input<In>();
  auto out = plan.make_output<Out>();
  if (forward) {
    fill_random(in, 5);
    plan.forward(in, out);
  } else {
    fill_random(out, 5);
    plan.backward(out, in);
  }
  const double a = mean_square(plan, Side::input, in), b = mean_square(plan, Side::output, out);
  EXPECT_GT(a, 0.01);
  EXPECT_NEAR(a, b, 1e-13 * a);
  const auto shells_by_energy = [&] {
    return forward ? energy_by_shell(plan, out) : energy_by_shell(plan, in);
  };
  if (std::ranges::count(plan.transform().kinds, Kind::r2c_packed) > 0) {
    EXPECT_THROW(shells_by_energy(), Error);
    return;
  }
  const auto shells = shells_by_energy();
  double sum = 0;
  for (const double shell : shells) sum += shell;
  EXPECT_NEAR(2 * sum, a, 1e-13 * a);
  EXPECT_GT(shells.back(), 0);
}

TEST_P(ParsevalTest, AFieldAndItsSpectrumHaveTheSameMeanSquare) {
  const Index square = static_cast<Index>(world_ranks()) * world_ranks();
  for (const Index last : {8, 9}) {
    if (GetParam().kinds[2] == Kind::r2c_packed && last % 2 != 0) continue;
    Transform transform({2 * square, 5, last}, GetParam().kinds);
    transform.scale = parse_scale(GetParam().scale);
    Plan plan(MPI_COMM_WORLD, transform, Options::parse(GetParam().options));
    if (plan.input_is_real() && plan.output_is_real())
      expect_parseval<double, double>(plan);
    else if (plan.input_is_real())
      expect_parseval<double, Complex>(plan);
    else if (plan.output_is_real())
      expect_parseval<Complex, double>(plan);
    else
      expect_parseval<Complex, Complex>(plan);
  }
}

std::vector<ParsevalCase> parseval_cases() {
  std::vector<ParsevalCase> cases;
  for (const char* scale : {"backward", "ortho", "forward", "3"}) {
    for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r, Kind::r2c_packed})
      cases.push_back({{Kind::c2c, Kind::c2c, kind}, scale});
    for (const Kind kind : trigonometric_kinds) cases.push_back({{kind, kind, kind}, scale});
    cases.push_back({{Kind::dct2, Kind::none, Kind::r2c}, scale});
    for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
      cases.push_back({{Kind::c2c, Kind::c2c, kind}, scale, "decomposition=cyclic"});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Kinds, ParsevalTest, testing::ValuesIn(parseval_cases()),
                         [](const auto& one) {
                           return to_string(one.param.kinds[0]) + "_" +
                                  to_string(one.param.kinds[2]) + "_" + one.param.scale +
                                  (one.param.options == "auto" ? "" : "_cyclic");
                         });

TEST(WavenumbersTest, AreThoseOfTheArray) {
  Transform transform({6, 8, 10}, Kind::r2c);
  transform.modes = {Modes::up_to(2), Modes{}, Modes::up_to(3)};
  Plan plan(MPI_COMM_WORLD, transform);
  const Wavenumbers numbers(plan, {2 * pi, pi, 1});
  auto spectrum = plan.make_output<Complex>();
  spectrum.fill([&](const Point& at) {
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis)
      sum += std::pow(10, axis) * static_cast<double>(transform.wavenumbers(axis)[at[axis]]);
    return sum;
  });
  Index visited = 0;
  numbers.for_each(spectrum, [&](const PerAxis<double>& k, double weight, const Complex& value) {
    ++visited;
    const double last = k[2] / (2 * pi);
    EXPECT_NEAR(value.real(), k[0] + 10 * k[1] / 2 + 100 * last, 1e-9);
    EXPECT_EQ(weight, std::abs(last) < 0.5 ? 1 : 2);
  });
  EXPECT_EQ(visited, plan.output_size());
  auto ones = plan.make_input<double>();
  ones.fill([](const Point&) { return 1; });
  EXPECT_EQ(global_sum(plan, ones), 6 * 8 * 10);
  expect_error([&] { Wavenumbers(plan, {1, 1}); }, {"lengths", "2 given"});
}

}  // namespace
}  // namespace weft::test
