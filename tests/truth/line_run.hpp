// Runs a device's line kernel on the host, and measures the distance of its result from the truth.
#pragma once

#include <complex>
#include <functional>
#include <map>
#include <random>
#include <vector>

#include "device/checked_team.hpp"
#include "device/host_launcher.hpp"
#include "device/tile_constants.hpp"
#include "device/tile_views.hpp"
#include "device_kernel/tile_kernel.hpp"
#include "machine/aligned_buffer.hpp"
#include "truth/line_by_definition.hpp"
#include "truth/line_by_fftw.hpp"

namespace weft::test {

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

inline const DeviceTranslation in_place = [](DeviceAddress address) {
  return reinterpret_cast<std::byte*>(address);
};

inline TileKind tile_kind(LineKind kind) {
  if (kind == LineKind::r2c) return TileKind::r2c;
  return kind == LineKind::c2r ? TileKind::c2r : TileKind::c2c;
}

inline Index input_length(const LineCase& lines) {
  return lines.kind == LineKind::c2r ? lines.length / 2 + 1 : lines.length;
}
inline Index output_length(const LineCase& lines) {
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

/// A kernel's launch, and how far its result is from the truth.
template <class Real>
class LineRun {
 public:
  static constexpr Precision precision =
      sizeof(Real) == 8 ? Precision::double_ : Precision::single_;

  explicit LineRun(const LineCase& lines, const TestedDevice& device = {})
      : case_(lines),
        device_(device),
        source_({precision, lines.kind == LineKind::r2c}, shape(input_length(lines)),
                lines.source_order, lines.axis, lines.pieces > 1 ? lines.pieces + 1 : 1),
        target_({precision, lines.kind == LineKind::c2r}, shape(output_length(lines)),
                lines.target_order, lines.axis, lines.pieces) {
    KernelLines kernel;
    kernel.axis = lines.axis;
    kernel.plan = make_tile_plan(tile_kind(lines.kind), lines.length, sizeof(Real), device.limits);
    kernel.input = source_.element;
    kernel.output = target_.element;
    kernel.step.emplace();
    kernel.step->axis = lines.axis;
    kernel.step->output_length = output_length(lines);
    tiles_ = plan_tiles(kernel, source_.box, source_.view, target_.view);
    any_ = {kernel.plan, {}, make_tile_views(kernel, source_.box, source_.view, target_.view)};
    constants_ = tile_constants(kernel.plan, precision);
    job_.constants = constants_.data();
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

  const TilePlan& plan() const { return tiles_.plan; }
  TileVariant variant() const { return tiles_.variant; }
  /// Bytes from a line of a tile to the next, where they are read.
  Index distance_of_lines() const { return tiles_.views.segments.front().across; }
  void on_host() { run(tiles_); }
  /// As lines are that may lie anywhere.
  void as_any() { run(any_); }
  TrafficCounters checked() {
    TrafficCounters counters;
    const VariablePlan plan{tiles_.plan, tiles_.variant};
    const CheckedTeam team(plan.value.threads(), plan.value.shared_bytes(2 * sizeof(Real)),
                           in_place, counters, device_.together);
    const TileJob job = job_of(tiles_);
    for (unsigned tile = 0; tile < job.tiles; ++tile)
      TileKernel<Real, VariablePlan, CheckedTeam>(team, plan, job, tile).run();
    return counters;
  }
  template <TilePlan plan, TileVariant variant>
  void fixed() {
    const HostTeam team(plan.threads(), plan.shared_bytes(2 * sizeof(Real)), in_place);
    const TileJob job = job_of(tiles_);
    for (unsigned tile = 0; tile < job.tiles; ++tile)
      TileKernel<Real, FixedPlan<plan, variant>, HostTeam>(team, {}, job, tile).run();
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
  TileJob job_of(const PlannedTiles& tiles) const {
    TileJob job = job_;
    job.patches = tiles.views.patches.data();
    job.segments = tiles.views.segments.data();
    job.patch_count = static_cast<int>(tiles.views.patches.size());
    job.tiles = tiles.views.tiles;
    return job;
  }
  void run(const PlannedTiles& tiles) const {
    run_on_host({{tiles.plan, precision, tiles.variant}, nullptr, job_of(tiles), nullptr},
                in_place);
  }
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
  TestedDevice device_;
  PiecedArray source_;
  PiecedArray target_;
  PlannedTiles tiles_;
  PlannedTiles any_;
  std::vector<std::byte> constants_;
  TileJob job_;
  std::map<std::pair<Index, Index>, std::vector<std::complex<double>>> lines_;
};

/// Of distances.
inline constexpr double tolerance = 5;

}  // namespace weft::test
