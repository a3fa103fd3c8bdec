// Line kernels against the definition of the DFT in long double, for every instruction set of this
// processor, and for lines that lie in memory in each of the ways that have code of their own.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <numbers>
#include <random>

#include "kernel/lane_plan.hpp"
#include "kernel/line_kernel.hpp"
#include "machine/aligned_buffer.hpp"
#include "support/sanitizers.hpp"
#include "truth/kernel_targets.hpp"
#include "truth/line_by_definition.hpp"

namespace weft {
namespace {

using test::kernel_targets;
using test::line_by_definition;
using test::OnlyTarget;
using Exact = std::complex<long double>;
using Line = std::vector<std::complex<double>>;

/// Where lines lie: distances in elements.
struct Placement {
  const char* name;
  bool neighbours;  ///< else lines are contiguous, or neither
  bool contiguous;
};
constexpr Placement placements[] = {
    {"columns", true, false}, {"rows", false, true}, {"scattered", false, false}};

/// An array of lines in a placement, of complex or real elements.
template <class Element>
class Lines {
 public:
  Lines(Placement placement, Index length, Index lines)
      : length_(length),
        lines_(lines),
        element_(placement.neighbours   ? lines + 3
                 : placement.contiguous ? 1
                                        : 2 * lines + 1),
        line_(placement.neighbours   ? 1
              : placement.contiguous ? length + 1
                                     : 2),
        data_(static_cast<std::size_t>(length * element_ + lines * line_) + 1, Element(NAN)) {
    for (Index j = 0; j < length; ++j)
      rows_.push_back(reinterpret_cast<std::byte*>(&data_[static_cast<std::size_t>(j * element_)]));
  }

  Element& at(Index line, Index j) {
    return data_[static_cast<std::size_t>(j * element_ + line * line_)];
  }
  Line values(Index line) {
    Line values;
    for (Index j = 0; j < length_; ++j) values.push_back(std::complex<double>(at(line, j)));
    return values;
  }
  LineRows rows() const {
    return {.rows = rows_.data(),
            .line_bytes = line_ * static_cast<Index>(sizeof(Element)),
            .is_contiguous = element_ == 1};
  }
  void drop(Index j) { rows_[static_cast<std::size_t>(j)] = nullptr; }
  /// Elements that were never written.
  Index untouched() const {
    return std::count_if(data_.begin(), data_.end(),
                         [](Element x) { return std::isnan(std::abs(x)); });
  }
  Index size() const { return static_cast<Index>(data_.size()); }

