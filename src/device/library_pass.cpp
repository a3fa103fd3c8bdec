// Batches of lines are copied to a buffer, transformed there, and copied to where views say. The
// copies are passes of Weft's kernels, so views, wire formats and kept modes are theirs.
#include "device/library_pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "device/kernel_pass.hpp"
#include "device/line_check.hpp"

namespace weft {
namespace {

/// Of each buffer: both together should stay in the device's cache.
constexpr Index batch_bytes = Index{16} << 20;

/// Views of spectra hold kept modes. In whole lines these are elsewhere.
View in_whole_lines(const View& view, const Step& step) {
  View whole{view.bases, {}, {}};
  for (const Piece& piece : view.pieces)
    for_each_run(step, true, piece.box, [&](const Box& part, Index shift) {
      Piece run{part, piece.offset_of(part.lower), piece.strides, piece.base};
      run.box.lower[step.axis] += shift;
      run.box.upper[step.axis] += shift;
      whole.pieces.push_back(std::move(run));
    });
  return whole;
}

/// An array that has the lines of a box one behind the other.
View line_array(const Box& box, int axis, const Element& element) {
  Piece piece{box, 0, PerAxis<Index>::filled(box.axes(), element.bytes()), 0};
  Index stride = element.bytes() * box.extent(axis);
  for (int other = box.axes() - 1; other >= 0; --other) {
    if (other == axis) continue;
    piece.strides[other] = stride;
    stride *= box.extent(other);
  }
  return {{nullptr}, {std::move(piece)}, {}};
}

/// Whole lines of a cell.
struct Batch {
  Box input;
  Box output;

  Index lines(int axis) const { return input.empty() ? 0 : input.volume() / input.extent(axis); }
};

/// Cuts a cell along its longest axis besides that of the lines.
std::vector<Batch> batches_of(const Batch& cell, int axis, Index line_bytes) {
  int cut = -1;
  for (int other = 0; other < cell.input.axes(); ++other)
    if (other != axis && (cut < 0 || cell.input.extent(other) > cell.input.extent(cut)))
      cut = other;
  const Index bytes = cell.lines(axis) * line_bytes;
  if (cut < 0 || bytes <= batch_bytes) return {cell};
  const Index slice = std::max<Index>(1, batch_bytes / (bytes / cell.input.extent(cut)));
  std::vector<Batch> batches;
  for (Index begin = cell.input.lower[cut]; begin < cell.input.upper[cut]; begin += slice) {
    Batch batch = cell;
    for (Box* box : {&batch.input, &batch.output}) {
      box->upper[cut] = std::min(begin + slice, box->upper[cut]);
      box->lower[cut] = begin;
    }
    batches.push_back(std::move(batch));
  }
  return batches;
}

class LibraryPass : public Pass {
 public:
  LibraryPass(PassSpec spec, std::vector<Cell> cells, std::vector<View> from, std::vector<View> to,
              DeviceBackend& backend, LineBuffers& buffers)
      : buffers_(buffers),
        spec_(std::move(spec)),
        step_(spec_.computation.steps.front()),
        cells_(std::move(cells)),
        runs_in_place_(overwrites_itself(spec_.computation, cells_, from, to)) {
    for (View& view : step_.analysis ? to : from) view = in_whole_lines(view, step_);
    std::vector<Cell> in_cells, out_cells;
    std::vector<View> in_arrays, out_arrays;
    for (const Cell& cell : cells_) {
      first_batch_.push_back(static_cast<int>(batches_.size()));
      for (const Batch& batch : batches_of(whole_lines(cell.domain), step_.axis, line_bytes())) {
        const int number = static_cast<int>(batches_.size());
        batches_.push_back(batch);
        in_cells.push_back({batch.input, cell.consumes, number});
        in_arrays.push_back(line_array(batch.input, step_.axis, input()));
        out_cells.push_back({batch.output, number, cell.produces});
        out_arrays.push_back(line_array(batch.output, step_.axis, output()));
      }
    }
    first_batch_.push_back(static_cast<int>(batches_.size()));
    const Caches none;
    if (!cells_.empty()) {
      copy_in_ = make_kernel_pass(copy_spec(true), in_cells, std::move(from), in_arrays, none,
                                  backend.launcher());
      copy_out_ = make_kernel_pass(copy_spec(false), out_cells, out_arrays, std::move(to), none,
                                   backend.launcher());
    }
    plan_lines(backend);
  }

  /// The buffers may have grown since the last run.
  void run(int cell, const std::function<void()>& poll) override {
    copy_in_->bind_target(buffers_.before());
    copy_out_->bind_source(buffers_.after());
    for (int number = first_batch_[cell]; number < first_batch_[cell + 1]; ++number) {
      const Index lines = batches_[static_cast<std::size_t>(number)].lines(step_.axis);
      copy_in_->run(number, poll);
      if (lines > 0) transforms_.at(lines)->run(buffers_.before(), buffers_.after());
      copy_out_->run(number, poll);
    }
  }

