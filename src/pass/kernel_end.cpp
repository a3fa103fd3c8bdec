// Each tile writes both tables of addresses anew, for the tile and for the view: they are short,
// and of contiguous lines kernels may need the first address alone.
#include "pass/kernel_end.hpp"

#include "machine/aligned_buffer.hpp"
#include "machine/cache_line.hpp"

namespace weft {

KernelEnd::KernelEnd(const Spec& spec, std::unique_ptr<LineKernel> kernel)
    : lines_(spec.step, spec.end, spec.lanes.axis, spec.lanes.unit_axis, spec.depth),
      end_(spec.end),
      lane_axis_(spec.lanes.axis),
      line_count_(spec.lines),
      tile_elements_(spec.end == LaneLines::End::source ? spec.step.line_output()
                                                        : spec.step.line_input()),
      tile_element_bytes_(spec.tile_element_bytes),
      kernel_(std::move(kernel)) {
  if (spec.end == LaneLines::End::target && spec.depth == Depth::memory)
    staging_.emplace(spec.step, spec.element, spec.lanes, spec.lines);
}

std::size_t KernelEnd::table_bytes() const {
  const auto entries = static_cast<std::size_t>(lines_.elements() + tile_elements_);
  return round_up(entries * sizeof(std::byte*), line_bytes);
}

std::size_t KernelEnd::scratch_bytes() const {
  return table_bytes() + round_up(kernel_->scratch_bytes(line_count_), line_bytes) +
         (staging_ ? staging_->bytes() : 0);
}

LineRows KernelEnd::tile_rows(const TileSide& tile, std::byte** table) const {
  const Index rows = kernel_->needs_one_row() ? 1 : tile_elements_;
  for (Index j = 0; j < rows; ++j) table[j] = tile.data + j * tile_element_bytes_;
  return {.rows = table, .line_bytes = tile.line_bytes, .is_contiguous = true};
}

/// Lines in different pieces are transformed apart.
void KernelEnd::run(const Box& box, const View& view, const TileSide& tile, const Call& call,
                    std::byte* scratch) const {
  std::byte** const table = reinterpret_cast<std::byte**>(scratch);
  std::byte* const memory = scratch + table_bytes();
  const Index begin = box.lower[lane_axis_], end = box.upper[lane_axis_];
  Box part = box;
  while (part.lower[lane_axis_] < end) {
    part.upper[lane_axis_] = end;
    part.upper[lane_axis_] = lines_.next_cut(part, view, end);
    const Index first = part.lower[lane_axis_] - begin;
    LineRows here = lines_.rows(part, view, *kernel_, table);
    const LineRows there = tile_rows({tile.data + first * tile.line_bytes, tile.line_bytes},
                                     table + lines_.elements());
    if (end_ == LaneLines::End::target) {
      write(part, view, there, here, call, memory);
    } else {
      here.ahead = call.ahead * here.line_bytes;
      kernel_->run(here, there, part.extent(lane_axis_), call.factor, memory);
      add_up(call.sums, call.worker, view, part);
    }
    part.lower[lane_axis_] = part.upper[lane_axis_];
  }
}

void KernelEnd::write(const Box& box, const View& view, const LineRows& tile,
                      const LineRows& target, const Call& call, std::byte* memory) const {
  if (target.line_bytes == 0) return;  // nothing of these lines is kept
  std::byte* const after_kernel =
      memory + round_up(kernel_->scratch_bytes(line_count_), line_bytes);
  const bool is_indirect = staging_ && (is_staged(target) || call.sums != nullptr);
  kernel_->run(tile, is_indirect ? staging_->rows(after_kernel) : target, box.extent(lane_axis_),
               call.factor, memory);
  if (is_indirect)
    staging_->deliver(after_kernel, box, view, call.sums, call.worker);
  else
    add_up(call.sums, call.worker, view, box);
}

}  // namespace weft
