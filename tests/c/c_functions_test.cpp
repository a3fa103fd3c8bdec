// Functions of the spectrum, sums and wavenumbers of the C interface, beside those of C++.
#include <gtest/gtest.h>
#include <mpi.h>
#include <weft/weft.h>

#include <atomic>
#include <cmath>
#include <complex>
#include <string>
#include <vector>
#include <weft/weft.hpp>

#include "c/c_checks.hpp"
#include "support/ranks.hpp"

namespace weft::test {
namespace {

using Complex = std::complex<double>;

constexpr double pi = 3.14159265358979323846;
const Shape shape{12, 10, 8};
constexpr double edges[] = {2 * pi, pi, 3};
const std::vector<double> cxx_edges(edges, edges + 3);

/// A plan in each language, and a field with no symmetry.
class CFunctionsTest : public testing::TestWithParam<const char*> {
 protected:
  CFunctionsTest()
      : request_(Request::parse("shape=12x10x8 kind=r2c fields=3 " + std::string(GetParam()))),
        cxx_(MPI_COMM_WORLD, request_.transform, request_.options),
        c_(shape, "kind=r2c fields=3 " + std::string(GetParam())) {}

  Array<double> field(int seed) const {
    auto array = cxx_.make_input<double>();
    array.fill([&](const Point& x) {
      const auto place = static_cast<double>(x[0] + 13 * x[1] + 177 * x[2] + 1000 * seed);
      return std::sin(place * place);
    });
    return array;
  }
  Array<double> room() const {
    auto array = cxx_.make_input<double>();
    array.fill([](const Point&) { return NAN; });
    return array;
  }
  static void expect_equal(const Array<double>& a, const Array<double>& b) {
    EXPECT_TRUE(std::ranges::equal(a.span(), b.span()));
  }

