// Functions for solvers, against direct computations: wavenumbers in every layout, energy shell by
// shell, sums, and functions of several fields with every exchange.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <weft/wavenumbers.hpp>

#include "support/over_ranks.hpp"
#include "support/ranks.hpp"

namespace weft::test {
namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

/// Numbers that depend on nothing but the global index and the seed.
double value_at(const Point& at, int seed) {
  double phase = seed;
  for (const Index index : at) phase = 1.7 * phase + static_cast<double>(index % 11);
  return std::sin(phase);
}

template <class T>
void fill(Array<T>& array, int seed) {
  array.fill([&](const Point& at) {
    if constexpr (std::is_floating_point_v<T>)
      return value_at(at, seed);
    else
      return T(value_at(at, seed), value_at(at, seed + 50));
  });
}

struct Spectrum {
  std::string name, options;
  Kind kind;
  bool keeps_some;
  Dropped dropped;
  Order order;  // empty: the planner's
};

class WavenumbersTest : public testing::TestWithParam<Spectrum> {
 protected:
  static Plan plan() {
    const Spectrum& wanted = GetParam();
    Transform transform({8, 9, 10}, wanted.kind);
    if (wanted.keeps_some) transform.modes = {Modes::up_to(2), Modes{}, Modes::up_to(3)};
    transform.dropped = wanted.dropped;
    Layout output;
    if (!wanted.order.empty())
      output =
          Layout::pencils(transform.spectral_shape(), {1, world_ranks()}, 0).ordered(wanted.order);
    return Plan(MPI_COMM_WORLD, transform, Layout(), output, Options::parse(wanted.options));
  }

