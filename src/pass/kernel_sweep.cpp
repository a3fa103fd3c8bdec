// Each tile makes two tables of addresses, one entry per element of the line. They serve pieces of
// several peers, kept modes and strides alike, for the cost of writing the tables: little, because
// a tile has several groups of lines.
#include "pass/kernel_sweep.hpp"

#include <algorithm>

#include "machine/cache_line.hpp"

namespace weft {
namespace {

constexpr std::size_t pointer_bytes = sizeof(std::byte*);

/// The axis along which all pieces are contiguous; -1 if there is none.
int unit_axis(const std::vector<View>& views, const Shape& largest, Index element_bytes) {
  for (int axis = 0; axis < largest.size(); ++axis) {
    if (largest[axis] <= 1) continue;
    const auto is_unit = [&](const Piece& piece) { return piece.strides[axis] == element_bytes; };
    if (std::ranges::all_of(
            views, [&](const View& view) { return std::ranges::all_of(view.pieces, is_unit); }))
      return axis;
  }
  return -1;
}

/// Whether neighbours along the axis are equally far apart in all pieces.
bool is_even(const std::vector<View>& views, int axis) {
  Index stride = 0;
  for (const View& view : views)
    for (const Piece& piece : view.pieces) {
      if (stride == 0) stride = piece.strides[axis];
      if (piece.strides[axis] != stride) return false;
    }
  return true;
}

/// The axis whose neighbours become lanes: contiguous on both sides, or on one where lines are on
/// the other. Where lines are contiguous on both sides, any will do: the longest.
int choose_lane_axis(int line_axis, const Shape& largest, int source_unit, int target_unit) {
  if (source_unit < 0 || target_unit < 0) return -1;
  if (source_unit != line_axis && target_unit != line_axis)
    return source_unit == target_unit ? source_unit : -1;
  if (source_unit != line_axis) return source_unit;
  if (target_unit != line_axis) return target_unit;
  int longest = -1;
  for (int axis = 0; axis < largest.size(); ++axis)
    if (axis != line_axis && (longest < 0 || largest[axis] >= largest[longest])) longest = axis;
  return longest;
}

bool is_plain(const LineComputation& computation) {
  if (!computation.step || computation.fusion) return false;
  const Step& step = *computation.step;
  return step.weights.trivial() && !step.ellipse.squares &&
         (!step.selects() || step.modes.nyquist == Nyquist::plain);
}

}  // namespace

KernelSweep::KernelSweep(const LineComputation& computation, int source_unit, int target_unit,
                         int lane_axis, const Uses& uses)
    : step_(*computation.step),
      factor_(computation.factor),
      input_bytes_(computation.input.bytes()),
      output_bytes_(computation.output.bytes()),
      source_unit_(source_unit),
      target_unit_(target_unit),
      lane_axis_(lane_axis),
      uses_(uses),
      stream_(copy_kernels(computation.output, false).rows_stream),
      kernel_(make_line_kernel(step_.kind, computation.input.precision, step_.length,
                               computation.input.components(), step_.contiguous_lines)) {}

std::unique_ptr<KernelSweep> KernelSweep::make(const LineComputation& computation,
                                               const std::vector<Box>& domains,
                                               const std::vector<View>& from,
                                               const std::vector<View>& to, const Uses& uses,
                                               const Caches& caches) {
  if (!is_plain(computation)) return nullptr;
  const Shape largest = largest_extents(domains);
  const int line_axis = computation.step->axis;
  const int source_unit = unit_axis(from, largest, computation.input.bytes());
  const int target_unit = unit_axis(to, largest, computation.output.bytes());
  const int lane_axis = choose_lane_axis(line_axis, largest, source_unit, target_unit);
  if (lane_axis < 0 || !is_even(from, lane_axis) || !is_even(to, lane_axis)) return nullptr;
  std::unique_ptr<KernelSweep> sweep(
      new KernelSweep(computation, source_unit, target_unit, lane_axis, uses));
  const Index lanes = sweep->kernel_->lanes();
  if (largest[lane_axis] < lanes / 2) return nullptr;

  const Index budget = static_cast<Index>(tile_budget(caches));
  const Index group_bytes = static_cast<Index>(sweep->kernel_->scratch_bytes(lanes));
  const Index most = std::max<Index>(1, budget / group_bytes);
  const Index groups = (largest[lane_axis] + lanes - 1) / lanes;
  const Index parts = (groups + most - 1) / most;
  sweep->tiles_.extents = Shape::filled(largest.size(), 1);
  sweep->tiles_.extents[lane_axis] = (groups + parts - 1) / parts * lanes;
  for (int axis = 0; axis < largest.size(); ++axis)
    if (axis != line_axis && axis != lane_axis) sweep->tiles_.axes.push_back(axis);
  sweep->tiles_.axes.push_back(lane_axis);
  return sweep;
}

std::size_t KernelSweep::scratch_bytes() const {
  const auto tables = static_cast<std::size_t>(step_.line_input() + step_.line_output());
  return round_up(kernel_->scratch_bytes(widest()), line_bytes) +
         round_up(tables * pointer_bytes, line_bytes) + staging_bytes();
}

/// For results that are to be written past the cache: they are summed before.
std::size_t KernelSweep::staging_bytes() const {
  if (!uses_.is_streamed || !uses_.is_certified) return 0;
  const auto rows = static_cast<std::size_t>(step_.line_output());
  return round_up(rows * sizeof(std::byte*), line_bytes) +
         rows * static_cast<std::size_t>(odd_lines(widest() * output_bytes_));
}

/// Lines that are not all in the same pieces are transformed apart.
void KernelSweep::run_tile(const Box& domain, Index tile, const Sides& sides, const Call& call,
                           std::byte* scratch) const {
  Box box = tiles_.part(domain, tile);
  const Index end = box.upper[lane_axis_];
  const bool is_followed = end + widest() <= domain.upper[lane_axis_];
  while (box.lower[lane_axis_] < end) {
    Index next = end;
    const auto limit = [&](const Piece& piece, const Box&) {
      for (const Index cut : {piece.box.lower[lane_axis_], piece.box.upper[lane_axis_]})
        if (cut > box.lower[lane_axis_]) next = std::min(next, cut);
    };
    sides.from.for_each_in(box, limit);
    sides.to.for_each_in(step_.output_box(box), limit);
    box.upper[lane_axis_] = next;
    run_lines(box, is_followed ? widest() : 0, sides, call, scratch);
    box.lower[lane_axis_] = next;
    box.upper[lane_axis_] = end;
  }
}

/// The addresses of the first line's elements. `rows`: one for each element that the transform
/// sees.
LineRows KernelSweep::fill_rows(const Box& box, const View& view, bool spectral, std::byte** rows,
                                Index length) const {
  std::fill_n(rows, length, nullptr);
  LineRows lines{rows, 0};
  Index found = 0;
  std::uintptr_t addresses = 0;
  view.for_each_in(box, [&](const Piece& piece, const Box& part) {
    lines.line_bytes = piece.strides[lane_axis_];
    const Index stride = piece.strides[step_.axis];
    for_each_run(step_, spectral, part, [&](const Box& run, Index shift) {
      std::byte* element = view.address(piece, run.lower);
      for (Index j = run.lower[step_.axis]; j < run.upper[step_.axis]; ++j, element += stride) {
        rows[j + shift] = element;
        addresses |= reinterpret_cast<std::uintptr_t>(element);
      }
      found += run.extent(step_.axis);
    });
  });
  lines.is_complete = found == length;
  lines.is_streamed = uses_.is_streamed && addresses % line_bytes == 0;
  return lines;
}

/// Contiguous lines are as aligned as their beginnings. Those that are summed are not streamed,
/// since they would have to be read again.
bool KernelSweep::may_stream_lines(const LineRows& lines) const {
  const auto first = reinterpret_cast<std::uintptr_t>(lines.rows[0]);
  const auto places = first | static_cast<std::uintptr_t>(lines.line_bytes);
  return uses_.is_streamed && !uses_.is_certified && places % line_bytes == 0;
}

namespace {

void add_up(BlockSums* sums, int worker, const View& view, const Box& box) {
  if (sums == nullptr) return;
  view.for_each_in(box, [&](const Piece& piece, const Box& part) {
    sums->add(worker, part, view.address(piece, part.lower), piece.strides);
  });
}

}  // namespace

/// `ahead`: how many lines further those are that come next; 0: nothing is known.
void KernelSweep::run_lines(const Box& box, Index ahead, const Sides& sides, const Call& call,
                            std::byte* scratch) const {
  const Index inputs = step_.line_input(), outputs = step_.line_output();
  const Box result = step_.output_box(box);
  std::byte** const rows = reinterpret_cast<std::byte**>(scratch);
  LineRows source = fill_rows(box, sides.from, !step_.analysis, rows, inputs);
  source.ahead = ahead * source.line_bytes;
  LineRows target = fill_rows(result, sides.to, step_.analysis, rows + inputs, outputs);
  if (target_unit_ != lane_axis_) target.is_streamed = may_stream_lines(target);
  const auto add_source = [&] { add_up(call.sums.source, call.sums.worker, sides.from, box); };
  // After the kernel has read it, what it has read is in the cache; but in place it is gone.
  const bool is_read_only = source.rows[0] != target.rows[0];
  target.is_fetched = uses_.is_streamed && !target.is_streamed && is_read_only;
  if (!is_read_only || target.line_bytes == 0) add_source();
  if (target.line_bytes == 0) return;  // nothing of these lines is kept
  const auto tables = static_cast<std::size_t>(inputs + outputs) * pointer_bytes;
  std::byte* const memory = scratch + round_up(tables, line_bytes);
  const bool is_staged =
      call.sums.target && target.is_streamed && target.line_bytes == output_bytes_;
  if (is_staged)
    run_staged(source, result, sides, call, memory);
  else
    kernel_->run(source, target, box.extent(lane_axis_), factor_ * call.scale, memory);
  if (is_read_only) add_source();
  if (!is_staged) add_up(call.sums.target, call.sums.worker, sides.to, result);
}

/// To rows in the cache, which are summed and then copied past it.
void KernelSweep::run_staged(const LineRows& source, const Box& result, const Sides& sides,
                             const Call& call, std::byte* memory) const {
  const Index outputs = step_.line_output(), pitch = odd_lines(widest() * output_bytes_);
  std::byte* const after_kernel = memory + round_up(kernel_->scratch_bytes(widest()), line_bytes);
  std::byte** const rows = reinterpret_cast<std::byte**>(after_kernel);
  std::byte* const staging =
      after_kernel + round_up(static_cast<std::size_t>(outputs) * pointer_bytes, line_bytes);
  for (Index k = 0; k < outputs; ++k) rows[k] = staging + k * pitch;
  kernel_->run(source, {rows, output_bytes_}, result.extent(lane_axis_), factor_ * call.scale,
               memory);
  PerAxis<Index> strides = PerAxis<Index>::filled(result.axes(), 0);
  strides[step_.axis] = pitch;
  strides[lane_axis_] = output_bytes_;
  sides.to.for_each_in(result, [&](const Piece& piece, const Box& part) {
    for_each_run(step_, step_.analysis, part, [&](const Box& run, Index shift) {
      const std::byte* const from =
          rows[run.lower[step_.axis] + shift] +
          (run.lower[lane_axis_] - result.lower[lane_axis_]) * output_bytes_;
      call.sums.target->add(call.sums.worker, run, from, strides);
      stream_(from, pitch, sides.to.address(piece, run.lower), piece.strides[step_.axis],
              run.extent(step_.axis), run.extent(lane_axis_), 1);
    });
  });
}

}  // namespace weft