  Request request_;
  Plan cxx_;
  CPlan c_;
};

struct Factor {
  double factor;
  std::atomic<int> lines = 0;
};

extern "C" void damp(const weft_line* line, void* user) {
  auto& factor = *static_cast<Factor*>(user);
  auto* const values = static_cast<Complex*>(line->values);
  for (int64_t i = 0; i < line->count; ++i) {
    double square = line->wavenumbers[i] * line->wavenumbers[i];
    for (int axis = 0; axis < 3; ++axis)
      if (axis != line->axis) square += line->at[axis] * line->at[axis];
    values[i] *= std::exp(-factor.factor * square);
  }
  ++factor.lines;
}

LineFunction<Complex> damped(double factor) {
  return [=](const SpectrumLine<Complex>& line) {
    for (std::size_t i = 0; i < line.values.size(); ++i) {
      double square = line.wavenumbers[i] * line.wavenumbers[i];
      for (int axis = 0; axis < 3; ++axis)
        if (axis != line.axis) square += line.at[axis] * line.at[axis];
      line.values[i] *= std::exp(-factor * square);
    }
  };
}

extern "C" void swap_and_add(const weft_lines* lines, void* user) {
  EXPECT_EQ(lines->fields, 2);
  auto* const a = static_cast<Complex*>(lines->values[0]);
  auto* const b = static_cast<Complex*>(lines->values[1]);
  for (int64_t i = 0; i < lines->count; ++i) {
    const Complex old = a[i];
    a[i] = b[i] * (1 + std::abs(lines->wavenumbers[i]));
    b[i] = old + *static_cast<double*>(user) * lines->at[lines->axis == 0 ? 1 : 0];
  }
}

TEST_P(CFunctionsTest, FunctionsWithTheCallersPointer) {
  auto in = field(1), out = room(), second = room(), expected = room(), other = room();
  Factor weak{0.01}, strong{0.1};
  expect_success(weft_apply(c_, in.data(), out.data(), damp, &weak));
  cxx_.apply<Complex>(in.data(), expected.data(), damped(0.01));
  expect_equal(out, expected);
  EXPECT_TRUE(in.size() == 0 || weak.lines > 0);
  void* const outs[] = {out.data(), second.data()};
  const weft_line_function functions[] = {damp, damp};
  void* const users[] = {&strong, &weak};
  expect_success(weft_apply_each(c_, in.data(), 2, outs, functions, users));
  cxx_.apply<Complex>(in.data(), std::vector{expected.data(), other.data()},
                      {damped(0.1), damped(0.01)});
  expect_equal(out, expected);
  expect_equal(second, other);
}

TEST_P(CFunctionsTest, FunctionsOfSeveralFields) {
  auto a = field(1), b = field(2), x = room(), y = room(), expected_x = room(), expected_y = room();
  double shift = 0.5;
  const void* const ins[] = {a.data(), b.data()};
  void* const outs[] = {x.data(), y.data()};
  expect_success(weft_apply_fields(c_, 2, ins, 2, outs, swap_and_add, &shift));
  cxx_.apply<Complex>(
      std::vector{a.data(), b.data()}, std::vector{expected_x.data(), expected_y.data()},
      [&](const SpectrumLines<Complex>& lines) {
        for (std::size_t i = 0; i < lines.wavenumbers.size(); ++i) {
          const Complex old = lines.values[0][i];
          lines.values[0][i] = lines.values[1][i] * (1 + std::abs(lines.wavenumbers[i]));
          lines.values[1][i] = old + shift * lines.at[lines.axis == 0 ? 1 : 0];
        }
      });
  expect_equal(x, expected_x);
  expect_equal(y, expected_y);
}

TEST_P(CFunctionsTest, OperatorsOfOneField) {
  const SpectralOperators operators(request_.transform, cxx_edges);
  auto in = field(3), out = room(), expected = room();
  const auto expect_operator = [&](const char* name, const LineFunction<Complex>& function) {
    SCOPED_TRACE(name);
    const void* const ins[] = {in.data()};
    void* const outs[] = {out.data()};
    expect_success(weft_apply_operator(c_, name, edges, 1, ins, 1, outs));
    cxx_.apply<Complex>(in.data(), expected.data(), function);
    expect_equal(out, expected);
  };
  expect_operator("laplacian", operators.laplacian<Complex>());
  expect_operator("inverse_laplacian", operators.inverse_laplacian<Complex>());
  expect_operator("gaussian 0.25", operators.gaussian<Complex>(0.25));
  expect_operator("sharp 2.5", operators.sharp<Complex>(2.5));
  expect_operator("derivative 1", operators.derivative<Complex>(1));
}

TEST_P(CFunctionsTest, OperatorsOfVectorFields) {
  const SpectralOperators operators(request_.transform, cxx_edges);
  std::vector<Array<double>> in, out, expected;
  for (int f = 0; f < 3; ++f) {
    in.push_back(field(f));
    out.push_back(room());
    expected.push_back(room());
  }
  const void* const ins[] = {in[0].data(), in[1].data(), in[2].data()};
  void* const outs[] = {out[0].data(), out[1].data(), out[2].data()};
  const auto expect_same = [&] {
    for (std::size_t f = 0; f < 3; ++f) expect_equal(out[f], expected[f]);
  };
  const auto pointers = [](auto& arrays) {
    return std::vector{arrays[0].data(), arrays[1].data(), arrays[2].data()};
  };
  expect_success(weft_apply_operator(c_, "curl", edges, 3, ins, 3, outs));
  cxx_.apply<Complex>(pointers(in), pointers(expected), operators.curl<Complex>());
  expect_same();
  expect_success(weft_apply_operator(c_, "projection", edges, 3, ins, 3, outs));
  cxx_.apply<Complex>(pointers(in), pointers(expected), operators.projection<Complex>());
  expect_same();
  expect_success(weft_apply_operator(c_, "gradient", edges, 1, ins, 3, outs));
  cxx_.apply<Complex>(in[0].data(), pointers(expected), operators.gradient<Complex>());
  expect_same();
  expect_success(weft_apply_operator(c_, "divergence", edges, 3, ins, 1, outs));
  cxx_.apply<Complex>(pointers(in), std::vector{expected[0].data()},
                      operators.divergence<Complex>());
  expect_same();
}

TEST_P(CFunctionsTest, WavenumbersAndSums) {
  const Wavenumbers periods(cxx_), angular(cxx_, cxx_edges);
  for (int axis = 0; axis < 3; ++axis) {
    const std::size_t count = periods.along(axis).size();
    std::vector<double> k(count + 1, -99), weights(count + 1, -99), kappa(count + 1, -99);
    expect_success(weft_wavenumbers(c_, axis, nullptr, k.data(), weights.data()));
    expect_success(weft_wavenumbers(c_, axis, edges, kappa.data(), nullptr));
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(k[i], periods.along(axis)[i]);
      EXPECT_EQ(weights[i], periods.weights(axis)[i]);
      EXPECT_EQ(kappa[i], angular.along(axis)[i]);
    }
    EXPECT_EQ(k[count] + weights[count] + kappa[count], 3 * -99);
  }
  auto in = field(4);
  auto spectrum = cxx_.make_output<Complex>();
  cxx_.forward(in, spectrum);
  double mean = NAN, sum[2] = {NAN, NAN};
  expect_success(weft_mean_square(c_, WEFT_INPUT, in.data(), &mean));
  EXPECT_EQ(mean, mean_square(cxx_, Side::input, in));
  expect_success(weft_mean_square(c_, WEFT_OUTPUT, spectrum.data(), &mean));
  EXPECT_EQ(mean, mean_square(cxx_, Side::output, spectrum));
  expect_success(weft_global_sum(c_, WEFT_INPUT, in.data(), sum));
  EXPECT_EQ(Complex(sum[0], sum[1]), Complex(global_sum(cxx_, in)));
  expect_success(weft_global_sum(c_, WEFT_OUTPUT, spectrum.data(), sum));
  EXPECT_EQ(Complex(sum[0], sum[1]), global_sum(cxx_, spectrum));
  const std::vector<double> expected = energy_by_shell(cxx_, spectrum, cxx_edges);
  int64_t shells = 0;
  expect_success(weft_energy_by_shell(c_, spectrum.data(), edges, 0, nullptr, &shells));
  ASSERT_EQ(shells, std::ssize(expected));
  std::vector<double> energy(expected.size());
  expect_success(weft_energy_by_shell(c_, spectrum.data(), edges, shells, energy.data(), nullptr));
  EXPECT_EQ(energy, expected);
}

INSTANTIATE_TEST_SUITE_P(Options, CFunctionsTest,
                         testing::Values("", "exchange=p2p threads=2", "decomposition=pencil"),
                         [](const auto& one) { return "case" + std::to_string(one.index); });

TEST(CTest, TheNumberOfAnOperatorMayBeWrong) {
  const CPlan plan(shape, "kind=r2c");
  weft_array in = nullptr;
  expect_success(weft_array_make(plan, WEFT_INPUT, &in));
  const void* const ins[] = {weft_array_data(in)};
  void* const outs[] = {weft_array_data(in)};
  for (const char* name : {"nabla", "gaussian", "gaussian x", "laplacian 2", "derivative 7",
                           "derivative 0.5", "curl", "gaussian 1 2"}) {
    EXPECT_EQ(weft_apply_operator(plan, name, edges, 1, ins, 1, outs), WEFT_ERROR_ARGUMENT) << name;
    EXPECT_NE(std::string(weft_error()), "");
  }
  expect_success(weft_apply_operator(plan, "gaussian 1", edges, 1, ins, 1, outs));
  weft_array_drop(&in);
}

TEST(CTest, ThePackedPlane) {
  const CPlan plan(shape, "kind=r2c_packed");
  Plan cxx(MPI_COMM_WORLD, Transform(shape, Kind::r2c_packed));
  auto field = cxx.make_input<double>();
  field.fill([](const Point& x) {
    return std::cos(static_cast<double>(x[0] * x[0] + 3 * x[1] + 7 * x[2] * x[1]));
  });
  auto spectrum = cxx.make_output<Complex>();
  cxx.forward(field, spectrum);
  weft_box box;
  expect_success(weft_packed_plane(plan, &box));
  const Box expected_box = cxx.packed_plane();
  EXPECT_EQ(Point(box.lower, box.lower + 3), expected_box.lower);
  EXPECT_EQ(Point(box.upper, box.upper + 3), expected_box.upper);
  const auto count = static_cast<std::size_t>(expected_box.volume());
  std::vector<Complex> mean(count), nyquist(count), expected(count), other(count);
  expect_success(weft_unpack_plane(plan, spectrum.data(), mean.data(), nyquist.data()));
  cxx.unpack_plane(spectrum.data(), expected.data(), other.data());
  EXPECT_EQ(mean, expected);
  EXPECT_EQ(nyquist, other);
  for (Complex& value : mean) value *= 2;
  auto copy = cxx.make_output<Complex>();
  std::ranges::copy(spectrum.span(), copy.data());
  expect_success(weft_pack_plane(plan, mean.data(), nyquist.data(), spectrum.data()));
  cxx.pack_plane(mean.data(), other.data(), copy.data());
  EXPECT_TRUE(std::ranges::equal(spectrum.span(), copy.span()));
}

TEST(CHaloTest, FillsWhatCxxFills) {
  const Layout layout = Layout::slabs({6, 5}, world_ranks());
  const GhostCells cells{{1, 2}, {2, 0}, {true, false}};
  Halo halo(MPI_COMM_WORLD, layout, cells, sizeof(double));
  auto expected = halo.make_array<double>();
  auto filled = halo.make_array<double>();
  for (auto* array : {&expected, &filled})
    array->fill([](const Point& at) { return static_cast<double>(1 + 10 * at[0] + at[1]); });
  halo.update(expected);

  const int64_t shape[] = {6, 5}, below[] = {1, 2}, above[] = {2, 0};
  const int periodic[] = {1, 0};
  weft_layout c_layout = nullptr, with_room = nullptr;
  weft_halo c_halo = nullptr;
  ASSERT_EQ(weft_layout_slabs(2, shape, world_ranks(), 0, &c_layout), WEFT_SUCCESS);
  ASSERT_EQ(weft_halo_create(MPI_COMM_WORLD, c_layout, below, above, periodic, 1, sizeof(double),
                             &c_halo),
            WEFT_SUCCESS);
  int64_t allocated = 0, offset = 0;
  EXPECT_EQ(weft_halo_sizes(c_halo, &allocated, &offset), WEFT_SUCCESS);
  EXPECT_EQ(allocated, halo.allocated());
  EXPECT_EQ(offset, halo.offset());
  EXPECT_EQ(weft_halo_layout(c_halo, &with_room), WEFT_SUCCESS);
  weft_part part;
  EXPECT_EQ(weft_layout_part(with_room, world_rank(), &part), WEFT_SUCCESS);
  EXPECT_EQ(part.allocated, halo.allocated());
  EXPECT_EQ(weft_halo_start(c_halo, filled.data()), WEFT_SUCCESS);
  EXPECT_EQ(weft_halo_wait(c_halo), WEFT_SUCCESS);
  const double* const first = expected.data() - offset;
  EXPECT_TRUE(std::equal(first, first + allocated, filled.data() - offset));
  EXPECT_EQ(weft_halo_update(c_halo, filled.data()), WEFT_SUCCESS);
  weft_halo_drop(&c_halo);
  EXPECT_EQ(c_halo, nullptr);
  EXPECT_EQ(weft_halo_create(MPI_COMM_WORLD, c_layout, below, above, periodic, 1, 3, &c_halo),
            WEFT_ERROR_ARGUMENT);
  EXPECT_EQ(weft_halo_wait(nullptr), WEFT_ERROR_ARGUMENT);
  weft_layout_drop(&with_room);
  weft_layout_drop(&c_layout);
}

}  // namespace
}  // namespace weft::test