  void bind_source(const void* data) override {
    if (copy_in_) copy_in_->bind_source(data);
  }
  void bind_target(void* data) override {
    if (copy_out_) copy_out_->bind_target(data);
  }
  void bind_function(const RawLineFunction*) override {}
  void bind_scale(double scale) override {
    if (copy_out_) copy_out_->bind_scale(scale);
  }
  bool may_run_in_place() const override { return runs_in_place_; }
  std::size_t buffer_bytes() const override {
    return added_bytes_ + (copy_in_ ? copy_in_->buffer_bytes() + copy_out_->buffer_bytes() : 0);
  }
  std::size_t traffic_bytes() const override { return traffic_of(spec_.computation, cells_); }
  std::string describe() const override {
    return fmt::format("the device's library, {} batches", batches_.size());
  }

 private:
  Element input() const { return plain(spec_.computation.input); }
  Element output() const { return plain(spec_.computation.output); }
  static Element plain(Element element) {
    element.wire = Wire::exact;
    return element;
  }
  Index line_bytes() const {
    return std::max(step_.line_input() * input().bytes(), step_.line_output() * output().bytes());
  }

  Batch whole_lines(const Box& domain) const {
    Batch batch{domain, spec_.computation.output_box(domain)};
    if (domain.empty()) return batch;
    const int axis = step_.axis;
    batch.input.upper[axis] = batch.input.lower[axis] + step_.line_input();
    batch.output.upper[axis] = batch.output.lower[axis] + step_.line_output();
    return batch;
  }

  /// The factor is applied when lines are copied to where they belong.
  PassSpec copy_spec(bool before) const {
    PassSpec copy;
    copy.computation.input = copy.computation.output = before ? input() : output();
    if (before) {
      copy.source = spec_.source;
      copy.target.wire = Wire::exact;
      return copy;
    }
    copy.computation.factor = spec_.computation.factor;
    copy.target = spec_.target;
    copy.blank = spec_.blank;
    return copy;
  }

  void plan_lines(DeviceBackend& backend) {
    Index most = 0;
    for (const Batch& batch : batches_) most = std::max(most, batch.lines(step_.axis));
    if (most == 0) return;
    const auto bytes = [&](Index elements, const Element& element) {
      return static_cast<std::size_t>(most * elements * element.bytes());
    };
    added_bytes_ =
        buffers_.reserve(bytes(step_.line_input(), input()), bytes(step_.line_output(), output()));
    for (const Batch& batch : batches_) {
      LineBatch lines;
      lines.kind = step_.kind;
      lines.precision = spec_.computation.input.precision;
      lines.length = step_.length;
      lines.lines = batch.lines(step_.axis);
      lines.input_distance = step_.line_input();
      lines.output_distance = step_.line_output();
      if (lines.lines == 0 || transforms_.contains(lines.lines)) continue;
      auto transform = backend.plan_lines(lines);
      check_lines(backend, *transform, lines, buffers_.before(), buffers_.after());
      transforms_.emplace(lines.lines, std::move(transform));
    }
  }

  LineBuffers& buffers_;
  PassSpec spec_;
  Step step_;
  std::vector<Cell> cells_;
  bool runs_in_place_;
  std::vector<Batch> batches_;
  std::vector<int> first_batch_;              // of each cell, and past the last one
  std::unique_ptr<Pass> copy_in_, copy_out_;  // a cell of theirs is a batch; null without cells
  std::map<Index, std::unique_ptr<LineTransform>> transforms_;  // by number of lines
  std::size_t added_bytes_ = 0;  // to the buffers, which other passes use as well
};

}  // namespace

std::size_t LineBuffers::reserve(std::size_t before, std::size_t after) {
  return grow(before_, before) + grow(after_, after);
}

std::size_t LineBuffers::grow(Buffer& buffer, std::size_t bytes) {
  if (bytes <= buffer.bytes) return 0;
  backend_.stream().synchronize();  // passes that use the smaller one may be on it
  const std::size_t before = std::exchange(buffer, {}).bytes;  // there may not be room for both
  buffer = {backend_.allocate(bytes), bytes};
  return bytes - before;
}

bool needs_library(const PassSpec& spec, const TileLimits& limits) {
  const std::vector<Step>& steps = spec.computation.steps;
  if (steps.size() != 1 || is_trigonometric(steps.front().kind)) return false;
  const bool is_wanted = spec.engine != nullptr && !spec.engine->on_host;
  return is_wanted ||
         plan_of_lines(steps.front(), spec.computation.input.precision, limits).lines == 0;
}

std::unique_ptr<Pass> make_library_pass(PassSpec spec, std::vector<Cell> cells,
                                        std::vector<View> from, std::vector<View> to,
                                        DeviceBackend& backend, LineBuffers& buffers) {
  require_support(spec);
  return std::make_unique<LibraryPass>(std::move(spec), std::move(cells), std::move(from),
                                       std::move(to), backend, buffers);
}

}  // namespace weft
