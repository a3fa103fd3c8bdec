// Divides the work of a sweep among kernels, the engine and the sweep itself. Tiles trade run
// length (long runs stream well) against cache (a tile must stay cached until its second use).
#include <algorithm>

#include "machine/cache_line.hpp"
#include "pass/sweep.hpp"

namespace weft {
namespace {

/// The distance between padded lines, in elements.
Index padded_distance(Index length, Index element_bytes) {
  return odd_lines(length * element_bytes) / element_bytes;
}

}  // namespace

Sweep::Sweep(SweepSpec spec, const std::vector<Box>& domains, const std::vector<View>& from,
             const std::vector<View>& to, const Caches& caches)
    : spec_(std::move(spec)),
      line_axis_(spec_.computation.step ? spec_.computation.step->axis : -1) {
  copies_.gather = copy_kernels(source(), spec_.computation.input, Scaling::none);
  const Element scattered = spec_.computation.step ? spec_.computation.output : source();
  copies_.scatter = copy_kernels(scattered, target(), Scaling::none);
  copies_.scaling = copy_kernels(scattered, target(), Scaling::by_factor);
  tiling_ = make_tiling(domains, line(), {from.front(), source().bytes()},
                        {to.front(), target().bytes()}, caches);
  const auto is_empty = [](const Box& box) { return box.empty(); };
  if (!spec_.computation.step || std::ranges::all_of(domains, is_empty)) return;
  if (spec_.engine->has_kernels && source() == spec_.computation.input &&
      target() == spec_.computation.output)
    kernels_.all = KernelSweep::make(spec_.computation, domains, from, to, target_depth(), caches);
  if (kernels_.all) return;
  has_tile_ = true;
  if (spec_.engine->has_kernels) plan_ends(domains, from, to, caches);
  plan_lines(domains, from, to);
}

Element Sweep::source() const {
  Element element = spec_.computation.input;
  element.wire = spec_.source.access.wire;
  return element;
}

Element Sweep::target() const {
  Element element = spec_.computation.output;
  element.wire = spec_.target.access.wire;
  return element;
}

Depth Sweep::target_depth() const {
  if (spec_.target.scratch) return Depth::second_level;
  return spec_.target.cached ? Depth::last_level : Depth::memory;
}

/// Lines are changed before their transform.
bool Sweep::prepares_lines() const {
  const Step& step = *spec_.computation.step;
  return source() != spec_.computation.input || step.weights.first_in != 1 ||
         step.weights.last_in != 1 || (!step.analysis && step.changes_modes());
}

/// Lines are changed after their last transform.
bool Sweep::finishes_lines() const {
  const Step& step = *spec_.computation.step;
  const EndWeights& weights =
      spec_.computation.fusion ? spec_.computation.fusion->inverse.weights : step.weights;
  return target() != spec_.computation.output || weights.first_out != 1 || weights.last_out != 1 ||
         (!spec_.computation.fusion && step.analysis && step.changes_modes());
}

int Sweep::source_columns() const {
  return kernels_.all       ? kernels_.all->source_columns()
         : kernels_.reading ? kernels_.reading->unit_axis()
                            : -1;
}

int Sweep::target_columns() const {
  return kernels_.all       ? kernels_.all->target_columns()
         : kernels_.writing ? kernels_.writing->unit_axis()
                            : -1;
}

/// Kernels read the source or write the target if they can. Tiles then consist of neighbours along
/// one axis.
void Sweep::plan_ends(const std::vector<Box>& domains, const std::vector<View>& from,
                      const std::vector<View>& to, const Caches& caches) {
  const LineComputation& computation = spec_.computation;
  const Step& step = *computation.step;
  const Shape largest = largest_extents(domains);
  const int source = prepares_lines() ? -1 : unit_axis(from, largest, computation.input.bytes());
  int target = finishes_lines() ? -1 : unit_axis(to, largest, computation.output.bytes());
  const auto lanes_between = [&](int source_unit, int target_unit) {
    return choose_lane_axis(line_axis_, largest, source_unit < 0 ? line_axis_ : source_unit,
                            target_unit < 0 ? line_axis_ : target_unit);
  };
  int lanes = lanes_between(source, target);
  if (lanes < 0) lanes = lanes_between(source, target = -1);  // the target's side copies
  if (lanes < 0) return;
  const Step& last = computation.fusion ? computation.fusion->inverse : step;
  const bool reads = source >= 0 && is_even(from, lanes);
  const bool writes = target >= 0 && is_even(to, lanes) && (computation.fusion || !reads);
  const auto kernel = [&](const Step& of) {
    return make_line_kernel(of.kind, computation.input.precision, of.length,
                            is_trigonometric(of.kind) ? computation.input.components() : 1,
                            of.contiguous_lines);
  };
  auto first_kernel = kernel(step);
  if ((!reads && !writes) || largest[lanes] < first_kernel->lanes() / 2) return;
  tiling_.tiles = lane_tiles(largest, line_axis_, lanes, first_kernel->lanes(),
                             static_cast<Index>(tile_budget(caches)) / line().bytes);
  tiling_.line_number = PerAxis<Index>::filled(largest.size(), 0);
  tiling_.line_number[lanes] = 1;
  tiling_.lines = tiling_.tiles.extents[lanes];
  const auto side = [&](int unit_axis) { return Staging::Lanes{lanes, unit_axis, largest.size()}; };
  if (writes)
    kernels_.writing = std::make_unique<KernelEnd>(
        KernelEnd::Spec{last, LaneLines::End::target, computation.output,
                        computation.fusion ? transformed().bytes() : computation.input.bytes(),
                        side(target), tiling_.lines, target_depth()},
        kernel(last));
  if (reads)
    kernels_.reading = std::make_unique<KernelEnd>(
        KernelEnd::Spec{step, LaneLines::End::source, computation.input, transformed().bytes(),
                        side(source), tiling_.lines, Depth::memory},
        std::move(first_kernel));
}

bool Sweep::is_plain() const {
  const Step& step = *spec_.computation.step;
  return !step.selects() && !step.ellipse.squares && !spec_.computation.fusion &&
         source() == spec_.computation.input && target() == spec_.computation.output;
}

TileLine Sweep::line() const {
  const Index widest = std::max(spec_.computation.input.bytes(), transformed().bytes());
  if (!spec_.computation.step) return {-1, widest};
  return {line_axis_, widest * std::max(spec_.computation.step->line_input(),
                                        spec_.computation.step->line_output())};
}

/// Whether an engine can work directly on these views: each is a single piece with contiguous
/// lines, lines have the same distance in all views and tiles, and every tile consists of whole
/// batches.
bool Sweep::is_line_array(const std::vector<Box>& domains, const std::vector<View>& views,
                          Index element_bytes) const {
  if (views.front().pieces.size() != 1) return false;
  const PerAxis<Index>& strides = views.front().pieces.front().strides;
  if (strides[line_axis_] != element_bytes) return false;
  for (const View& view : views)
    if (view.pieces.size() != 1 || view.pieces.front().strides != strides) return false;
  const Shape& tile = tiling_.tiles.extents;
  int across = -1;
  for (int axis = 0; axis < tile.size(); ++axis) {
    if (axis != line_axis_ && strides[axis] % engine_alignment != 0) return false;
    if (tile[axis] == 1) continue;
    if (across >= 0) return false;
    across = axis;
  }
  if (across < 0) return tiling_.batch == 1;
  return tile[across] % tiling_.batch == 0 && std::ranges::all_of(domains, [&](const Box& box) {
           return box.empty() || box.extent(across) % tiling_.batch == 0;
         });
}

Index Sweep::line_distance(const View& view, Index element_bytes) const {
  for (int axis = 0; axis < view.pieces.front().strides.size(); ++axis)
    if (tiling_.tiles.extents[axis] > 1) return view.pieces.front().strides[axis] / element_bytes;
  return std::max(spec_.computation.step->input_length,
                  spec_.computation.step->output_length);  // one line: any distance
}

void Sweep::plan_lines(const std::vector<Box>& domains, const std::vector<View>& from,
                       const std::vector<View>& to) {
  const Step& step = *spec_.computation.step;
  engine_.writes_target = spec_.target.scratch && !kernels_.writing &&
                          spec_.computation.factor == 1 && is_plain() &&
                          is_line_array(domains, to, spec_.computation.output.bytes());
  engine_.input_distance = padded_distance(step.line_input(), spec_.computation.input.bytes());
  engine_.output_distance = engine_.writes_target
                                ? line_distance(to.front(), spec_.computation.output.bytes())
                                : padded_distance(step.line_output(), transformed().bytes());
  plan_engine(domains, from);
}

/// The engine transforms the lines that kernels do not.
void Sweep::plan_engine(const std::vector<Box>& domains, const std::vector<View>& from) {
  const Step& step = *spec_.computation.step;
  LineBatch batch;
  batch.kind = step.kind;
  batch.precision = spec_.computation.input.precision;
  batch.length = step.length;
  batch.lines = tiling_.batch;
  batch.input_distance = engine_.input_distance;
  batch.output_distance = engine_.output_distance;
  batch.components = is_trigonometric(step.kind) ? spec_.computation.input.components() : 1;
  batch.contiguous_lines = step.contiguous_lines;
  batch.effort = spec_.effort;
  if (spec_.computation.fusion && !kernels_.writing) {
    LineBatch back = batch;
    back.kind = spec_.computation.fusion->inverse.kind;
    back.contiguous_lines = spec_.computation.fusion->inverse.contiguous_lines;
    std::swap(back.input_distance, back.output_distance);
    engine_.inverse = spec_.engine->plan(back);
  }
  if (kernels_.reading || (kernels_.writing && !spec_.computation.fusion)) return;
  engine_.transform = spec_.engine->plan(batch);

  const bool preserved = step.kind != LineKind::c2r || spec_.source.scratch;
  if (!spec_.source.cached || !preserved || spec_.source.access.sparse || !is_plain() ||
      step.weights.first_in != 1 || step.weights.last_in != 1 ||
      !is_line_array(domains, from, spec_.computation.input.bytes()))
    return;
  batch.input_distance = line_distance(from.front(), spec_.computation.input.bytes());
  engine_.direct_bytes = batch.input_distance * spec_.computation.input.bytes();
  engine_.direct = spec_.engine->plan(batch);
}

std::array<std::size_t, 2> Sweep::tile_bytes() const {
  if (!has_tile_) return {};
  const Index lines = tiling_.buffer_lines();
  const bool has_output = !engine_.writes_target && (!kernels_.writing || spec_.computation.fusion);
  const bool has_input = !kernels_.reading || (spec_.computation.fusion && !kernels_.writing);
  const Index input = lines * engine_.input_distance * spec_.computation.input.bytes();
  const Index output = lines * engine_.output_distance * transformed().bytes();
  return {static_cast<std::size_t>(has_input ? input : 0),
          static_cast<std::size_t>(has_output ? output : 0)};
}

std::size_t Sweep::scratch_bytes() const {
  if (kernels_.all) return kernels_.all->scratch_bytes();
  std::size_t bytes = 0;
  for (const auto* const end : {&kernels_.reading, &kernels_.writing})
    if (*end) bytes = std::max(bytes, (*end)->scratch_bytes());
  return bytes;
}

TileBuffers Sweep::make_buffers() const {
  const auto zeroed = [](std::size_t bytes) {
    AlignedBuffer buffer(bytes);
    // The last batch may include unused lines, which must not be NaN or subnormal.
    std::fill_n(buffer.data(), bytes, std::byte{0});
    return buffer;
  };
  const auto [input, output] = tile_bytes();
  return {zeroed(input), zeroed(output), AlignedBuffer(scratch_bytes())};
}

std::size_t Sweep::buffer_bytes() const {
  const auto [input, output] = tile_bytes();
  return input + output + scratch_bytes();
}

}  // namespace weft