 private:
  Index length_, lines_, element_, line_;
  std::vector<Element> data_;
  std::vector<std::byte*> rows_;
};

template <class Element>
void fill(Lines<Element>& lines, Index length, Index count) {
  std::mt19937_64 random(static_cast<std::uint64_t>(length * 1000 + count));
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (Index line = 0; line < count; ++line)
    for (Index j = 0; j < length; ++j) {
      if constexpr (std::is_floating_point_v<Element>)
        lines.at(line, j) = static_cast<Element>(uniform(random));
      else
        lines.at(line, j) = Element(static_cast<typename Element::value_type>(uniform(random)),
                                    static_cast<typename Element::value_type>(uniform(random)));
    }
}

template <class Element>
double relative_error(Lines<Element>& result, Index line, const std::vector<Exact>& expected,
                      double factor) {
  long double difference = 0, norm = 0;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const Exact wanted = expected[k] * static_cast<long double>(factor);
    difference += std::norm(Exact(result.at(line, static_cast<Index>(k))) - wanted);
    norm += std::norm(wanted);
  }
  return static_cast<double>(std::sqrt(difference / norm));
}

template <class Real>
double allowed(Index length) {
  return 3 * std::numeric_limits<Real>::epsilon() *
         std::sqrt(std::max(1.0, std::log2(static_cast<double>(length))));
}

/// The table ends behind the rows that the kernel needs.
void run(const LineKernel& kernel, LineRows from, LineRows to, Index lines, double factor) {
  const AlignedBuffer scratch(static_cast<Index>(kernel.scratch_bytes(lines)));
  std::memset(scratch.data(), 0xff, scratch.size());
  const std::vector<std::byte*> first_in{from.rows[0], nullptr}, first_out{to.rows[0], nullptr};
  if (kernel.needs_one_row() && from.is_contiguous) from.rows = first_in.data();
  if (kernel.needs_one_row() && to.is_contiguous) to.rows = first_out.data();
  kernel.run(from, to, lines, factor, scratch.data());
}

template <class Real, class In, class Out>
void check(LineKind kind, Index length, Index lines, Placement source, Placement target,
           bool are_contiguous = false) {
  const std::unique_ptr<LineKernel> kernel =
      make_line_kernel(kind, sizeof(Real) == 8 ? Precision::double_ : Precision::single_, length,
                       std::is_floating_point_v<In> ? 1 : 2, are_contiguous);
  const Index half = length / 2 + 1;
  Lines<In> in(source, kind == LineKind::c2r ? half : length, lines);
  Lines<Out> out(target, kind == LineKind::r2c ? half : length, lines);
  fill(in, kind == LineKind::c2r ? half : length, lines);
  constexpr double factor = 0.75;
  run(*kernel, in.rows(), out.rows(), lines, factor);
  EXPECT_EQ(out.size() - out.untouched(), lines * (kind == LineKind::r2c ? half : length));
  for (const Index line : {Index{0}, lines / 2, lines - 1})
    EXPECT_LE(relative_error(out, line, line_by_definition(kind, in.values(line), length), factor),
              allowed<Real>(length))
        << to_string(kind) << " of " << length << ", line " << line << " of " << lines << ", "
        << source.name << " to " << target.name << ", " << sizeof(Real) * 8 << " bits";
}

template <class Real>
void check_kinds(Index length, Index lines, Placement source, Placement target) {
  using Complex = std::complex<Real>;
  check<Real, Complex, Complex>(LineKind::c2c_forward, length, lines, source, target);
  check<Real, Complex, Complex>(LineKind::c2c_backward, length, lines, source, target);
  check<Real, Real, Complex>(LineKind::r2c, length, lines, source, target);
  check<Real, Complex, Real>(LineKind::c2r, length, lines, source, target);
}

constexpr LineKind trigonometric_kinds[] = {LineKind::dct1, LineKind::dct2, LineKind::dct3,
                                            LineKind::dct4, LineKind::dst1, LineKind::dst2,
                                            LineKind::dst3, LineKind::dst4};

template <class Real>
void check_trigonometric(Index length, Index lines, Placement source, Placement target) {
  using Complex = std::complex<Real>;
  for (const LineKind kind : trigonometric_kinds) {
    if (kind == LineKind::dct1 && length == 1) continue;  // has no definition
    check<Real, Real, Real>(kind, length, lines, source, target);
    check<Real, Complex, Complex>(kind, length, lines, source, target);
  }
}

class LineKernels : public testing::TestWithParam<std::int64_t> {};

TEST_P(LineKernels, EveryShortLength) {
  const OnlyTarget target(GetParam());
  for (Index length = 1; length <= 130; ++length) {
    const Placement& source = placements[length % 3];
    const Placement& other = placements[length / 3 % 3];
    check_kinds<double>(length, 1 + length % 37, source, other);
    check_kinds<float>(length, 1 + length % 37, source, other);
  }
}

TEST_P(LineKernels, CosinesAndSines) {
  const OnlyTarget target(GetParam());
  for (Index length = 1; length <= 67; ++length) {
    const Placement& source = placements[length % 3];
    const Placement& other = placements[length / 3 % 3];
    check_trigonometric<double>(length, 1 + length % 37, source, other);
    check_trigonometric<float>(length, 1 + length % 37, source, other);
  }
  for (const Index length : {128, 150, 257}) {
    check_trigonometric<double>(length, 5, placements[0], placements[1]);
    check_trigonometric<float>(length, 5, placements[0], placements[1]);
  }
}

TEST_P(LineKernels, EveryPlacementAndNumberOfLines) {
  const OnlyTarget target(GetParam());
  for (const Index length : {1, 2, 6, 16, 17, 30, 64, 97, 240})
    for (const Placement& source : placements)
      for (const Placement& other : placements)
        for (const Index lines : {1, 3, 8, 16, 31, 33, 64}) {
          check_kinds<double>(length, lines, source, other);
          check_kinds<float>(length, lines, source, other);
        }
}

template <class Real>
void check_contiguous(Index length, Index lines, Placement source, Placement target) {
  using Complex = std::complex<Real>;
  for (const LineKind kind : {LineKind::c2c_forward, LineKind::c2c_backward})
    check<Real, Complex, Complex>(kind, length, lines, source, target, true);
  check<Real, Real, Complex>(LineKind::r2c, length, lines, source, target, true);
  check<Real, Complex, Real>(LineKind::c2r, length, lines, source, target, true);
  for (const LineKind kind : trigonometric_kinds)
    check<Real, Real, Real>(kind, length, lines, source, target, true);
}

TEST_P(LineKernels, ContiguousLines) {
  const OnlyTarget target(GetParam());
  std::vector<Index> lengths{16, 48, 80, 128, 704};
#if !WEFT_TESTS_ADDRESSES  // with checks of addresses, they would take minutes
  lengths.insert(lengths.end(), {32, 64, 96, 192, 256, 320, 448, 512, 768, 832, 1024});
#endif
  for (const Index length : lengths)
    for (const Placement& source : placements)
      for (const Placement& other : placements) {
        check_contiguous<double>(length, 1 + length % 7, source, other);
        check_contiguous<float>(length, 1 + length % 7, source, other);
      }
}

TEST_P(LineKernels, LongerLines) {
  const OnlyTarget target(GetParam());
  for (const Index length : {256, 360, 512, 729, 1001, 1009, 1024, 1331}) {
    check_kinds<double>(length, 19, placements[0], placements[1]);
    check_kinds<float>(length, 19, placements[0], placements[0]);
  }
}

TEST_P(LineKernels, ElementsWithoutARow) {
  const OnlyTarget target(GetParam());
  constexpr Index length = 60, lines = 21;
  using Complex = std::complex<double>;
  const auto kernel = make_line_kernel(LineKind::c2c_forward, Precision::double_, length);
  for (const Placement& placement : placements) {
    Lines<Complex> in(placement, length, lines), out(placement, length, lines);
    fill(in, length, lines);
    for (const Index j : {3, 4, 17, 59}) {
      for (Index line = 0; line < lines; ++line) in.at(line, j) = 0;
      in.drop(j);
    }
    for (const Index k : {0, 30}) out.drop(k);
    LineRows from = in.rows(), to = out.rows();
    from.is_complete = to.is_complete = false;
    from.is_contiguous = to.is_contiguous = false;
    run(*kernel, from, to, lines, 1);
    EXPECT_EQ(out.size() - out.untouched(), lines * (length - 2));
    std::vector<Exact> expected = line_by_definition(LineKind::c2c_forward, in.values(5), length);
    for (const Index k : {0, 30}) {
      EXPECT_TRUE(std::isnan(out.at(5, k).real()));
      out.at(5, k) = Complex(expected[static_cast<std::size_t>(k)]);
    }
    EXPECT_LE(relative_error(out, 5, expected, 1), allowed<double>(length)) << placement.name;
  }
}

template <class Element>
void check_in_place(LineKind kind, Index length, Placement placement) {
  constexpr Index lines = 40;
  const auto kernel =
      make_line_kernel(kind, Precision::double_, length, std::is_floating_point_v<Element> ? 1 : 2,
                       placement.contiguous);
  Lines<Element> data(placement, length, lines), copy(placement, length, lines);
  fill(data, length, lines);
  fill(copy, length, lines);
  run(*kernel, data.rows(), data.rows(), lines, 1);
  for (const Index line : {0, 39})
    EXPECT_LE(relative_error(data, line, line_by_definition(kind, copy.values(line), length), 1),
              allowed<double>(length))
        << to_string(kind) << " of " << length << ", " << placement.name;
}

TEST_P(LineKernels, InPlace) {
  const OnlyTarget target(GetParam());
  for (const Placement& placement : placements) {
    for (const Index length : {5, 16, 96, 256, 101})
      check_in_place<std::complex<double>>(LineKind::c2c_backward, length, placement);
    for (const LineKind kind : trigonometric_kinds) check_in_place<double>(kind, 128, placement);
  }
}

/// Results do not depend on the lines beside, nor on where they lie.
template <class In, class Out>
void expect_same_bits(LineKind kind, Index length) {
  constexpr Index lines = 45;
  const Index half = length / 2 + 1;
  const Index before = kind == LineKind::c2r ? half : length;
  const Index after = kind == LineKind::r2c ? half : length;
  const auto kernel = make_line_kernel(kind, Precision::double_, length);
  Lines<In> all(placements[0], before, lines);
  Lines<Out> all_out(placements[0], after, lines);
  fill(all, before, lines);
  run(*kernel, all.rows(), all_out.rows(), lines, 0.3);
  for (const Placement& placement : placements)
    for (const Index first : {0, 3})
      for (const Index fewer : {1, 7, 24}) {
        Lines<In> some(placement, before, fewer);
        Lines<Out> out(placement, after, fewer);
        for (Index line = 0; line < fewer; ++line)
          for (Index j = 0; j < before; ++j) some.at(line, j) = all.at(first + line, j);
        run(*kernel, some.rows(), out.rows(), fewer, 0.3);
        for (Index line = 0; line < fewer; ++line)
          for (Index k = 0; k < after; ++k)
            ASSERT_EQ(out.at(line, k), all_out.at(first + line, k))
                << placement.name << " " << to_string(kind) << " of " << length;
      }
}

TEST_P(LineKernels, BitsAreTheSame) {
  const OnlyTarget target(GetParam());
  using Complex = std::complex<double>;
  for (const Index length : {7, 16, 48, 210, 256, 103, 106}) {
    expect_same_bits<Complex, Complex>(LineKind::c2c_forward, length);
    expect_same_bits<double, Complex>(LineKind::r2c, length);
    expect_same_bits<Complex, double>(LineKind::c2r, length);
    for (const LineKind kind : trigonometric_kinds) expect_same_bits<double, double>(kind, length);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, LineKernels, testing::ValuesIn(kernel_targets()),
                         [](const auto& one) { return hwy::TargetName(one.param); });

TEST(LanePlanTest, RootsOfUnityAreRightToTheLastBit) {
  for (const Index n : {1, 2, 3, 7, 8, 12, 100, 65537})
    for (Index k = 0; k < n; k += 1 + n / 50) {
      const Root root = root_of_unity(k, n);
      const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(k) /
                                static_cast<long double>(n);
      EXPECT_NEAR(root.cosine, static_cast<double>(std::cos(angle)), 1e-16);
      EXPECT_NEAR(root.sine, static_cast<double>(std::sin(angle)), 1e-16);
    }
}

TEST(LanePlanTest, SlotsAreAPermutation) {
  for (const int largest : {8, 16})
    for (const Index length : {1, 2, 13, 64, 360, 4096, 30030}) {
      const LanePlan plan = make_lane_plan(length, largest);
      std::vector<Index> slots = plan.slot_of;
      std::ranges::sort(slots);
      for (Index i = 0; i < length; ++i) ASSERT_EQ(slots[static_cast<std::size_t>(i)], i);
      Index product = 1;
      for (const RadixStage& stage : plan.stages) {
        EXPECT_EQ(stage.blocks, product);
        product *= stage.radix;
        EXPECT_EQ(stage.span * product, length);
      }
      EXPECT_EQ(product, length);
    }
}

TEST(LanePlanTest, ConvolutionsTakeLengthsOfFewInstructions) {
  EXPECT_EQ(fastest_length_from(465, 16), 512);  // not 468, of radices 13, 4, 3 and 3
  for (const int largest : {8, 16})
    for (Index least = 1; least < 3000; least += 7) {
      const Index length = fastest_length_from(least, largest);
      EXPECT_TRUE(is_smooth(length)) << least;
      EXPECT_GE(length, least);
      EXPECT_LE(4 * length, std::max<Index>(5 * least, 4 * (least + 1))) << least;
    }
}

TEST(LanePlanTest, Primes) {
  std::vector<Index> primes;
  for (Index n = 0; n < 32; ++n)
    if (is_prime(n)) primes.push_back(n);
  EXPECT_EQ(primes, (std::vector<Index>{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31}));
  EXPECT_TRUE(is_prime(65537));
  EXPECT_FALSE(is_prime(257 * 257));
}

}  // namespace
}  // namespace weft
