// The tile loop. Tiles trade run length (long runs stream well) against cache (a tile must stay
// cached until its second use). Planning leaves out steps that are not needed, such as a gather, a
// scatter or a second buffer.
#include "pass/sweep.hpp"

#include <algorithm>
#include <cstring>

#include "machine/cache_line.hpp"

namespace weft {
namespace {

/// The distance between padded lines, in elements.
Index padded_distance(Index length, Index element_bytes) {
  return odd_lines(length * element_bytes) / element_bytes;
}

/// Whether engines accept the address: a caller's array may be aligned only to its element.
bool is_aligned(const std::byte* address) {
  return reinterpret_cast<std::uintptr_t>(address) % engine_alignment == 0;
}

}  // namespace

Sweep::Sweep(SweepSpec spec, const std::vector<Box>& domains, const std::vector<View>& from,
             const std::vector<View>& to, const Caches& caches)
    : spec_(std::move(spec)),
      line_axis_(spec_.computation.step ? spec_.computation.step->axis : -1) {
  gather_kernels_ = copy_kernels(source(), spec_.computation.input, false);
  const Element scattered = spec_.computation.step ? spec_.computation.output : source();
  scatter_kernels_ = copy_kernels(scattered, target(), false);
  scaling_kernels_ = copy_kernels(scattered, target(), true);
  tiling_ = make_tiling(domains, line(), {from.front(), source().bytes()},
                        {to.front(), target().bytes()}, caches);
  const auto is_empty = [](const Box& box) { return box.empty(); };
  if (!spec_.computation.step || std::ranges::all_of(domains, is_empty)) return;
  if (spec_.engine->has_kernels && source() == spec_.computation.input &&
      target() == spec_.computation.output)
    kernels_ = KernelSweep::make(spec_.computation, domains, from, to,
                                 {!spec_.target.cached, spec_.certified}, caches);
  if (!kernels_) plan_lines(domains, from, to);
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
  const bool plain = !step.selects() && !step.ellipse.squares && !spec_.computation.fusion &&
                     source() == spec_.computation.input && target() == spec_.computation.output;
  direct_output_ = spec_.target.own && spec_.computation.factor == 1 && plain &&
                   is_line_array(domains, to, spec_.computation.output.bytes());
  input_distance_ = padded_distance(step.line_input(), spec_.computation.input.bytes());
  output_distance_ = direct_output_ ? line_distance(to.front(), spec_.computation.output.bytes())
                                    : padded_distance(step.line_output(), transformed().bytes());
  LineBatch batch;
  batch.kind = step.kind;
  batch.precision = spec_.computation.input.precision;
  batch.length = step.length;
  batch.lines = tiling_.batch;
  batch.input_distance = input_distance_;
  batch.output_distance = output_distance_;
  batch.components = is_trigonometric(step.kind) ? spec_.computation.input.components() : 1;
  batch.contiguous_lines = step.contiguous_lines;
  batch.effort = spec_.effort;
  transform_ = spec_.engine->plan(batch);
  if (spec_.computation.fusion) {
    LineBatch back = batch;
    back.kind = spec_.computation.fusion->inverse.kind;
    back.contiguous_lines = spec_.computation.fusion->inverse.contiguous_lines;
    std::swap(back.input_distance, back.output_distance);
    inverse_ = spec_.engine->plan(back);
  }

  const bool preserved = step.kind != LineKind::c2r || spec_.source.own;
  if (!spec_.source.cached || !preserved || spec_.source.access.sparse || !plain ||
      step.weights.first_in != 1 || step.weights.last_in != 1 ||
      !is_line_array(domains, from, spec_.computation.input.bytes()))
    return;
  batch.input_distance = line_distance(from.front(), spec_.computation.input.bytes());
  direct_bytes_ = batch.input_distance * spec_.computation.input.bytes();
  direct_ = spec_.engine->plan(batch);
}

TileBuffers Sweep::make_buffers() const {
  TileBuffers buffers;
  if (kernels_) buffers.input = AlignedBuffer(kernels_->scratch_bytes());
  if (!transform_) return buffers;
  const auto zeroed = [](Index bytes) {
    AlignedBuffer buffer(bytes);
    // The last batch may include unused lines, which must not be NaN or subnormal.
    std::fill_n(buffer.data(), bytes, std::byte{0});
    return buffer;
  };
  buffers.input =
      zeroed(tiling_.buffer_lines() * input_distance_ * spec_.computation.input.bytes());
  if (!direct_output_)
    buffers.output = zeroed(tiling_.buffer_lines() * output_distance_ * transformed().bytes());
  return buffers;
}

std::size_t Sweep::buffer_bytes() const {
  if (kernels_) return kernels_->scratch_bytes();
  if (!transform_) return 0;
  const Index input = tiling_.buffer_lines() * input_distance_ * spec_.computation.input.bytes();
  const Index output =
      direct_output_ ? 0 : tiling_.buffer_lines() * output_distance_ * transformed().bytes();
  return static_cast<std::size_t>(input + output);
}

/// Runs the engine on `lines` lines, one batch at a time. `input_bytes` and `output_bytes` are the
/// distances between lines.
void Sweep::transform(const LineTransform& engine, Index lines, const std::byte* input,
                      Index input_bytes, std::byte* output, Index output_bytes) const {
  for (Index line = 0; line < lines; line += tiling_.batch)
    engine.run(input + line * input_bytes, output + line * output_bytes);
}

PerAxis<Index> Sweep::tile_strides(Index distance, Index element_bytes) const {
  PerAxis<Index> strides = tiling_.line_number;
  for (Index& stride : strides) stride *= distance * element_bytes;
  strides[line_axis_] = element_bytes;
  return strides;
}

TileLines Sweep::input_lines(const Box& box, std::byte* tile) const {
  return {tile, spec_.computation.input, input_distance_, box, line_axis_, tiling_.line_number};
}

TileLines Sweep::output_lines(const Box& box, std::byte* tile) const {
  return {tile, transformed(), output_distance_, box, line_axis_, tiling_.line_number};
}

void Sweep::run_tile(const Box& domain, Index tile, const View& from, const View& to,
                     const TileBuffers& buffers, const SweepCall& call) const {
  if (kernels_) {
    kernels_->run_tile(domain, tile, {from, to}, {call.scale, call.sums}, buffers.input.data());
    return;
  }
  const Box box = tiling_.tiles.part(domain, tile);
  if (spec_.computation.fusion) {
    run_fused_tile(box, from, to, buffers, call);
    return;
  }
  if (!spec_.computation.step) {
    copy_tile(box, from, to, call);
    return;
  }
  const Step& step = *spec_.computation.step;
  const Box result = step.output_box(box);
  if (spec_.target.access.sparse && to.covered(result) == 0) {
    if (call.sums.source) load(box, from, buffers.input.data(), call.sums);
    return;
  }
  std::byte* const target =
      direct_output_ ? to.address(to.pieces.front(), result.lower) : buffers.output.data();
  const Index lines = tiling_.lines_in(box);
  const Index written = output_distance_ * spec_.computation.output.bytes();
  const std::byte* const source = direct_ ? from.address(from.pieces.front(), box.lower) : nullptr;
  if (direct_ && is_aligned(source)) {
    if (call.sums.source)
      call.sums.source->add(call.sums.worker, box, source, from.pieces.front().strides);
    transform(*direct_, lines, source, direct_bytes_, target, written);
  } else if (load(box, from, buffers.input.data(), call.sums)) {
    transform(*transform_, lines, buffers.input.data(),
              input_distance_ * spec_.computation.input.bytes(), target, written);
  } else {
    std::memset(target, 0, static_cast<std::size_t>(lines * written));
  }
  weigh_ends(target, lines, spec_.computation.output, output_distance_, step.line_output(),
             step.weights.first_out, step.weights.last_out);
  finish_analysis(result, target);
  if (!direct_output_) scatter(result, to, target, output_distance_, call);
}

/// Transforms to the spectrum and back within the tile.
void Sweep::run_fused_tile(const Box& box, const View& from, const View& to,
                           const TileBuffers& buffers, const SweepCall& call) const {
  const Step& step = *spec_.computation.step;
  const Fusion& fusion = *spec_.computation.fusion;
  if (spec_.target.access.sparse && to.covered(box) == 0) return;
  std::byte* const tile = buffers.input.data();
  std::byte* const spectrum = buffers.output.data();
  const Index count = tiling_.lines_in(box);
  const Index tile_bytes = input_distance_ * spec_.computation.input.bytes();
  const Index spectrum_bytes = output_distance_ * fusion.spectrum.bytes();
  if (!load(box, from, tile, call.sums))
    std::memset(tile, 0, static_cast<std::size_t>(count * tile_bytes));
  transform(*transform_, count, tile, tile_bytes, spectrum, spectrum_bytes);
  weigh_ends(spectrum, count, fusion.spectrum, output_distance_, step.line_output(),
             step.weights.first_out, step.weights.last_out);
  const Box modes_box = step.output_box(box);
  finish_analysis(modes_box, spectrum);
  const TileLines lines = output_lines(modes_box, spectrum);
  if (fusion.factor != 1) scale_lines(lines, step.line_output(), fusion.factor);
  apply_function(lines, step.modes, *spec_.wavenumbers, *call.function);
  if (fusion.inverse.ellipse.squares) cut_ellipse(lines, step.modes, fusion.inverse.ellipse);
  if (step.selects()) spread_modes(lines, step.modes);
  const EndWeights& back = fusion.inverse.weights;
  weigh_ends(spectrum, count, fusion.spectrum, output_distance_, step.line_output(), back.first_in,
             back.last_in);
  transform(*inverse_, count, spectrum, spectrum_bytes, tile, tile_bytes);
  weigh_ends(tile, count, spec_.computation.input, input_distance_, step.line_input(),
             back.first_out, back.last_out);
  scatter(box, to, tile, input_distance_, call);
}

/// Fills the tile with lines as the engine needs them; false if all of them are zero.
bool Sweep::load(const Box& box, const View& from, std::byte* tile, const SweepSums& sums) const {
  const Step& step = *spec_.computation.step;
  if (spec_.source.access.sparse) {
    const Index covered = from.covered(box);
    if (covered == 0) return false;
    if (covered < box.volume())
      std::memset(tile, 0,
                  static_cast<std::size_t>(tiling_.lines_in(box) * input_distance_ *
                                           spec_.computation.input.bytes()));
  }
  gather(box, from, tile, sums);
  const TileLines lines = input_lines(box, tile);
  if (!step.analysis) {
    if (step.ellipse.squares) cut_ellipse(lines, step.modes, step.ellipse);
    if (step.selects()) spread_modes(lines, step.modes);
  }
  weigh_ends(tile, tiling_.lines_in(box), spec_.computation.input, input_distance_,
             step.line_input(), step.weights.first_in, step.weights.last_in);
  return true;
}

void Sweep::finish_analysis(const Box& result, std::byte* tile) const {
  const Step& step = *spec_.computation.step;
  if (!step.analysis) return;
  const TileLines lines = output_lines(result, tile);
  if (step.selects()) fold_modes(lines, step.modes);
  if (step.ellipse.squares) cut_ellipse(lines, step.modes, step.ellipse);
}

void Sweep::gather(const Box& box, const View& from, std::byte* tile, const SweepSums& sums) const {
  const Index bytes = spec_.computation.input.bytes();
  const StridedCopy copy{&gather_kernels_, source().bytes(), bytes, 1, false};
  const PerAxis<Index> strides = tile_strides(input_distance_, bytes);
  const Piece target{box, 0, strides};
  from.for_each_in(box, [&](const Piece& piece, const Box& found) {
    for_each_run(*spec_.computation.step, !spec_.computation.step->analysis, found,
                 [&](const Box& part, Index shift) {
                   std::byte* const to = tile + target.offset_of(part.lower) + shift * bytes;
                   copy(from.address(piece, part.lower), piece.strides, to, strides,
                        part.extents());
                   if (sums.source) sums.source->add(sums.worker, part, to, strides);
                 });
  });
}

StridedCopy Sweep::scattering_copy(Index source_bytes, double scale) const {
  const double factor = spec_.computation.factor * scale;
  return {factor == 1 ? &scatter_kernels_ : &scaling_kernels_, source_bytes, target().bytes(),
          factor, !spec_.target.cached};
}

void Sweep::scatter(const Box& box, const View& to, const std::byte* tile, Index distance,
                    const SweepCall& call) const {
  const Index bytes = spec_.computation.output.bytes();
  const StridedCopy copy = scattering_copy(bytes, call.scale);
  const PerAxis<Index> strides = tile_strides(distance, bytes);
  const bool spectral = spec_.computation.step->analysis && !spec_.computation.fusion;
  const Piece source{box, 0, strides};
  to.for_each_in(box, [&](const Piece& piece, const Box& wanted) {
    for_each_run(*spec_.computation.step, spectral, wanted, [&](const Box& part, Index shift) {
      const std::byte* const from = tile + source.offset_of(part.lower) + shift * bytes;
      if (call.sums.target) call.sums.target->add(call.sums.worker, part, from, strides);
      copy(from, strides, to.address(piece, part.lower), piece.strides, part.extents());
    });
  });
}

/// Without a step there is no tile: numbers in a shorter form are widened only for their sums.
void Sweep::sum_copied(const Box& part, const std::byte* data, const PerAxis<Index>& strides,
                       int worker, BlockSums* sums) const {
  if (sums == nullptr) return;
  const Element& native = spec_.computation.input;
  if (source() == native) return sums->add(worker, part, data, strides);
  Order order;
  for (int axis = 0; axis < strides.size(); ++axis) order.push_back(axis);
  std::ranges::stable_sort(order, [&](int a, int b) { return strides[a] > strides[b]; });
  const auto wide = byte_strides(part.extents(), order, native.bytes());
  std::vector<std::byte> copied(static_cast<std::size_t>(part.volume() * native.bytes()));
  const StridedCopy widen{&gather_kernels_, source().bytes(), native.bytes(), 1, false};
  widen(data, strides, copied.data(), wide, part.extents());
  sums->add(worker, part, copied.data(), wide);
}

void Sweep::copy_tile(const Box& box, const View& from, const View& to,
                      const SweepCall& call) const {
  const StridedCopy copy = scattering_copy(source().bytes(), call.scale);
  if (spec_.source.access.sparse && from.covered(box) < box.volume())
    to.for_each_in(box, [&](const Piece& piece, const Box& part) {
      fill_with_zeros(to.address(piece, part.lower), piece.strides, part.extents(),
                      target().bytes());
    });
  from.for_each_in(box, [&](const Piece& source, const Box& available) {
    sum_copied(available, from.address(source, available.lower), source.strides, call.sums.worker,
               call.sums.source);
    to.for_each_in(available, [&](const Piece& target, const Box& part) {
      sum_copied(part, from.address(source, part.lower), source.strides, call.sums.worker,
                 call.sums.target);
      copy(from.address(source, part.lower), source.strides, to.address(target, part.lower),
           target.strides, part.extents());
    });
  });
}

namespace {

template <class Real>
void weigh(std::byte* tile, Index stride, Index lines, Index components, Index last_element,
           double first, double last) {
  for (Index line = 0; line < lines; ++line) {
    Real* const reals = reinterpret_cast<Real*>(tile + line * stride);
    for (Index c = 0; c < components; ++c) {
      reals[c] *= static_cast<Real>(first);
      reals[last_element * components + c] *= static_cast<Real>(last);
    }
  }
}

}  // namespace

void Sweep::weigh_ends(std::byte* tile, Index lines, const Element& element, Index distance,
                       Index length, double first, double last) const {
  if (first == 1 && last == 1) return;
  const auto weigher = element.precision == Precision::double_ ? weigh<double> : weigh<float>;
  weigher(tile, distance * element.bytes(), lines, element.components(), length - 1, first, last);
}

}  // namespace weft
