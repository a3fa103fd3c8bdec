// The kernel of devices, on the host: right for all lengths, kinds and layouts, without races, and
// with as little traffic as can be.
#include <gtest/gtest.h>

#include <bit>
#include <complex>
#include <random>
#include <tuple>

#include "checked_team.hpp"
#include "device/host_launcher.hpp"
#include "device/tile_constants.hpp"
#include "device/tile_views.hpp"
#include "device_kernel/tile_kernel.hpp"
#include "line_by_definition.hpp"
#include "line_by_fftw.hpp"
#include "machine/aligned_buffer.hpp"

namespace weft::test {
namespace {

/// Lines along an axis of a three-dimensional array, and where they lie.
struct LineCase {
  LineKind kind = LineKind::c2c_forward;
  int length = 1;
  int axis = 0;
  Order source_order = {0, 1, 2};
  Order target_order = {0, 1, 2};
  Index across = 19;  ///< lengths of the two other axes
  Index others = 3;
  int pieces =
      1;  ///< of each line where it is written; where it is read, one more than that, if many
};

const DeviceTranslation in_place = [](DeviceAddress address) {
  return reinterpret_cast<std::byte*>(address);
};

TileKind tile_kind(LineKind kind) {
  if (kind == LineKind::r2c) return TileKind::r2c;
  return kind == LineKind::c2r ? TileKind::c2r : TileKind::c2c;
}

Index input_length(const LineCase& lines) {
  return lines.kind == LineKind::c2r ? lines.length / 2 + 1 : lines.length;
}
Index output_length(const LineCase& lines) {
  return lines.kind == LineKind::r2c ? lines.length / 2 + 1 : lines.length;
}

/// An array in pieces along its lines, which lie in memory one behind the other, each with gaps.
struct PiecedArray {
  Element element;
  Box box;
  AlignedBuffer memory;
  View view{{nullptr}, {}};

  PiecedArray(Element element_, const Shape& shape, const Order& order, int axis, int pieces)
      : element(element_), box(Box::whole(shape)) {
    Index bytes = 0;
    for (int p = 0; p < pieces; ++p) {
      Piece piece{box, bytes, {}};
      piece.box.lower[axis] = shape[axis] * p / pieces;
      piece.box.upper[axis] = shape[axis] * (p + 1) / pieces;
      piece.strides = byte_strides(piece.box.extents(), order, element.bytes());
      bytes += (piece.box.volume() * element.bytes() + 255) / 256 * 256;
      if (!piece.box.empty()) view.pieces.push_back(piece);
    }
    memory = AlignedBuffer(static_cast<std::size_t>(bytes) + 1);
    std::fill_n(reinterpret_cast<unsigned char*>(memory.data()), bytes, 0xff);  // NaN
  }

  template <class Real>
  void visit(const std::function<void(const Point&, Real*)>& body) {
    for (const Piece& piece : view.pieces) {
      Point at = piece.box.lower;
      for (at[0] = piece.box.lower[0]; at[0] < piece.box.upper[0]; ++at[0])
        for (at[1] = piece.box.lower[1]; at[1] < piece.box.upper[1]; ++at[1])
          for (at[2] = piece.box.lower[2]; at[2] < piece.box.upper[2]; ++at[2])
            body(at, reinterpret_cast<Real*>(memory.data() + piece.offset_of(at)));
    }
  }
  DeviceAddress address() { return reinterpret_cast<DeviceAddress>(memory.data()); }
};

/// What a kernel is launched with, and how far its result is from the truth.
template <class Real>
class LineRun {
 public:
  static constexpr Precision precision =
      sizeof(Real) == 8 ? Precision::double_ : Precision::single_;

