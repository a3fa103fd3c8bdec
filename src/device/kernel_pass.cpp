// Everything is planned and uploaded when a pass is made: a launch copies a few numbers.
#include "device/kernel_pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "device/tile_constants.hpp"
#include "device/tile_views.hpp"

namespace weft {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& valid) {
  throw Error(fmt::format("device kernels cannot compute {}: {}; device=cpu can", what, valid));
}

void require_step(const Step& step) {
  if (is_trigonometric(step.kind))
    refuse(fmt::format("kind {} along axis {}", to_string(step.kind), step.axis),
           "valid are c2c, r2c and c2r");
}

TileKind tile_kind(LineKind kind) {
  if (kind == LineKind::r2c) return TileKind::r2c;
  if (kind == LineKind::c2r) return TileKind::c2r;
  return TileKind::c2c;
}

int real_bytes_of(Precision precision) { return precision == Precision::double_ ? 8 : 4; }

}  // namespace

void require_support(const PassSpec& spec) {
  const Computation& computation = spec.computation;
  if (computation.is_fused())
    refuse("functions of the spectrum", "a transform to the spectrum and one back are valid");
  if (spec.sums != nullptr) refuse("sums that certify results", "valid is verify=false");
  if (computation.input.plain_bytes > 0)
    refuse(fmt::format("elements of {} bytes that are no numbers", computation.input.plain_bytes),
           "valid are float and double");
  for (const Step& step : computation.steps) require_step(step);
}

TilePlan plan_of_lines(const Step& step, Precision precision, const TileLimits& limits) {
  constexpr Index max_length = 1 << 20;  // more than any block holds
  if (step.length > max_length) return {};
  return make_tile_plan(tile_kind(step.kind), static_cast<int>(step.length),
                        real_bytes_of(precision), limits);
}

namespace {

Element stored(Element element, Wire wire) {
  element.wire = wire;
  return element;
}

/// Tables of several launches, one behind the other in one allocation.
class Tables {
 public:
  template <class T>
  std::size_t add(const std::vector<T>& values) {
    const std::size_t begin = (bytes_.size() + alignment - 1) / alignment * alignment;
    bytes_.resize(begin + values.size() * sizeof(T));
    if (!values.empty())
      std::memcpy(bytes_.data() + begin, values.data(), values.size() * sizeof(T));
    return begin;
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  static constexpr std::size_t alignment = 256;
  std::vector<std::byte> bytes_;
};

class KernelPass : public Pass {
 public:
  KernelPass(PassParts parts, KernelLauncher& launcher)
      : parts_(std::move(parts)), launcher_(launcher) {
    parts_.make_index();
    lines_ = planned();
    Tables tables;
    const std::size_t constants = tables.add(tile_constants(lines_.plan, precision()));
    std::vector<Offsets> offsets;
    for (const Cell& cell : parts_.cells)
      prepare(lines_, cell.domain, parts_.from[cell.consumes], parts_.to[cell.produces], tables,
              offsets);
    for (const Piece& piece : parts_.spec.blank) prepare_blank(piece, tables, offsets);
    const auto memory = launcher.upload(tables.bytes().data(), tables.bytes().size());
    table_bytes_ = tables.bytes().size();
    const auto* const base = static_cast<const std::byte*>(memory.get());
    for (std::size_t i = 0; i < launches_.size(); ++i) {
      TileLaunch& launch = launches_[i];
      launch.tables = memory;
      launch.job.constants = base + constants;
      launch.job.patches = reinterpret_cast<const TilePatch*>(base + offsets[i].patches);
      launch.job.segments = reinterpret_cast<const TileSegment*>(base + offsets[i].segments);
      launch.job.squares = reinterpret_cast<const double*>(base + offsets[i].squares);
    }
  }

  void run(int cell, const std::function<void()>&) override {
    launch(cell, parts_.cells[cell]);
    // Not earlier: in place, earlier cells still had to read these parts.
    if (cell + 1 == static_cast<int>(parts_.cells.size()))
      for (std::size_t blank = parts_.cells.size(); blank < launches_.size(); ++blank)
        launch(blank, parts_.cells[cell]);
  }

