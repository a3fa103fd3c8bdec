// Batches of lines are copied to a buffer, transformed there, and copied to the target's views. The
// copies are passes of Weft's kernels, which know views, wire formats and kept modes.
#include "device/library_pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "device/kernel_pass.hpp"

namespace weft {
namespace {

/// Moves the kept modes of a spectrum's view to their places in whole lines.
View in_whole_lines(const View& view, const Step& step) {
  View whole{view.bases, {}, {}};
  for (const Piece& piece : view.pieces)
    for_each_run(step, true, piece.box, [&](const Box& part, LinePlaces places) {
      Piece run{part, piece.offset_of(part.lower), piece.strides, piece.base};
      run.box.lower[step.axis] = places.first;
      run.box.upper[step.axis] = places.first + part.extent(step.axis);
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

/// Cuts a batch along its longest axes, but not across lines, until each part is small enough or a
/// single line.
void cut(const Batch& whole, int axis, Index line_bytes, Index most_bytes,
         std::vector<Batch>& batches) {
  int longest = axis;
  for (int other = 0; other < whole.input.axes(); ++other)
    if (other != axis &&
        (longest == axis || whole.input.extent(other) > whole.input.extent(longest)))
      longest = other;
  const Index bytes = whole.lines(axis) * line_bytes;
  if (bytes <= most_bytes || longest == axis || whole.input.extent(longest) == 1) {
    batches.push_back(whole);
    return;
  }
  const Index slice = std::max<Index>(1, most_bytes / (bytes / whole.input.extent(longest)));
  const Index end = whole.input.upper[longest];
  for (Index begin = whole.input.lower[longest]; begin < end; begin += slice) {
    Batch part = whole;
    for (Box* box : {&part.input, &part.output}) {
      box->lower[longest] = begin;
      box->upper[longest] = std::min(begin + slice, end);
    }
    cut(part, axis, line_bytes, most_bytes, batches);
  }
}

/// The imaginary parts that c2r ignores: their elements of the half spectrum are their
/// own conjugates.
View imaginary_ends(const Box& box, const Step& step, const Element& element) {
  View ends = line_array(box, step.axis, element);
  const Piece lines = ends.pieces.front();
  ends.pieces.clear();
  const auto add = [&](Index place) {
    Piece piece = lines;
    piece.box.lower[step.axis] += place;
    piece.box.upper[step.axis] = piece.box.lower[step.axis] + 1;
    piece.offset = place * element.bytes() + element.real_bytes();
    ends.pieces.push_back(std::move(piece));
  };
  add(0);
  if (step.length % 2 == 0 && step.length > 1) add(step.length / 2);
  return ends;
}

class LibraryPass : public Pass {
 public:
  LibraryPass(PassParts parts, KernelLauncher& launcher, LineLibrary& library)
      : library_(library),
        parts_(std::move(parts)),
        step_(parts_.spec.computation.steps.front()),
        runs_in_place_(parts_.may_run_in_place()) {
    for (View& view : step_.analysis ? parts_.to : parts_.from) view = in_whole_lines(view, step_);
    cut_cells();
    make_copies(launcher);
    plan_lines();
  }

  /// The buffers may have grown since the last run.
  void run(int cell, const std::function<void()>& poll) override {
    for (Pass* pass : {copy_in_.get(), clear_ends_.get()})
      if (pass != nullptr) pass->bind_target(library_.input());
    copy_out_->bind_source(library_.output());
    for (int number = first_batch_[cell]; number < first_batch_[cell + 1]; ++number) {
      const LineTransform* const transform = transforms_[static_cast<std::size_t>(number)];
      copy_in_->run(number, poll);
      if (clear_ends_) clear_ends_->run(number, poll);
      if (transform != nullptr) transform->run(library_.input(), library_.output());
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
    std::size_t bytes = added_bytes_;
    for (const Pass* pass : {copy_in_.get(), clear_ends_.get(), copy_out_.get()})
      if (pass != nullptr) bytes += pass->buffer_bytes();
    return bytes;
  }
  std::size_t traffic_bytes() const override { return parts_.traffic_bytes(); }
  std::string describe() const override {
    return fmt::format("the device's library, {} batches", batches_.size());
  }

 private:
  Element input() const { return plain(parts_.spec.computation.input); }
  Element output() const { return plain(parts_.spec.computation.output); }
  static Element plain(Element element) {
    element.wire = Wire::exact;
    return element;
  }

  void cut_cells() {
    const Index line_bytes =
        std::max(step_.line_input() * input().bytes(), step_.line_output() * output().bytes());
    for (const Cell& cell : parts_.cells) {
      first_batch_.push_back(static_cast<int>(batches_.size()));
      cut(whole_lines(cell.domain), step_.axis, line_bytes, library_.batch_bytes(), batches_);
    }
    first_batch_.push_back(static_cast<int>(batches_.size()));
  }

  Batch whole_lines(const Box& domain) const {
    Batch batch{domain, parts_.spec.computation.output_box(domain)};
    if (domain.empty()) return batch;
    const int axis = step_.axis;
    batch.input.upper[axis] = batch.input.lower[axis] + step_.line_input();
    batch.output.upper[axis] = batch.output.lower[axis] + step_.line_output();
    return batch;
  }

  /// A cell of these passes is a batch.
  void make_copies(KernelLauncher& launcher) {
    if (parts_.cells.empty()) return;
    std::vector<Cell> in, clear, out;
    std::vector<View> before, ends, after;
    for (std::size_t cell = 0; cell < parts_.cells.size(); ++cell)
      for (int number = first_batch_[cell]; number < first_batch_[cell + 1]; ++number) {
        const Batch& batch = batches_[static_cast<std::size_t>(number)];
        in.push_back({batch.input, parts_.cells[cell].consumes, number});
        clear.push_back({batch.input, 0, number});
        out.push_back({batch.output, number, parts_.cells[cell].produces});
        before.push_back(line_array(batch.input, step_.axis, input()));
        ends.push_back(imaginary_ends(batch.input, step_, input()));
        after.push_back(line_array(batch.output, step_.axis, output()));
      }
    PassSpec copy;
    copy.computation.input = copy.computation.output = input();
    copy.source = parts_.spec.source;
    copy_in_ = make_kernel_pass({copy, in, std::move(parts_.from), before}, launcher);
    if (step_.kind == LineKind::c2r) {
      PassSpec zeros;
      zeros.computation.input.precision = parts_.spec.computation.input.precision;
      zeros.computation.input.real = true;
      zeros.computation.output = zeros.computation.input;
      clear_ends_ = make_kernel_pass({zeros, clear, {View{{nullptr}, {}, {}}}, ends}, launcher);
    }
    copy = {};
    copy.computation.input = copy.computation.output = output();
    copy.computation.factor = parts_.spec.computation.factor;
    copy.target = parts_.spec.target;
    copy.blank = parts_.spec.blank;
    copy_out_ = make_kernel_pass({copy, out, after, std::move(parts_.to)}, launcher);
  }

  void plan_lines() {
    Index most = 0;
    for (const Batch& batch : batches_) most = std::max(most, batch.lines(step_.axis));
    const auto bytes = [&](Index elements, const Element& element) {
      return static_cast<std::size_t>(most * elements * element.bytes());
    };
    added_bytes_ =
        library_.reserve(bytes(step_.line_input(), input()), bytes(step_.line_output(), output()));
    LineBatch lines;
    lines.kind = step_.kind;
    lines.precision = parts_.spec.computation.input.precision;
    lines.length = step_.length;
    lines.input_distance = step_.line_input();
    lines.output_distance = step_.line_output();
    for (const Batch& batch : batches_) {
      lines.lines = batch.lines(step_.axis);
      transforms_.push_back(lines.lines > 0 ? &library_.transform(lines) : nullptr);
    }
  }

  LineLibrary& library_;
  PassParts parts_;  // without its views, which the copies have
  Step step_;
  bool runs_in_place_;
  std::vector<Batch> batches_;
  std::vector<int> first_batch_;                           // of each cell, and past the last one
  std::vector<const LineTransform*> transforms_;           // by batch; null without lines
  std::unique_ptr<Pass> copy_in_, clear_ends_, copy_out_;  // null if there is nothing to do
  std::size_t added_bytes_ = 0;                            // to buffers that passes share
};

}  // namespace

bool needs_library(const PassSpec& spec, const TileLimits& limits) {
  const std::vector<Step>& steps = spec.computation.steps;
  if (steps.size() != 1 || is_trigonometric(steps.front().kind)) return false;
  const Step& step = steps.front();
  const bool fits = plan_of_lines(step, spec.computation.input.precision, limits).lines > 0;
  const bool is_split = step.twiddle.turns() || step.modes.is_dealt();
  const bool is_wanted = spec.engine != nullptr && !spec.engine->on_host && !is_split;
  return is_wanted || !fits;
}

std::unique_ptr<Pass> make_library_pass(PassParts parts, KernelLauncher& launcher,
                                        LineLibrary& library) {
  require_support(parts.spec);
  const Step& step = parts.spec.computation.steps.front();
  if (step.changes_modes())
    throw Error(fmt::format(
        "the FFT library of the device cannot split axis {} or keep such modes of it: valid are "
        "modes that stand for themselves, without an ellipse, or engine=weft and lines "
        "that fit the {} KiB of a block's shared memory; device=cpu can",
        step.axis, launcher.limits().shared_bytes >> 10));
  return std::make_unique<LibraryPass>(std::move(parts), launcher, library);
}

}  // namespace weft
