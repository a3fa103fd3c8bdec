// The SIMD copies against element-by-element ones: every element type, odd sizes, any alignment.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "truth/truth.hpp"
#include "view/copy_kernels.hpp"
#include "view/strided_copy.hpp"

namespace weft {
namespace {

constexpr Element elements[]{{Precision::double_, false},      {Precision::double_, true},
                             {Precision::single_, false},      {Precision::single_, true},
                             {.real = true, .plain_bytes = 1}, {.real = true, .plain_bytes = 2},
                             {.real = true, .plain_bytes = 4}, {.real = true, .plain_bytes = 8},
                             {.real = true, .plain_bytes = 16}};

std::vector<std::byte> random_reals(const Element& element, std::size_t bytes) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> distribution(-1, 1);
  std::vector<std::byte> data(bytes);
  if (element.plain_bytes > 0) {
    for (std::byte& one : data) one = static_cast<std::byte>(generator());
    return data;
  }
  for (std::size_t at = 0; at + 8 <= bytes; at += element.real_bytes()) {
    const double value = distribution(generator);
    const float single = static_cast<float>(value);
    if (element.precision == Precision::double_)
      std::memcpy(&data[at], &value, 8);
    else
      std::memcpy(&data[at], &single, 4);
  }
  return data;
}

/// The new value of one element. Those that are no numbers have no factor.
void expect_element(const Element& element, const std::byte* source, const std::byte* target,
                    double factor) {
  if (element.plain_bytes > 0) {
    ASSERT_EQ(std::memcmp(source, target, static_cast<std::size_t>(element.bytes())), 0);
    return;
  }
  for (int c = 0; c < element.components(); ++c) {
    if (element.precision == Precision::double_) {
      double in, out;
      std::memcpy(&in, source + 8 * c, 8);
      std::memcpy(&out, target + 8 * c, 8);
      ASSERT_EQ(out, in * factor);
    } else {
      float in, out;
      std::memcpy(&in, source + 4 * c, 4);
      std::memcpy(&out, target + 4 * c, 4);
      ASSERT_EQ(out, in * static_cast<float>(factor));
    }
  }
}

struct Shape2 {
  Index rows, columns;
};

void check(const Element& element, Shape2 shape, bool transposed, bool stream, double factor,
           Index misalignment) {
  const Index bytes = element.bytes();
  const Index source_stride = (shape.columns + 3) * bytes;
  const Index target_stride = ((transposed ? shape.rows : shape.columns) + misalignment) * bytes;
  const auto source =
      random_reals(element, static_cast<std::size_t>(source_stride * (shape.rows + 1)));
  constexpr std::byte untouched{0xa5};
  const Index target_rows = transposed ? shape.columns : shape.rows;
  const Index length = transposed ? shape.rows : shape.columns;
  std::vector<std::byte> memory(static_cast<std::size_t>(target_stride * (target_rows + 1) + 256),
                                untouched);
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  std::byte* const target = memory.data() + (64 - address % 64) % 64 + misalignment * bytes;
  const CopyKernels kernels =
      copy_kernels(element, factor != 1 ? Scaling::by_factor : Scaling::none);
  const CopyKernel kernel = transposed ? (stream ? kernels.transposed_stream : kernels.transposed)
                                       : (stream ? kernels.rows_stream : kernels.rows);
  kernel(source.data(), source_stride, target, target_stride, shape.rows, shape.columns, factor);
  store_fence();
  for (Index r = 0; r < shape.rows; ++r)
    for (Index c = 0; c < shape.columns; ++c)
      expect_element(
          element, &source[r * source_stride + c * bytes],
          target + (transposed ? c * target_stride + r * bytes : r * target_stride + c * bytes),
          factor);
  // Nothing between and after the runs was touched.
  for (Index row = 0; row < target_rows; ++row)
    for (Index at = length * bytes; at < target_stride; ++at)
      ASSERT_EQ(target[row * target_stride + at], untouched);
}

TEST(CopyKernels, EveryElementSizeAlignmentAndForm) {
  for (const Element& element : elements)
    for (bool transposed : {false, true})
      for (bool stream : {false, true})
        for (double factor : {1.0, 0.375})
          for (Index misalignment : {0, 1, 3})
            for (Shape2 shape : {Shape2{1, 1}, Shape2{3, 5}, Shape2{4, 4}, Shape2{7, 16},
                                 Shape2{16, 33}, Shape2{32, 32}, Shape2{37, 19}})
              check(element, shape, transposed, stream, factor, misalignment);
}

TEST(StridedCopy, AnyOrderOfAxesOnBothSides) {
  const Shape extents{3, 5, 4, 6};
  const Index bytes = 16;
  const Element element{Precision::double_, false};
  const auto source = random_reals(element, static_cast<std::size_t>(volume(extents) * bytes));
  for (const Order& from : {Order{0, 1, 2, 3}, Order{3, 1, 0, 2}, Order{2, 0, 3, 1}})
    for (const Order& to : {Order{0, 1, 2, 3}, Order{1, 2, 3, 0}, Order{3, 2, 1, 0}}) {
      const Piece in{Box::whole(extents), 0, byte_strides(extents, from, bytes)};
      std::vector<std::byte> memory(source.size());
      const Piece out{Box::whole(extents), 0, byte_strides(extents, to, bytes)};
      const CopyKernels kernels = copy_kernels(element, Scaling::none);
      StridedCopy{&kernels, bytes, bytes, 1, false}(source.data(), in.strides, memory.data(),
                                                    out.strides, extents);
      for (Index i = 0; i < 3; ++i)
        for (Index j = 0; j < 5; ++j)
          for (Index k = 0; k < 4; ++k)
            for (Index l = 0; l < 6; ++l)
              ASSERT_EQ(std::memcmp(source.data() + in.offset_of({i, j, k, l}),
                                    memory.data() + out.offset_of({i, j, k, l}), 16),
                        0);
    }
}

}  // namespace
/// The value of a complex number after it was rounded for a message.
std::complex<double> sent_as(Wire wire, std::complex<double> value) {
  const Element element{Precision::double_, false};
  const Element short_form{Precision::double_, false, wire};
  std::array<std::byte, 16> form{}, result{};
  copy_kernels(element, short_form, Scaling::none)
      .rows(reinterpret_cast<const std::byte*>(&value), 0, form.data(), 0, 1, 1, 1);
  copy_kernels(short_form, element, Scaling::none).rows(form.data(), 0, result.data(), 0, 1, 1, 1);
  return std::bit_cast<std::complex<double>>(result);
}

