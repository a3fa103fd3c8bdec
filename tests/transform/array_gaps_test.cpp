// Arrays with gaps: padded rows, ghost cells, components of a vector field; and a scale for one
// call. The reference is the same transform of contiguous arrays, which other tests check.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <weft/plan.hpp>

#include "cases/cases.hpp"
#include "cases/local_array.hpp"
#include "cases/run_case.hpp"
#include "support/error_checks.hpp"
#include "support/ranks.hpp"

namespace weft::test {
namespace {

using Complex = std::complex<double>;

const std::vector<Shape> shapes{{8, 6, 10}, {7, 5, 3}, {1, 4, 9}, {3, 1, 1}, {13, 11}};

/// A value for every point, the same on all ranks.
double value_at(const Point& point) {
  double phase = 0.3;
  for (Index index : point) phase = 1.7 * phase + std::sin(static_cast<double>(index) + phase);
  return phase;
}

template <class T>
std::vector<T> filled(const Place& place) {
  std::vector<T> memory(static_cast<std::size_t>(span_of(place)));
  poison(memory.data(), memory.size() * sizeof(T));
  array_at(memory.data(), place).fill([](const Point& point) { return value_at(point); });
  return memory;
}

/// Elements of two arrays over the same box, compared; how far apart they are at most.
template <class T>
double distance(const T* data, const Place& place, const T* expected, const Place& expected_place) {
  double worst = 0;
  const Array<T> reference = array_at(const_cast<T*>(expected), expected_place);
  array_at(const_cast<T*>(data), place).for_each([&](const Point& point, const T& element) {
    const double error = std::abs(element - reference.at(point));
    if (!(error <= worst)) worst = error;
  });
  return worst;
}

double bound(const Shape& shape) { return 1e-13 * static_cast<double>(volume(shape)); }

class ArrayGapsTest : public testing::TestWithParam<std::string> {
 protected:
  Options options() const { return Options::parse("exchange=" + GetParam()); }
};

/// FFTW's in-place form: n real numbers in rows of 2 (n/2 + 1).
TEST_P(ArrayGapsTest, RealRowsArePaddedInPlace) {
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(to_string(shape));
    const int last = shape.size() - 1;
    auto extra = PerAxis<Index>::filled(shape.size(), 0);
    extra[last] = 2 * (shape[last] / 2 + 1) - shape[last];
    const Transform transform(shape, Kind::r2c);
    const Layout rows = Layout::slabs(shape, world_ranks()).padded(extra);
    const Layout spectrum = Layout::slabs(transform.spectral_shape(), world_ranks());
    Plan plan(MPI_COMM_WORLD, transform, rows, spectrum, options());
    Plan usual(MPI_COMM_WORLD, transform, rows.contiguous(), spectrum, options());
    EXPECT_EQ(plan.in_place_bytes(), usual.output_size() * sizeof(Complex));

    const Place place = input_place(plan, world_rank()),
                usual_place = input_place(usual, world_rank());
    std::vector<double> array = filled<double>(place);
    array.resize(plan.in_place_bytes() / sizeof(double));
    const std::vector<double> input = filled<double>(usual_place);
    std::vector<Complex> expected(static_cast<std::size_t>(usual.output_size()));
    usual.forward(input.data(), expected.data());
    auto* const modes = reinterpret_cast<Complex*>(array.data());
    plan.forward(array.data(), modes);
    const Place there = output_place(plan, world_rank());
    EXPECT_LE(distance(modes, there, expected.data(), there), bound(shape));
    plan.backward(modes, array.data());
    EXPECT_LE(distance(array.data(), place, input.data(), usual_place), bound(shape));
  }
}

/// Cells around the inner ones are neither read nor written.
TEST_P(ArrayGapsTest, GhostCellsStay) {
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(to_string(shape));
    const auto ghosts = PerAxis<Index>::filled(shape.size(), 4);
    const Layout inner = Layout::slabs(shape, world_ranks()).padded(ghosts);
    Plan plan(MPI_COMM_WORLD, Transform(shape, Kind::c2c), inner, inner, options());
    const Place place = input_place(plan, world_rank());
    const Index size = inner.allocated(world_rank());
    Index first = 0;
    for (Index stride : place.strides) first += 2 * stride;
    std::vector<Complex> in(static_cast<std::size_t>(size)), out(in.size());
    for (auto* array : {&in, &out}) poison(array->data(), array->size() * sizeof(Complex));
    const bool any = size > 0;
    if (any)
      array_at(in.data() + first, place).fill([](const Point& point) { return value_at(point); });
    const std::vector<Complex> before = in;
    plan.forward(any ? in.data() + first : nullptr, any ? out.data() + first : nullptr);
    EXPECT_EQ(any && std::memcmp(in.data(), before.data(), in.size() * sizeof(Complex)) != 0,
              false);
    plan.backward(any ? out.data() + first : nullptr, any ? in.data() + first : nullptr);
    if (!any) continue;
    EXPECT_LE(distance(in.data() + first, place, before.data() + first, place), bound(shape));
    const std::vector<Complex> inside(in.begin() + first, in.end());
    EXPECT_TRUE(gaps_are_poisoned(inside.data(), place));
    const auto* const bytes = reinterpret_cast<const unsigned char*>(in.data());
    EXPECT_TRUE(std::all_of(bytes, bytes + first * static_cast<Index>(sizeof(Complex)),
                            [](unsigned char byte) { return byte == 0xff; }));
  }
}