  explicit LineRun(const LineCase& lines)
      : case_(lines),
        source_({precision, lines.kind == LineKind::r2c}, shape(input_length(lines)),
                lines.source_order, lines.axis, lines.pieces > 1 ? lines.pieces + 1 : 1),
        target_({precision, lines.kind == LineKind::c2r}, shape(output_length(lines)),
                lines.target_order, lines.axis, lines.pieces) {
    KernelLines kernel;
    kernel.axis = lines.axis;
    kernel.plan = plan_ = make_tile_plan(tile_kind(lines.kind), lines.length, sizeof(Real));
    kernel.input = source_.element;
    kernel.output = target_.element;
    kernel.step.emplace();
    kernel.step->axis = lines.axis;
    kernel.step->output_length = output_length(lines);
    views_ = make_tile_views(kernel, source_.box, source_.view, target_.view);
    constants_ = tile_constants(plan_, precision);
    job_.patches = views_.patches.data();
    job_.segments = views_.segments.data();
    job_.constants = constants_.data();
    job_.patch_count = static_cast<int>(views_.patches.size());
    job_.tiles = views_.tiles;
    job_.backward = lines.kind == LineKind::c2c_backward;
    job_.factor = 0.5;
    job_.source = source_.address();
    job_.target = target_.address();
    std::mt19937 random(7);
    std::uniform_real_distribution<Real> uniform(-1, 1);
    source_.template visit<Real>([&](const Point& at, Real* values) {
      std::complex<double>& kept = line(at)[at[case_.axis]];
      values[0] = uniform(random);
      kept = values[0];
      if (source_.element.real) return;
      values[1] = uniform(random);
      kept = {values[0], values[1]};
    });
  }

  const TilePlan& plan() const { return plan_; }
  void on_host() { run_on_host({{plan_, precision}, nullptr, job_, nullptr}, in_place); }
  TrafficCounters checked() {
    TrafficCounters counters;
    const VariablePlan plan{plan_};
    const CheckedTeam team(plan_.threads(), plan_.shared_bytes(2 * sizeof(Real)), in_place,
                           counters);
    for (unsigned tile = 0; tile < job_.tiles; ++tile)
      TileKernel<Real, VariablePlan, CheckedTeam>(team, plan, job_, tile).run();
    return counters;
  }
  template <TilePlan plan, bool is_plain = false>
  void fixed() {
    const HostTeam team(plan.threads(), plan.shared_bytes(2 * sizeof(Real)), in_place);
    for (unsigned tile = 0; tile < job_.tiles; ++tile)
      TileKernel<Real, FixedPlan<plan, is_plain>, HostTeam>(team, {}, job_, tile).run();
  }
  std::vector<Real> result() {
    std::vector<Real> values;
    target_.template visit<Real>([&](const Point&, Real* at) {
      values.push_back(at[0]);
      if (!target_.element.real) values.push_back(at[1]);
    });
    return values;
  }

  /// The relative distance of a few lines, in units of the rounding error that is expected.
  double distance() {
    long double error = 0, norm = 0;
    std::map<std::pair<Index, Index>, std::vector<std::complex<long double>>> truths;
    target_.template visit<Real>([&](const Point& at, Real* values) {
      if ((at[0] + at[1] + at[2] - at[case_.axis]) % 5 != 0) return;
      auto& truth = truths[key(at)];
      if (truth.empty()) truth = transformed(line(at));
      const std::complex<long double> is{values[0], target_.element.real ? 0 : values[1]};
      const std::complex<long double> want = 0.5L * truth[at[case_.axis]];
      error += std::norm(is - want);
      norm += std::norm(want);
    });
    const auto epsilon = std::numeric_limits<Real>::epsilon();
    const auto unit = epsilon * std::sqrt(std::max(1.0, std::log2(case_.length)));
    return static_cast<double>(std::sqrt(error / norm) / unit);
  }

 private:
  Shape shape(Index length) const {
    Shape result{0, 0, 0};
    result[case_.axis] = length;
    result[(case_.axis + 1) % 3] = case_.across;
    result[(case_.axis + 2) % 3] = case_.others;
    return result;
  }
  std::pair<Index, Index> key(const Point& at) const {
    return {at[(case_.axis + 1) % 3], at[(case_.axis + 2) % 3]};
  }
  std::vector<std::complex<double>>& line(const Point& at) {
    auto& values = lines_[key(at)];
    values.resize(static_cast<std::size_t>(input_length(case_)));
    return values;
  }
  std::vector<std::complex<long double>> transformed(
      const std::vector<std::complex<double>>& values) const {
    if (!have_lines_by_fftw()) return line_by_definition(case_.kind, values, case_.length);
    std::vector<std::complex<long double>> exact(values.begin(), values.end());
    if (case_.kind == LineKind::c2r) {
      exact.front().imag(0);
      if (case_.length % 2 == 0) exact.back().imag(0);
    }
    return line_by_fftw<long double>(case_.kind, exact, case_.length);
  }

