// Lines are read and written through tables of addresses (pass/lane_lines.hpp). Where one side has
// lines that suit no kernel, the other side copies too; see pass/kernel_end.hpp for those.
#include "pass/kernel_sweep.hpp"

#include <algorithm>

#include "machine/cache_line.hpp"

namespace weft {
namespace {

constexpr std::size_t pointer_bytes = sizeof(std::byte*);

bool is_plain(const SweepSpec& spec) {
  const LineComputation& computation = spec.computation;
  if (!computation.step || computation.fusion) return false;
  return computation.step->weights.trivial() && !computation.step->changes_modes() &&
         spec.source_element() == computation.input && spec.target_element() == computation.output;
}

}  // namespace

KernelSweep::KernelSweep(const SweepSpec& spec, int source_unit, int target_unit, int lane_axis)
    : step_(*spec.computation.step),
      factor_(spec.computation.factor),
      reads_cache_(spec.source.scratch),
      lane_axis_(lane_axis),
      source_(step_, LaneLines::End::source, lane_axis, source_unit, Depth::memory),
      target_(step_, LaneLines::End::target, lane_axis, target_unit, spec.target_depth()),
      kernel_(make_line_kernel(step_.kind, spec.computation.input.precision, step_.length,
                               spec.computation.input.components(), step_.contiguous_lines)) {}

std::unique_ptr<KernelSweep> KernelSweep::make(const SweepSpec& spec,
                                               const std::vector<Box>& domains,
                                               const std::vector<View>& from,
                                               const std::vector<View>& to, const Caches& caches) {
  if (!is_plain(spec) || !spec.engine->has_kernels || are_empty(domains)) return nullptr;
  const LineComputation& computation = spec.computation;
  const Depth depth = spec.target_depth();
  const Shape largest = largest_extents(domains);
  const int line_axis = computation.step->axis;
  const int source_unit = unit_axis(from, largest, computation.input.bytes());
  const int target_unit = unit_axis(to, largest, computation.output.bytes());
  const int lane_axis = choose_lane_axis(line_axis, largest, source_unit, target_unit);
  if (lane_axis < 0 || !is_even(from, lane_axis) || !is_even(to, lane_axis)) return nullptr;
  std::unique_ptr<KernelSweep> sweep(new KernelSweep(spec, source_unit, target_unit, lane_axis));
  const Index lanes = sweep->kernel_->lanes();
  if (!suits_lanes(largest[lane_axis], computation.step->length, lanes)) return nullptr;

  const auto budget = static_cast<Index>(tile_budget(caches));
  const Index lines = budget / static_cast<Index>(sweep->kernel_->scratch_bytes(lanes)) * lanes;
  sweep->tiles_ = lane_tiles(largest, line_axis, lane_axis, lanes, lines);
  if (depth == Depth::memory)
    sweep->staging_.emplace(sweep->step_, computation.output,
                            Staging::Lanes{lane_axis, target_unit, largest.size()},
                            sweep->widest());
  return sweep;
}

Sweep::BufferBytes KernelSweep::bytes_of_buffers() const {
  const auto tables = static_cast<std::size_t>(source_.elements() + target_.elements());
  return {.scratch = round_up(kernel_->scratch_bytes(widest()), line_bytes) +
                     round_up(tables * pointer_bytes, line_bytes) +
                     (staging_ ? staging_->bytes() : 0)};
}

/// Lines in different pieces are transformed apart. All tiles but the first begin at cache lines of
/// the target. The first tile also has the lines before that, and transforms them apart.
void KernelSweep::run_tile(const Box& domain, Index tile, const View& from, const View& to,
                           const TileBuffers& buffers, const SweepCall& call) const {
  const Sides sides{from, to};
  const Index first = domain.lower[lane_axis_], last = domain.upper[lane_axis_];
  const Index skipped = std::min(target_.lines_before_alignment(domain, sides.to), last - first);
  const auto begin_of = [&](Index cut) {
    return cut == first ? first : std::min(cut + skipped, last);
  };
  Box box = tiles_.part(domain, tile);
  const Index end = begin_of(box.upper[lane_axis_]);
  box.lower[lane_axis_] = begin_of(box.lower[lane_axis_]);
  box.upper[lane_axis_] = end;
  const bool is_followed = !reads_cache_ && end + widest() <= last;
  while (box.lower[lane_axis_] < end) {
    const bool is_unaligned = box.lower[lane_axis_] < first + skipped;
    const Index next =
        target_.next_cut(step_.output_box(box), sides.to,
                         source_.next_cut(box, sides.from, is_unaligned ? first + skipped : end));
    box.upper[lane_axis_] = next;
    run_lines(box, is_followed ? widest() : 0, sides, call, buffers.scratch.data());
    box.lower[lane_axis_] = next;
    box.upper[lane_axis_] = end;
  }
}

/// `ahead`: lines from these to the next ones; 0: nothing is prefetched.
void KernelSweep::run_lines(const Box& box, Index ahead, const Sides& sides, const SweepCall& call,
                            std::byte* scratch) const {
  const Index inputs = source_.elements(), outputs = target_.elements();
  const Box result = step_.output_box(box);
  std::byte** const rows = reinterpret_cast<std::byte**>(scratch);
  LineRows source = source_.rows(box, sides.from, *kernel_, rows);
  source.ahead = ahead * source.line_bytes;
  LineRows target = target_.rows(result, sides.to, *kernel_, rows + inputs);
  const auto add_source = [&] { add_up(call.sums.source, call.sums.worker, sides.from, box); };
  // After the kernel has read it, what it has read is in the cache; but in place it is gone.
  const bool is_read_only = source.rows[0] != target.rows[0];
  if (!is_read_only || target.line_bytes == 0) add_source();
  if (target.line_bytes == 0) return;  // nothing of these lines is kept
  const auto tables = static_cast<std::size_t>(inputs + outputs) * pointer_bytes;
  std::byte* const memory = scratch + round_up(tables, line_bytes);
  std::byte* const after_kernel = memory + round_up(kernel_->scratch_bytes(widest()), line_bytes);
  const bool is_indirect = staging_ && (is_staged(target) || call.sums.target);
  kernel_->run(source, is_indirect ? staging_->rows(after_kernel) : target, box.extent(lane_axis_),
               factor_ * call.scale, memory);
  if (is_indirect)
    staging_->deliver(after_kernel, result, sides.to, call.sums.target, call.sums.worker);
  if (is_read_only) add_source();
  if (!is_indirect) add_up(call.sums.target, call.sums.worker, sides.to, result);
}

}  // namespace weft