TEST(WireKernels, RoundAsTheySay) {
  std::uint64_t state = 5;
  const auto random = [&] {
    state = test::mixed(state);
    return static_cast<double>(static_cast<std::int64_t>(state)) * 0x1p-63;
  };
  for (int i = 0; i < 20000; ++i) {
    const double size = std::ldexp(1.0, static_cast<int>(state % 200) - 100);
    const std::complex<double> value{size * random(), size * random()};
    const double largest = std::max(std::abs(value.real()), std::abs(value.imag()));
    for (const auto& [wire, bound] :
         {std::pair(Wire::single_, 0x1p-24), std::pair(Wire::bfloat16, 0x1p-8),
          std::pair(Wire::fixed12, 0x1p-11)}) {
      const std::complex<double> error = sent_as(wire, value) - value;
      EXPECT_LE(std::max(std::abs(error.real()), std::abs(error.imag())), bound * largest) << value;
    }
  }
}

TEST(WireKernels, KeepWhatIsExactAndWhatIsNoNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (Wire wire : {Wire::single_, Wire::bfloat16, Wire::fixed12}) {
    for (std::complex<double> exact :
         {std::complex<double>{0, 0}, {1, -0.5}, {-3, 0}, {0x1p100, 0}})
      EXPECT_EQ(sent_as(wire, exact), exact);
    // The largest multiples of the unit, and those next to them, on both sides of zero.
    for (double edge : {1.0, std::nextafter(1.0, 0.0), 2047.5 / 2048, 2047.0 / 2048})
      for (double sign : {1.0, -1.0})
        EXPECT_NEAR(sent_as(wire, {sign * edge, 0}).real(), sign * edge, 0x1p-8);
    EXPECT_FALSE(std::isfinite(sent_as(wire, {nan, 0}).real()));
    EXPECT_FALSE(std::isfinite(sent_as(wire, {infinity, 0}).real()));
    EXPECT_EQ(sent_as(wire, {1e-300, 0}), 0.0);
  }
}

}  // namespace weft
