// Plans of kind none that move elements of any type: bit by bit, whatever the bits would mean as
// numbers.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <weft/plan.hpp>

#include "machine/mixed_bits.hpp"
#include "support/errors_on_all_ranks.hpp"
#include "support/ranks.hpp"

namespace weft::test {
namespace {

using Sixteen = std::array<std::uint64_t, 2>;

/// Random bits for every point, the same on all ranks; every other element is a signalling NaN.
template <class T>
T bits_at(const Point& point) {
  std::uint64_t seed = 17;
  for (const Index index : point) seed = mixed_bits(seed + static_cast<std::uint64_t>(index));
  if (seed % 2) seed = (seed | 0x7FF4'0000'7FA0'0000) & ~0x0008'0000'0040'0000ULL;
  if constexpr (sizeof(T) == 16)
    return std::bit_cast<T>(Sixteen{seed, mixed_bits(seed)});
  else if constexpr (std::is_same_v<T, bool>)
    return seed % 2 == 0;
  else
    return static_cast<T>(seed);
}

template <class T>
void fill(Array<T> array) {
  array.for_each([](const Point& point, T& element) {
    const T bits = bits_at<T>(point);
    std::memcpy(&element, &bits, sizeof(T));
  });
}

template <class T>
Index wrong_elements(Array<T> array) {
  Index wrong = 0;
  array.for_each([&](const Point& point, T& element) {
    const T bits = bits_at<T>(point);
    wrong += std::memcmp(&element, &bits, sizeof(T)) != 0;
  });
  return wrong;
}

Transform moving(const Shape& shape, std::size_t bytes) {
  Transform transform(shape, Kind::none);
  transform.element_bytes = static_cast<int>(bytes);
  return transform;
}

template <class T>
void check(const Shape& shape, const Layout& from, const Layout& to, const Options& options) {
  Plan plan(MPI_COMM_WORLD, moving(shape, sizeof(T)), from, to, options);
  auto in = plan.make_input<T>();
  auto out = plan.make_output<T>();
  fill(in);
  plan.forward(in, out);
  EXPECT_EQ(wrong_elements(out), 0) << sizeof(T) << " bytes, forward";
  auto back = plan.make_input<T>();
  plan.backward(out, back);
  EXPECT_EQ(wrong_elements(back), 0) << sizeof(T) << " bytes, backward";
}

class PlainElementsTest : public testing::TestWithParam<std::string> {
 protected:
  static Layout pencils(const Shape& shape, int local) {
    std::array<int, 2> grid{1, world_ranks()};
    if (world_ranks() % 2 == 0) grid = {2, world_ranks() / 2};
    return Layout::pencils(shape, {grid[0], grid[1]}, local);
  }
  static void check_all(const Shape& shape, const Layout& from, const Layout& to,
                        const Options& options) {
    running("elements of any type of " + to_string(shape) + " by " + options.exchange);
    check<bool>(shape, from, to, options);
    check<std::uint8_t>(shape, from, to, options);
    check<std::int16_t>(shape, from, to, options);
    check<float>(shape, from, to, options);
    check<std::uint64_t>(shape, from, to, options);
    check<std::complex<double>>(shape, from, to, options);
  }
};

TEST_P(PlainElementsTest, ArriveBitByBit) {
  Options options = Options::parse("exchange=" + GetParam());
  const Shape shape{7, 6, 10};
  check_all(shape, pencils(shape, 2), pencils(shape, 0).ordered({1, 2, 0}), options);
  options.producer_chunks = 2;
  options.consumer_chunks = 3;
  check_all({9, 5, 8}, Layout::slabs({9, 5, 8}, world_ranks()),
            Layout::slabs({9, 5, 8}, world_ranks(), 2).ordered({2, 1, 0}), options);
}

/// A short last axis is moved as one element: 3 bytes stay 3, and 2, 4 and 8 become one.
TEST_P(PlainElementsTest, OfAShortLastAxisStayTogether) {
  const Options options = Options::parse("exchange=" + GetParam());
  for (const Index last : {2, 3, 4, 8, 16}) {
    const Shape shape{5, 6, last};
    check_all(shape, Layout::slabs(shape, world_ranks()),
              Layout::slabs(shape, world_ranks(), 1).ordered({1, 0, 2}), options);
  }
}

INSTANTIATE_TEST_SUITE_P(Exchanges, PlainElementsTest, testing::ValuesIn(exchanges_here()),
                         [](const auto& info) { return info.param; });

TEST(PlainElementsErrors, ThatNumbersDoNotHave) {
  const Transform four = moving({6, 5, 4}, 4);
  expect_plan_error(moving({6, 5, 4}, 3), {}, {"bytes 3", "1, 2, 4, 8 and 16"});
  Transform scaled = four;
  scaled.scale = {Scale::Rule::number, 2};
  expect_plan_error(scaled, {}, {"bytes 4", "scale 2"});
  Transform c2c({6, 5, 4}, Kind::c2c);
  c2c.element_bytes = 16;
  expect_plan_error(c2c, {}, {"bytes 16", "kind c2c", "kind none"});
  expect_plan_error(four, Options::parse("verify=1"), {"verify", "4 bytes"});
  const Layout rows = Layout::slabs(four.shape, world_ranks());
  const Layout columns = Layout::slabs(four.shape, world_ranks(), 1);
  const Options short_wire = Options::parse("exchange=alltoallv wire=float");
  if (world_ranks() > 1)
    expect_error_everywhere([&] { Plan(MPI_COMM_WORLD, four, rows, columns, short_wire); },
                            {"wire float", "4 bytes"});
}

TEST(PlainElementsErrors, OfCallsNameTheSize) {
  Plan plan(MPI_COMM_WORLD, moving({6, 5, 4}, 4), Options::parse("errors=raise"));
  auto in = plan.make_input<std::int32_t>();
  auto out = plan.make_output<std::int32_t>();
  expect_error_everywhere([&] { plan.forward(in, out, 2.0); }, {"scale 2", "4 bytes"});
  std::vector<double> wide(in.span().size() + 1);
  expect_error_everywhere([&] { plan.forward(wide, out); }, {"double", "4 bytes"});
  expect_error_everywhere([&] { plan.apply<float>(in, out, [](const SpectrumLine<float>&) {}); },
                          {"apply", "4 bytes"});
  std::vector<std::int32_t> ints(wide.size());
  Plan numbers(MPI_COMM_WORLD, Transform({6, 5, 4}, Kind::none), Options::parse("errors=raise"));
  expect_error_everywhere([&] { numbers.forward(ints, ints); }, {"4 bytes", "double"});
}

TEST(PlainElementsText, IsASettingOfTheTransform) {
  const Transform read = Transform::parse("shape=4x5 kind=none bytes=16");
  EXPECT_EQ(read.element_bytes, 16);
  EXPECT_EQ(Transform::parse(to_string(read)).element_bytes, 16);
}

}  // namespace
}  // namespace weft::test
