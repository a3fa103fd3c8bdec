// Divides the work of a sweep among kernels, the engine and the sweep itself. Tiles trade run
// length (long runs stream well) against cache (a tile must stay cached until its second use).
#include <algorithm>

#include "machine/cache_line.hpp"
#include "pass/tile_sweep.hpp"

namespace weft {
namespace {

/// The distance between padded lines, in elements.
Index padded_distance(Index length, Index element_bytes) {
  return odd_lines(length * element_bytes) / element_bytes;
}

}  // namespace

TileSweep::TileSweep(SweepSpec spec, const std::vector<Box>& domains, const std::vector<View>& from,
                     const std::vector<View>& to, const Caches& caches)
    : spec_(std::move(spec)),
      line_axis_(spec_.computation.step ? spec_.computation.step->axis : -1) {
  const Element source = spec_.source_element(), target = spec_.target_element();
  copies_.gather = copy_kernels(source, spec_.computation.input, Scaling::none);
  const Element scattered = spec_.computation.step ? spec_.computation.output : source;
  copies_.scatter = copy_kernels(scattered, target, Scaling::none);
  copies_.scaling = copy_kernels(scattered, target, Scaling::by_factor);
  tiling_ = make_tiling(domains, line(), {from.front(), source.bytes()},
                        {to.front(), target.bytes()}, caches);
  if (!spec_.computation.step || are_empty(domains)) return;
  twiddles_ = TwiddleLines(*spec_.computation.step, spec_.computation.input.precision, domains);
  if (spec_.engine->has_kernels) plan_ends(domains, from, to, caches);
  plan_lines(domains, from, to);
}

/// Lines are changed before their transform.
bool TileSweep::prepares_lines() const {
  const Step& step = *spec_.computation.step;
  return spec_.source_element() != spec_.computation.input || step.weights.first_in != 1 ||
         step.weights.last_in != 1 || (!step.analysis && step.changes_modes());
}

/// Lines are changed after their last transform.
bool TileSweep::finishes_lines() const {
  const Step& step = *spec_.computation.step;
  const EndWeights& weights =
      spec_.computation.fusion ? spec_.computation.fusion->inverse.weights : step.weights;
  return spec_.target_element() != spec_.computation.output || weights.first_out != 1 ||
         weights.last_out != 1 ||
         (!spec_.computation.fusion && step.analysis && step.changes_modes());
}

/// Kernels read the source or write the target if they can. Tiles then consist of neighbours along
/// one axis.
void TileSweep::plan_ends(const std::vector<Box>& domains, const std::vector<View>& from,
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
  if (!reads && !writes) return;
  if (!suits_lanes(largest[lanes], step.length, first_kernel->lanes())) return;
  tiling_.tiles = lane_tiles(largest, line_axis_, lanes, first_kernel->lanes(),
                             static_cast<Index>(tile_budget(caches)) / line().bytes);
  tiling_.line_number = PerAxis<Index>::filled(largest.size(), 0);
  tiling_.line_number[lanes] = 1;
  tiling_.lines = tiling_.tiles.extents[lanes];
  const auto side = [&](int unit_axis) { return Staging::Lanes{lanes, unit_axis, largest.size()}; };
  if (writes)
    writing_ = std::make_unique<KernelEnd>(
        KernelEnd::Spec{last, LaneLines::End::target, computation.output,
                        computation.fusion ? transformed().bytes() : computation.input.bytes(),
                        side(target), tiling_.lines, spec_.target_depth()},
        kernel(last));
  if (reads)
    reading_ = std::make_unique<KernelEnd>(
        KernelEnd::Spec{step, LaneLines::End::source, computation.input, transformed().bytes(),
                        side(source), tiling_.lines, Depth::memory},
        std::move(first_kernel));
}

bool TileSweep::is_plain() const {
  const Step& step = *spec_.computation.step;
  return !step.selects() && !step.changes_modes() && !spec_.computation.fusion &&
         spec_.source_element() == spec_.computation.input &&
         spec_.target_element() == spec_.computation.output;
}

TileLine TileSweep::line() const {
  const Index widest = std::max(spec_.computation.input.bytes(), transformed().bytes());
  if (!spec_.computation.step) return {-1, widest};
  return {line_axis_, widest * std::max(spec_.computation.step->line_input(),
                                        spec_.computation.step->line_output())};
}

/// Whether an engine can work directly on these views: each is a single piece with contiguous
/// lines, lines have the same distance in all views and tiles, and every tile consists of whole
/// batches.
bool TileSweep::is_line_array(const std::vector<Box>& domains, const std::vector<View>& views,
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

Index TileSweep::line_distance(const View& view, Index element_bytes) const {
  for (int axis = 0; axis < view.pieces.front().strides.size(); ++axis)
    if (tiling_.tiles.extents[axis] > 1) return view.pieces.front().strides[axis] / element_bytes;
  return std::max(spec_.computation.step->input_length,
                  spec_.computation.step->output_length);  // one line: any distance
}

void TileSweep::plan_lines(const std::vector<Box>& domains, const std::vector<View>& from,
                           const std::vector<View>& to) {
  const Step& step = *spec_.computation.step;
  engine_.writes_target = spec_.target.scratch && !writing_ && spec_.computation.factor == 1 &&
                          is_plain() &&
                          is_line_array(domains, to, spec_.computation.output.bytes());
  engine_.input_distance = padded_distance(step.line_input(), spec_.computation.input.bytes());
  engine_.output_distance = engine_.writes_target
                                ? line_distance(to.front(), spec_.computation.output.bytes())
                                : padded_distance(step.line_output(), transformed().bytes());
  plan_engine(domains, from);
}

/// The engine transforms the lines that kernels do not.
void TileSweep::plan_engine(const std::vector<Box>& domains, const std::vector<View>& from) {
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
  if (spec_.computation.fusion && !writing_) {
    LineBatch back = batch;
    back.kind = spec_.computation.fusion->inverse.kind;
    back.contiguous_lines = spec_.computation.fusion->inverse.contiguous_lines;
    std::swap(back.input_distance, back.output_distance);
    engine_.inverse = spec_.engine->plan(back);
  }
  if (reading_ || (writing_ && !spec_.computation.fusion)) return;
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

Sweep::BufferBytes TileSweep::bytes_of_buffers() const {
  BufferBytes bytes;
  for (const auto* const end : {&reading_, &writing_})
    if (*end) bytes.scratch = std::max(bytes.scratch, (*end)->scratch_bytes());
  const Index lines = tiling_.buffer_lines();
  const bool has_output = !engine_.writes_target && (!writing_ || spec_.computation.fusion);
  const bool has_input = !reading_ || (spec_.computation.fusion && !writing_);
  const Index input = lines * engine_.input_distance * spec_.computation.input.bytes();
  const Index output = lines * engine_.output_distance * transformed().bytes();
  if (has_input) bytes.input = static_cast<std::size_t>(input);
  if (has_output) bytes.output = static_cast<std::size_t>(output);
  return bytes;
}

}  // namespace weft