  LineCase case_;
  PiecedArray source_;
  PiecedArray target_;
  TilePlan plan_;
  TileViews views_;
  std::vector<std::byte> constants_;
  TileJob job_;
  std::map<std::pair<Index, Index>, std::vector<std::complex<double>>> lines_;
};

constexpr double tolerance = 5;

template <class Real>
void expect_right(const LineCase& lines) {
  LineRun<Real> run(lines);
  ASSERT_GT(run.plan().lines, 0);
  run.on_host();
  EXPECT_LE(run.distance(), tolerance)
      << to_string(lines.kind) << " " << lines.length << " axis " << lines.axis << " pieces "
      << lines.pieces << " bytes " << sizeof(Real);
}

/// Lengths of one radix, of several, of none.
const std::vector<int> lengths = {1,   2,   3,   4,   5,   6,   7,   8,   9,    10,   11,
                                  12,  13,  16,  17,  19,  30,  31,  32,  37,   49,   60,
                                  64,  96,  97,  100, 121, 128, 143, 169, 192,  200,  210,
                                  243, 256, 343, 360, 499, 512, 625, 768, 1000, 1024, 2048};

class DeviceKernelTest : public testing::TestWithParam<LineKind> {};

TEST_P(DeviceKernelTest, AllLengthsAreRight) {
  for (const int length : lengths) {
    expect_right<double>({.kind = GetParam(), .length = length, .axis = 1, .across = 5});
    expect_right<float>({.kind = GetParam(), .length = length, .axis = 2, .across = 5});
  }
}

TEST_P(DeviceKernelTest, AllLayoutsAreRight) {
  for (const int length : {8, 17, 60, 210})
    for (int axis = 0; axis < 3; ++axis)
      for (const Order& target : {Order{0, 1, 2}, Order{1, 2, 0}, Order{2, 1, 0}, Order{2, 0, 1}})
        for (const int pieces : {1, 2, 5}) {
          LineCase lines{GetParam(), length, axis, {0, 1, 2}, target, 19, 2, pieces};
          expect_right<double>(lines);
          std::swap(lines.source_order, lines.target_order);
          expect_right<float>(lines);
        }
}

TEST_P(DeviceKernelTest, ThreadsDoNotRaceAndReadWhatWasWritten) {
  for (const int length : {1, 2, 8, 15, 16, 17, 60, 128})
    for (int axis = 1; axis < 3; ++axis) {
      LineRun<double> run({.kind = GetParam(), .length = length, .axis = axis, .others = 1});
      EXPECT_NO_THROW(run.checked()) << to_string(GetParam()) << " " << length;
      EXPECT_LE(run.distance(), tolerance);
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, DeviceKernelTest,
                         testing::Values(LineKind::c2c_forward, LineKind::c2c_backward,
                                         LineKind::r2c, LineKind::c2r),
                         [](const auto& info) {
                           std::string name = to_string(info.param);
                           std::ranges::replace(name, ' ', '_');
                           return name;
                         });

/// Whole tiles move nothing twice. Where lines are contiguous and their length is no multiple of
/// what 128 bytes hold, the ends of some lines meet in shared memory.
template <class Real>
void expect_little_traffic(int length, int axis, LineKind kind = LineKind::c2c_forward) {
  LineRun<Real> run({.kind = kind,
                     .length = length,
                     .axis = axis,
                     .across = 256 / static_cast<Index>(sizeof(Real)),
                     .others = 1});
  const TrafficCounters counters = run.checked();
  const auto what = testing::Message() << to_string(kind) << " " << length << " axis " << axis;
  EXPECT_LE(counters.read_ratio(), 1.07) << what;
  EXPECT_LE(counters.write_ratio(), 1.07) << what;
  EXPECT_LE(counters.bank_ratio(), length % 16 == 0 ? 1 : 1.05) << what;
  EXPECT_LE(run.distance(), tolerance) << what;
}

TEST(DeviceKernel, FullRowsMoveAtFullSpeed) {
  for (const int axis : {1, 2}) {
    for (const int length : {64, 96, 100, 128, 192, 200, 256, 360, 512, 768, 1024}) {
      expect_little_traffic<double>(length, axis);
      expect_little_traffic<float>(length, axis);
    }
    for (const int length : {1536, 2048, 4096}) expect_little_traffic<double>(length, axis);
  }
}

TEST(DeviceKernel, PlansFitTheirLimits) {
  for (const int real_bytes : {4, 8})
    for (int length = 1; length < 3000; length += length < 200 ? 1 : 17) {
      const TilePlan plan = make_tile_plan(TileKind::c2c, length, real_bytes);
      ASSERT_GT(plan.lines, 0) << length;
      EXPECT_LE(plan.threads(), TileLimits().threads);
      EXPECT_LE(plan.shared_bytes(2 * real_bytes), TileLimits().shared_bytes);
      int product = 1;
      for (int stage = 0; stage < plan.stages; ++stage) {
        product *= plan.radices[stage];
        EXPECT_LE(plan.radices[stage] * stage_of(plan, stage).share, plan.held) << length;
      }
      EXPECT_EQ(product, plan.transformed);
      EXPECT_TRUE(plan.convolves() ? plan.transformed >= 2 * length - 1
                                   : plan.transformed == length);
    }
}

TEST(DeviceKernel, LinesThatFitNoBlockHaveNoPlan) {
  EXPECT_EQ(make_tile_plan(TileKind::c2c, 14528 + 8, 8).lines, 0);
  EXPECT_EQ(make_tile_plan(TileKind::c2c, 1 << 20, 4).lines, 0);
  EXPECT_EQ(make_tile_plan(TileKind::c2c, 10007, 8).lines, 0);
  EXPECT_GT(make_tile_plan(TileKind::c2c, 8192, 8).lines, 0);
}

template <class Real, int length, bool is_plain>
void expect_same_bits(int pieces) {
  SCOPED_TRACE(length);
  constexpr TilePlan plan = make_tile_plan(TileKind::c2c, length, sizeof(Real));
  const LineCase lines{.length = length, .axis = 1, .across = 11, .others = 1, .pieces = pieces};
  LineRun<Real> variable(lines), fixed(lines);
  ASSERT_EQ(variable.plan(), plan);
  variable.on_host();
  fixed.template fixed<plan, is_plain>();
  EXPECT_EQ(variable.result(), fixed.result());
}

TEST(DeviceKernel, PlansThatTheCompilerKnowsGiveTheSameBits) {
  expect_same_bits<double, 192, false>(2);
  expect_same_bits<double, 192, true>(1);
}

TEST(DeviceKernel, SoDoThoseOfFewLines) {
  expect_same_bits<double, 1536, true>(1);  // 4 lines
  expect_same_bits<double, 1080, false>(2);
  expect_same_bits<double, 3000, true>(1);   // 2
  expect_same_bits<double, 3600, false>(3);  // 1
  expect_same_bits<float, 1000, true>(1);    // 8 of 16
}

TEST(DeviceKernel, AMissingBarrierIsFound) {
  TrafficCounters counters;
  const CheckedTeam team(64, 64 * 16, in_place, counters);
  const auto neighbours = [&](int thread) {
    team.put(thread, Number<double>{1.0 * thread, 0});
    if (thread > 0) team.get<Number<double>>(thread - 1);
  };
  EXPECT_THROW(team.each(neighbours), std::runtime_error);
}

TEST(DeviceKernel, ANumberThatNobodyWroteIsFound) {
  TrafficCounters counters;
  const CheckedTeam team(1, 64, in_place, counters);
  EXPECT_THROW(team.each([&](int) { team.get<Number<double>>(1); }), std::runtime_error);
}

}  // namespace
}  // namespace weft::test