  /// Angular wavenumbers and weight of a mode, from its global indices.
  static std::pair<Point, double> expected(const Transform& transform, const Point& at) {
    Point k;
    for (int axis = 0; axis < 3; ++axis) k.push_back(transform.wavenumbers(axis)[at[axis]]);
    const bool has_twin = GetParam().kind == Kind::r2c && k[2] != 0 && k[2] != 5;
    return {k, has_twin ? 2 : 1};
  }
};

TEST_P(WavenumbersTest, AreThoseOfEachMode) {
  const Plan plan = this->plan();
  const Wavenumbers numbers(plan, {2 * pi, pi, 4 * pi});
  const PerAxis<double> units{1, 2, 0.5};
  ASSERT_EQ(numbers.box(), plan.output_box());
  auto spectrum = plan.make_output<Complex>();
  Index visited = 0;
  numbers.for_each([&](const PerAxis<double>& k, double weight, std::size_t i) {
    spectrum.span()[i] = Complex(k[0] + 10 * k[1] + 100 * k[2], weight);
    ++visited;
  });
  EXPECT_EQ(visited, plan.output_size());
  spectrum.for_each([&](const Point& at, const Complex& value) {
    const auto [k, weight] = expected(plan.transform(), at);
    double sum = 0, product = 1;
    for (int axis = 0; axis < 3; ++axis) {
      const auto place = static_cast<std::size_t>(at[axis] - numbers.box().lower[axis]);
      EXPECT_EQ(numbers.along(axis)[place], units[axis] * static_cast<double>(k[axis]));
      sum += std::pow(10, axis) * units[axis] * static_cast<double>(k[axis]);
      product *= numbers.weights(axis)[place];
    }
    EXPECT_NEAR(value.real(), sum, 1e-12);
    EXPECT_EQ(value.imag(), weight);
    EXPECT_EQ(product, weight);
  });
}

/// Shell by shell from the modes' global indices; modes that are dropped hold nothing.
TEST_P(WavenumbersTest, EnergyByShellIsADirectSum) {
  Plan plan = this->plan();
  auto spectrum = plan.make_output<Complex>();
  if (plan.input_is_real()) {
    auto field = plan.make_input<double>();
    fill(field, 3);
    plan.forward(field, spectrum);
  } else {
    auto field = plan.make_input<Complex>();
    fill(field, 3);
    plan.forward(field, spectrum);
  }
  const std::vector<double> lengths{2 * pi, pi, 4 * pi};
  const auto shells = energy_by_shell(plan, spectrum, lengths);
  constexpr double width = 0.5;  // the smallest of 2 pi / length
  std::vector<double> direct(shells.size() + 10, 0);
  spectrum.for_each([&](const Point& at, const Complex& mode) {
    const auto [k, weight] = expected(plan.transform(), at);
    const double square = std::pow(k[0], 2) + std::pow(2 * k[1], 2) + std::pow(0.5 * k[2], 2);
    const auto shell = static_cast<std::size_t>(std::floor(std::sqrt(square) / width + 0.5));
    direct[shell] += weight * std::norm(mode) / 2 / std::pow(8 * 9 * 10, 2);
  });
  plan.sum_over_ranks(direct);
  double total = 0;
  for (std::size_t shell = 0; shell < direct.size(); ++shell) {
    EXPECT_NEAR(shell < shells.size() ? shells[shell] : 0, direct[shell], 1e-15) << shell;
    total += direct[shell];
  }
  EXPECT_GT(total, 0.01);
}

std::vector<Spectrum> spectra() {
  std::vector<Spectrum> all;
  for (const Kind kind : {Kind::c2c, Kind::r2c})
    for (const auto& [name, options, order] :
         std::vector<std::tuple<std::string, std::string, Order>>{
             {"slabs", "auto", {}},
             {"pencils", "decomposition=pencil", {}},
             {"bricks", "decomposition=brick, output=natural", {}},
             {"order_201", "auto", {2, 0, 1}},
             {"order_120", "decomposition=pencil", {1, 2, 0}}}) {
      const std::string of_kind = to_string(kind) + "_" + name;
      all.push_back({of_kind, options, kind, false, Dropped::absent, order});
      all.push_back({of_kind + "_absent", options, kind, true, Dropped::absent, order});
      all.push_back({of_kind + "_zero", options, kind, true, Dropped::zero, order});
    }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Spectra, WavenumbersTest, testing::ValuesIn(spectra()),
                         [](const auto& one) { return one.param.name; });

TEST(WavenumbersTest, EnergyBetweenWallsIsInTheShellOfTheWave) {
  Plan plan(MPI_COMM_WORLD, {12, 10, 8}, Kind::dct2);
  auto field = plan.make_input<double>(), spectrum = plan.make_output<double>();
  for (const Index wave : {2, 5}) {
    field.fill([&](const Point& at) {
      return std::cos(pi * static_cast<double>(wave) * (static_cast<double>(at[1]) + 0.5) / 10);
    });
    plan.forward(field, spectrum);
    const auto shells = energy_by_shell(plan, spectrum);
    for (std::size_t shell = 0; shell < shells.size(); ++shell)
      EXPECT_NEAR(shells[shell], shell == static_cast<std::size_t>(wave) ? 0.25 : 0, 1e-15);
  }
}

TEST(GlobalSumTest, OfDifferentNumbers) {
  const Shape shape{7, 5, 6};
  Plan plan(MPI_COMM_WORLD, shape, Kind::r2c, Options::parse("decomposition=pencil"));
  auto field = plan.make_input<double>();
  auto spectrum = plan.make_output<Complex>();
  const auto number = [](const Point& at) {
    return static_cast<double>(1 + at[0] + 10 * at[1] + 100 * at[2]);
  };
  field.fill(number);
  spectrum.fill([&](const Point& at) { return Complex(number(at), -2 * number(at)); });
  const auto sum_over = [&](const Shape& all) {
    double sum = 0;
    for (Point at{0, 0, 0}; at[0] < all[0]; ++at[0])
      for (at[1] = 0; at[1] < all[1]; ++at[1])
        for (at[2] = 0; at[2] < all[2]; ++at[2]) sum += number(at);
    return sum;
  };
  EXPECT_EQ(global_sum(plan, field), sum_over(shape));
  const double modes = sum_over({7, 5, 4});
  EXPECT_EQ(global_sum(plan, spectrum), Complex(modes, -2 * modes));
}

TEST(VectorOperatorsTest, TheCurlInTwoDimensions) {
  const Shape shape{12, 10};
  Plan plan(MPI_COMM_WORLD, shape, Kind::r2c);
  const SpectralOperators operators(plan.transform(), {2 * pi, pi});
  std::vector<Array<double>> u{plan.make_input<double>(), plan.make_input<double>()};
  std::vector<Array<double>> vorticity{plan.make_input<double>()};
  auto expected = plan.make_input<double>();
  const auto fill_with = [&](Array<double>& array, auto value) {
    array.fill([&](const Point& at) {
      return value(2 * pi * static_cast<double>(at[0]) / 12, pi * static_cast<double>(at[1]) / 10);
    });
  };
  fill_with(u[0], [](double x, double y) { return std::sin(2 * y) + 0.3 * std::cos(x); });
  fill_with(u[1], [](double x, double y) { return std::sin(3 * x) * std::cos(4 * y); });
  fill_with(expected, [](double x, double y) {
    return 3 * std::cos(3 * x) * std::cos(4 * y) - 2 * std::cos(2 * y);
  });
  plan.apply<Complex>(u, vorticity, operators.curl<Complex>());
  EXPECT_LT(largest_difference(vorticity[0], expected), 1e-13);
}

/// Two outputs from three inputs, mode by mode.
template <class T>
void mix(T* const values[3], std::size_t i, double k) {
  const T a = values[0][i], b = values[1][i], c = values[2][i];
  values[0][i] = a * 0.5 + b * k;
  values[1][i] = c - a * (1 / (1 + k * k));
}

class SeveralFieldsTest : public testing::TestWithParam<std::string> {
 protected:
  /// The same as forward of each, a sweep over the spectra, and backward of each.
  template <class Physical, class Spectral>
  void expect_it_mixes(Kind kind, const std::string& options) const {
    Plan plan(MPI_COMM_WORLD, {9, 8, 10}, kind,
              Options::parse("engine_effort=estimate, exchange=" + GetParam() + options));
    std::vector<Array<Physical>> in, out, expected;
    std::vector<Array<Spectral>> spectra;
    for (int f = 0; f < 3; ++f) {
      in.push_back(plan.make_input<Physical>());
      fill(in.back(), f);
      spectra.push_back(plan.make_output<Spectral>());
      plan.forward(in.back(), spectra.back());
    }
    const Wavenumbers wavenumbers(plan);
    Spectral* const values[] = {spectra[0].data(), spectra[1].data(), spectra[2].data()};
    wavenumbers.for_each([&](const PerAxis<double>& k, double, std::size_t i) {
      mix(values, i, k[0] - 2 * k[1] + 3 * k[2]);
    });
    for (int f = 0; f < 2; ++f) {
      out.push_back(plan.make_input<Physical>());
      expected.push_back(plan.make_input<Physical>());
      plan.backward(spectra[static_cast<std::size_t>(f)], expected.back());
    }
    const FieldsFunction<Spectral> mixing = [](const SpectrumLines<Spectral>& lines) {
      for (std::size_t i = 0; i < lines.wavenumbers.size(); ++i)
        mix(lines.values.data(), i,
            lines.wavenumber(i, 0) - 2 * lines.wavenumber(i, 1) + 3 * lines.wavenumber(i, 2));
    };
    for (int round = 0; round < 2; ++round) {
      plan.apply<Spectral>(in, out, mixing);
      for (std::size_t f = 0; f < 2; ++f)
        EXPECT_LT(largest_difference(out[f], expected[f]), 1e-12) << to_string(kind) << options;
    }
  }
};

TEST_P(SeveralFieldsTest, AreMixedModeByMode) {
  for (const char* options : {"", ", fields=2, producer_chunks=2", ", decomposition=pencil"}) {
    expect_it_mixes<Complex, Complex>(Kind::c2c, options);
    expect_it_mixes<double, Complex>(Kind::r2c, options);
    expect_it_mixes<double, double>(Kind::dct2, options);
  }
}

INSTANTIATE_TEST_SUITE_P(Exchange, SeveralFieldsTest, testing::ValuesIn(exchanges_here()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace weft::test