  void bind_source(const void* data) override { parts_.bind_source(data); }
  void bind_target(void* data) override { parts_.bind_target(data); }
  void bind_function(const RawLineFunction*) override {}
  void bind_scale(double scale) override { scale_ = scale; }
  bool may_run_in_place() const override { return parts_.may_run_in_place(); }
  std::size_t buffer_bytes() const override { return table_bytes_; }
  std::size_t traffic_bytes() const override { return parts_.traffic_bytes(); }
  std::string describe() const override {
    const TilePlan& plan = lines_.plan;
    std::string radices;
    for (int stage = 0; stage < plan.stages; ++stage)
      radices += fmt::format("{}{}", stage > 0 ? "x" : " of ", plan.radices[stage]);
    return fmt::format("kernel{}, tile {} lines, {} threads", radices, plan.lines, plan.threads());
  }

 private:
  struct Offsets {
    std::size_t patches;
    std::size_t segments;
    std::size_t squares;
  };

  Precision precision() const { return parts_.spec.computation.input.precision; }

  KernelLines planned() const {
    const Computation& computation = parts_.spec.computation;
    KernelLines lines;
    lines.input = stored(computation.input, parts_.spec.source.wire);
    lines.output = stored(computation.output, parts_.spec.target.wire);
    if (computation.steps.empty()) {
      lines.axis = copied_axis(parts_.from.front(), parts_.to.front(), lines.input, lines.output);
      lines.plan = copying_plan();
      return lines;
    }
    lines.step = computation.steps.front();
    lines.axis = lines.step->axis;
    lines.plan = plan_of_lines(*lines.step, precision(), launcher_.limits());
    if (lines.plan.lines == 0)
      refuse(fmt::format("lines of {} elements along axis {}", lines.step->length, lines.axis),
             fmt::format("valid are lines that fit the {} KiB of a block's shared memory",
                         launcher_.limits().shared_bytes >> 10));
    return lines;
  }
  TilePlan copying_plan() const {
    const bool is_real = parts_.spec.computation.input.real;
    return make_tile_plan(is_real ? TileKind::copy_real : TileKind::copy, copied_length,
                          real_bytes(), launcher_.limits());
  }
  int real_bytes() const { return real_bytes_of(precision()); }

  void prepare(const KernelLines& lines, const Box& domain, const View& from, const View& to,
               Tables& tables, std::vector<Offsets>& offsets) {
    const auto [plan, variant, views] = plan_tiles(lines, domain, from, to);
    TileLaunch launch;
    launch.work = {plan, precision(), variant};
    if (views.tiles > 0) launch.kernel = launcher_.find_kernel(launch.work);
    launch.job.patch_count = static_cast<int>(views.patches.size());
    launch.job.tiles = views.tiles;
    launch.job.backward = lines.step && lines.step->kind == LineKind::c2c_backward;
    offsets.push_back(
        {tables.add(views.patches), tables.add(views.segments), tables.add(views.squares)});
    launches_.push_back(std::move(launch));
  }
  /// Copies from a view without pieces, which writes zeros.
  void prepare_blank(const Piece& piece, Tables& tables, std::vector<Offsets>& offsets) {
    KernelLines lines;
    lines.input = lines.output = parts_.spec.computation.output;
    const View nothing{{nullptr}, {}}, target{{nullptr}, {piece}};
    lines.axis = copied_axis(nothing, target, lines.input, lines.output);
    lines.plan = make_tile_plan(lines.output.real ? TileKind::copy_real : TileKind::copy,
                                copied_length, real_bytes(), launcher_.limits());
    prepare(lines, piece.box, nothing, target, tables, offsets);
  }

  void launch(std::size_t number, const Cell& cell) const {
    TileLaunch launch = launches_[number];
    if (launch.job.tiles == 0) return;
    launch.job.factor = parts_.spec.computation.factor * scale_;
    launch.job.source = reinterpret_cast<DeviceAddress>(parts_.from[cell.consumes].bases.front());
    launch.job.target = reinterpret_cast<DeviceAddress>(parts_.to[cell.produces].bases.front());
    launcher_.launch(launch);
  }

  PassParts parts_;
  KernelLauncher& launcher_;
  KernelLines lines_;
  std::vector<TileLaunch> launches_;  // of cells, then of blank parts
  std::size_t table_bytes_ = 0;
  double scale_ = 1;
};

}  // namespace

std::unique_ptr<Pass> make_kernel_pass(PassParts parts, KernelLauncher& launcher) {
  require_support(parts.spec);
  return std::make_unique<KernelPass>(std::move(parts), launcher);
}

}  // namespace weft
