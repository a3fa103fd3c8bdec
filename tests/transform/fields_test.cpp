// The forms of arrays that a plan's calls accept: every form gives the same numbers, sizes are
// checked, and only an Array of the plan is delivered into.
#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <vector>
#include <weft/plan.hpp>

#include "support/error_checks.hpp"
#include "support/ranks.hpp"

namespace weft::test {
namespace {

using Complex = std::complex<double>;

class FieldsTest : public testing::Test {
 protected:
  Plan plan(const std::string& options = "fields=2") const {
    return Plan(MPI_COMM_WORLD, {6, 10, 7}, Kind::r2c, Options::parse(options));
  }
  /// Numbers that depend on nothing but the global index.
  template <class T>
  void fill(Array<T>& array, double shift = 0) const {
    array.fill([&](const Point& at) {
      return std::sin(static_cast<double>(at[0] * 31 + at[1] * 7 + at[2]) + shift);
    });
  }
  template <class T>
  void expect_same(const Array<T>& a, const Array<T>& b) const {
    const auto first = a.span(), second = b.span();
    EXPECT_TRUE(std::equal(first.begin(), first.end(), second.begin(), second.end()));
  }
};

TEST_F(FieldsTest, EveryFormGivesTheSameNumbers) {
  Plan plan = this->plan();
  auto in = plan.make_input<double>();
  fill(in);
  auto expected = plan.make_output<Complex>();
  plan.forward(in.data(), expected.data());

  auto array = plan.make_output<Complex>();
  plan.forward(in, array);
  expect_same(array, expected);

  const std::vector<double> vector(in.span().begin(), in.span().end());
  std::vector<Complex> result(expected.span().size());
  plan.forward(vector, result);
  EXPECT_TRUE(std::equal(result.begin(), result.end(), expected.span().begin()));

  auto spanned = plan.make_output<Complex>();
  plan.forward(std::span<const double>(vector), spanned.span());
  expect_same(spanned, expected);

  auto own = plan.output<Complex>();
  plan.forward(in, own);
  expect_same(own, expected);

  auto started = plan.make_output<Complex>();
  plan.start_forward(in, started).wait();
  expect_same(started, expected);
}

TEST_F(FieldsTest, SeveralFieldsAreRanges) {
  Plan plan = this->plan();
  std::array<Array<double>, 2> in{plan.make_input<double>(), plan.make_input<double>()};
  std::vector<Array<Complex>> out{plan.make_output<Complex>(), plan.make_output<Complex>()};
  auto expected = plan.make_output<Complex>();
  for (int f = 0; f < 2; ++f) fill(in[f], f);
  plan.forward(in, out);
  for (int f = 0; f < 2; ++f) {
    plan.forward(in[f], expected);
    expect_same(out[f], expected);
  }
  const std::vector<const double*> sources{in[0].data(), in[1].data()};
  const std::array<Complex*, 2> targets{out[1].data(), out[0].data()};
  plan.forward(sources, targets);
  expect_same(out[0], expected);
  auto back = plan.make_input<double>();
  plan.backward(out[0], back);
  for (std::size_t i = 0; i < back.span().size(); ++i)
    EXPECT_NEAR(back.span()[i], in[1].span()[i], 1e-14);
}

TEST_F(FieldsTest, SizesAreChecked) {
  Plan plan = this->plan();
  auto in = plan.make_input<double>();
  auto out = plan.make_output<Complex>();
  if (plan.input_size() == 0 || plan.output_size() == 0) GTEST_SKIP() << "this rank holds nothing";
  std::vector<double> small(static_cast<std::size_t>(plan.input_size()) - 1);
  std::vector<Complex> few(static_cast<std::size_t>(plan.output_size()) - 1);
  expect_error([&] { plan.forward(small, out); }, {"forward", "input", "this rank needs"});
  expect_error([&] { plan.forward(in, few); }, {"forward", "output", "this rank needs"});
  expect_error([&] { plan.start_backward(few, in); }, {"start_backward", "input"});
}

TEST_F(FieldsTest, APointerIsNeverDeliveredInto) {
  if (world_ranks() == 1 || !on_one_node()) GTEST_SKIP() << "wants windows";
  const Shape shape{6, 5, 8};
  Plan plan(MPI_COMM_WORLD, Transform(shape, Kind::c2c), Layout::slabs(shape, world_ranks(), 0),
            Layout::slabs(shape, world_ranks(), 1), Options::parse("arrays=plan, exchange=shared"));
  auto in = plan.input<Complex>(), out = plan.output<Complex>();
  plan.forward(in, out);
  expect_error([&] { plan.forward(in.data(), out.data()); }, {"arrays=plan"});
}

TEST_F(FieldsTest, NewArraysAreApart) {
  Plan plan = this->plan();
  auto a = plan.make_input<double>(), b = plan.make_input<double>();
  for (const double value : a.span()) EXPECT_EQ(value, 0);
  fill(a);
  for (const double value : b.span()) EXPECT_EQ(value, 0);
  expect_error([&] { plan.make_input<Complex>(); }, {"make_input", "double"});
  expect_error([&] { plan.make_output<float>(); }, {"make_output"});
}

}  // namespace
}  // namespace weft::test
