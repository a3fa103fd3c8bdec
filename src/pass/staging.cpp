// Neighbours stay neighbours, and contiguous lines contiguous, so that nothing is transposed.
#include "pass/staging.hpp"

#include <algorithm>

#include "machine/aligned_buffer.hpp"
#include "machine/cache_line.hpp"

namespace weft {

Staging::Staging(const Step& step, const Element& output, const Lanes& lanes, Index lines)
    : step_(step),
      lanes_(lanes),
      lines_(lines),
      strides_(PerAxis<Index>::filled(lanes.axes, 0)),
      copy_(copy_kernels(output, Scaling::none).rows_stream) {
  const bool has_lines = lanes.unit_axis == step.axis;
  const Index contiguous = has_lines ? step.line_output() : lines;
  strides_[lanes.unit_axis] = output.bytes();
  strides_[has_lines ? lanes.axis : step.axis] = odd_lines(contiguous * output.bytes());
}

std::size_t Staging::table_bytes() const {
  return round_up(static_cast<std::size_t>(step_.line_output()) * sizeof(std::byte*), line_bytes);
}

std::size_t Staging::bytes() const {
  return table_bytes() +
         static_cast<std::size_t>(
             std::max(step_.line_output() * strides_[step_.axis], lines_ * strides_[lanes_.axis]));
}

LineRows Staging::rows(std::byte* memory) const {
  std::byte** const table = reinterpret_cast<std::byte**>(memory);
  std::byte* const first = memory + table_bytes();
  for (Index k = 0; k < step_.line_output(); ++k) table[k] = first + k * strides_[step_.axis];
  return {.rows = table,
          .line_bytes = strides_[lanes_.axis],
          .is_contiguous = lanes_.unit_axis == step_.axis};
}

void Staging::deliver(std::byte* memory, const Box& box, const View& to, BlockSums* sums,
                      int worker) const {
  const int other = lanes_.unit_axis == step_.axis ? lanes_.axis : step_.axis;
  std::byte* const first = memory + table_bytes();
  to.for_each_in(box, [&](const Piece& piece, const Box& part) {
    for_each_run(step_, step_.analysis, part, [&](const Box& run, LinePlaces places) {
      const std::byte* const from =
          first + places.first * strides_[step_.axis] +
          (run.lower[lanes_.axis] - box.lower[lanes_.axis]) * strides_[lanes_.axis];
      if (sums != nullptr) sums->add(worker, run, from, strides_);
      copy_(from, strides_[other], to.address(piece, run.lower), piece.strides[other],
            run.extent(other), run.extent(lanes_.unit_axis), 1);
    });
  });
}

}  // namespace weft