/// Components of a vector field next to each other, transformed as fields at once and one by one.
TEST_P(ArrayGapsTest, ComponentsInterleave) {
  constexpr int components = 3;
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(to_string(shape));
    const Layout boxes = Layout::slabs(shape, world_ranks());
    PerAxis<Index> strides = boxes.strides(world_rank());
    for (Index& stride : strides) stride = std::max<Index>(1, stride) * components;
    const Layout component = boxes.strided(strides);
    Options three = options();
    three.fields = components;
    const Transform transform(shape, Kind::c2c);
    Plan plan(MPI_COMM_WORLD, transform, component, component, three);
    Plan usual(MPI_COMM_WORLD, transform, boxes, boxes, options());

    const Place place = input_place(plan, world_rank()),
                usual_place = input_place(usual, world_rank());
    const std::vector<Complex> one = filled<Complex>(usual_place);
    std::vector<Complex> expected(one.size());
    usual.forward(one.data(), expected.data());
    std::vector<Complex> vector(components * one.size());
    for (int c = 0; c < components && !one.empty(); ++c)
      array_at(vector.data() + c, place).fill([&](const Point& point) {
        return static_cast<double>(c + 1) * value_at(point);
      });
    std::vector<const Complex*> in;
    std::vector<Complex*> out;
    for (int c = 0; c < components; ++c) {
      in.push_back(one.empty() ? nullptr : vector.data() + c);
      out.push_back(one.empty() ? nullptr : vector.data() + c);
    }
    plan.forward(in, out);
    for (int c = 0; c < components && !one.empty(); ++c) {
      std::vector<Complex> scaled = expected;
      for (Complex& mode : scaled) mode *= c + 1;
      EXPECT_LE(distance(vector.data() + c, place, scaled.data(), usual_place),
                components * bound(shape));
    }
    for (int c = 0; c < components; ++c) plan.backward(in[c], out[c], 1.0 / (c + 1));
    for (int c = 0; c < components && !one.empty(); ++c)
      EXPECT_LE(distance(vector.data() + c, place, one.data(), usual_place), bound(shape));
  }
}

TEST_P(ArrayGapsTest, AScaleMultipliesTheResultOfOneCall) {
  const Shape shape{6, 5, 8};
  for (const Kind kind : {Kind::r2c, Kind::none})
    for (const char* arrays : {"any", "plan"}) {
      Options given = options();
      given.arrays = arrays == std::string("any") ? Arrays::any : Arrays::plan;
      Transform transform = kind == Kind::none ? Transform(shape, std::vector<Kind>(3, kind))
                                               : Transform(shape, kind);
      transform.scale.rule = Scale::Rule::forward;
      const Layout input = Layout::slabs(shape, world_ranks(), 0);
      const Layout output = Layout::slabs(transform.spectral_shape(), world_ranks(), 1);
      Plan plan(MPI_COMM_WORLD, transform, input, output, given);
      with_element_types(plan, [&]<class In, class Out>(In, Out) {
        auto in = plan.input<In>();
        auto out = plan.output<Out>();
        const auto set = [&] { in.fill([](const Point& point) { return value_at(point); }); };
        set();
        plan.forward(in, out);
        const std::vector<Out> plain(out.span().begin(), out.span().end());
        set();
        plan.forward(in, out, -2.5);
        for (std::size_t i = 0; i < plain.size(); ++i)
          EXPECT_LE(std::abs(out.span()[i] + Out(2.5) * plain[i]), 1e-12);
        set();
        Handle started = plan.start_forward(in, out, 4);
        started.wait();
        for (std::size_t i = 0; i < plain.size(); ++i)
          EXPECT_LE(std::abs(out.span()[i] - Out(4) * plain[i]), 1e-12);
        plan.backward(out, in, 0.25);
        in.for_each([](const Point& point, const In& element) {
          EXPECT_LE(std::abs(element - In(value_at(point))), 1e-12);
        });
        plan.forward(in, out);
        for (std::size_t i = 0; i < plain.size(); ++i)
          EXPECT_LE(std::abs(out.span()[i] - plain[i]), 1e-12) << "the scale is of one call";
      });
    }
}

INSTANTIATE_TEST_SUITE_P(Exchange, ArrayGapsTest, testing::ValuesIn(exchanges_here()),
                         [](const auto& one) { return one.param; });

TEST(ArrayGapsErrors, NameTheLayoutAndTheStride) {
  const Shape shape{4, 6, 8};
  const Layout slabs = Layout::slabs(shape, world_ranks());
  const auto planned = [&](const Layout& input) {
    return [=] { Plan(MPI_COMM_WORLD, Transform(shape, Kind::c2c), input, Layout()); };
  };
  expect_error([&] { slabs.padded({1, 2}); }, {"padding 1, 2"});
  expect_error([&] { slabs.padded({0, 0, -1}); }, {"-1"});
  expect_error([&] { slabs.strided({48, 8, 0}); }, {"at least 1"});
  if (4 > world_ranks())  // else no rank has two planes
    expect_error(planned(slabs.strided({40, 8, 1})),
                 {"input layout: with strides 40x8x1", "axis 0 must be at least 48"});
  if (world_ranks() == 1) return;
  expect_error(planned(world_rank() == 0 ? slabs.padded({0, 0, 1}) : slabs), {"input layout"});
}

TEST(ArrayGapsErrors, InPlaceExchangesNeedContiguousArrays) {
  const Shape shape{world_ranks(), world_ranks(), 6};
  const Layout padded = Layout::slabs(shape, world_ranks()).padded({0, 0, 2});
  expect_error(
      [&] {
        Plan(MPI_COMM_WORLD, Transform(shape, Kind::c2c), padded, Layout(),
             Options::parse("exchange=pairwise_in_place"));
      },
      {"gaps between its elements"});
}

}  // namespace
}  // namespace weft::test
