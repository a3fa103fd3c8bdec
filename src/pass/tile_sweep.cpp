// The work on a tile. Planning has left out any gather, scatter or second buffer that is not needed
// (pass/tile_sweep_planning.cpp).
#include "pass/tile_sweep.hpp"

#include <algorithm>
#include <cstring>

#include "machine/cache_line.hpp"

namespace weft {
namespace {

/// Whether engines accept the address: a caller's array may be aligned only to its element.
bool is_aligned(const std::byte* address) {
  return reinterpret_cast<std::uintptr_t>(address) % engine_alignment == 0;
}

}  // namespace

/// Runs the engine on `lines` lines, one batch at a time. `input_bytes` and `output_bytes` are the
/// distances between lines.
void TileSweep::transform(const LineTransform& engine, Index lines, const std::byte* input,
                          Index input_bytes, std::byte* output, Index output_bytes) const {
  for (Index line = 0; line < lines; line += tiling_.batch)
    engine.run(input + line * input_bytes, output + line * output_bytes);
}

PerAxis<Index> TileSweep::tile_strides(Index distance, Index element_bytes) const {
  PerAxis<Index> strides = tiling_.line_number;
  for (Index& stride : strides) stride *= distance * element_bytes;
  strides[line_axis_] = element_bytes;
  return strides;
}

TileLines TileSweep::input_lines(const Box& box, std::byte* tile) const {
  return {tile,       spec_.computation.input, engine_.input_distance, box,
          line_axis_, tiling_.line_number};
}

TileLines TileSweep::output_lines(const Box& box, std::byte* tile) const {
  return {tile, transformed(), engine_.output_distance, box, line_axis_, tiling_.line_number};
}

struct TileSweep::Part {
  Box box;
  Index ahead;  ///< lines from this tile to the next one; 0: nothing is prefetched
};

TileSweep::Part TileSweep::part(const Box& domain, Index tile) const {
  Part part{cut().part(domain, tile), 0};
  const int axis = cut().axes.empty() ? -1 : cut().axes.back();
  if (axis >= 0 && !spec_.source.scratch &&
      part.box.upper[axis] + cut().extents[axis] <= domain.upper[axis])
    part.ahead = cut().extents[axis];
  return part;
}

void TileSweep::run_tile(const Box& domain, Index tile, const View& from, const View& to,
                         const TileBuffers& buffers, const SweepCall& call) const {
  const Part part = this->part(domain, tile);
  const Box& box = part.box;
  if (spec_.computation.fusion) {
    run_fused_tile(part, from, to, buffers, call);
    return;
  }
  if (!spec_.computation.step) {
    copy_tile(box, from, to, call);
    return;
  }
  const Step& step = *spec_.computation.step;
  const Box result = step.output_box(box);
  if (spec_.target.access.sparse && to.covered(result) == 0) {
    if (reading_)
      add_up(call.sums.source, call.sums.worker, from, box);
    else if (call.sums.source)
      load(box, from, buffers.input.data(), call.sums);
    return;
  }
  if (writing_) {
    if (!load(box, from, buffers.input.data(), call.sums))
      std::memset(buffers.input.data(), 0, buffers.input.size());
    write(result, to, buffers.input.data(),
          engine_.input_distance * spec_.computation.input.bytes(), buffers, call);
    return;
  }
  std::byte* const target =
      engine_.writes_target ? to.address(to.pieces.front(), result.lower) : buffers.output.data();
  run_engine(part, from, target, buffers, call);
  weigh_ends(target, tiling_.lines_in(box), spec_.computation.output, engine_.output_distance,
             step.line_output(), step.weights.first_out, step.weights.last_out);
  finish_analysis(result, target);
  if (!engine_.writes_target) scatter(result, to, target, engine_.output_distance, call);
}

/// From the source to transformed lines in the tile.
void TileSweep::run_engine(const Part& part, const View& from, std::byte* target,
                           const TileBuffers& buffers, const SweepCall& call) const {
  const Box& box = part.box;
  const Index lines = tiling_.lines_in(box);
  const Index input_bytes = engine_.input_distance * spec_.computation.input.bytes();
  const Index output_bytes = engine_.output_distance * transformed().bytes();
  if (reading_) {
    reading_->run(box, from, {target, output_bytes},
                  {1, part.ahead, call.sums.source, call.sums.worker}, buffers.scratch.data());
    return;
  }
  const std::byte* const source =
      engine_.direct ? from.address(from.pieces.front(), box.lower) : nullptr;
  if (engine_.direct && is_aligned(source)) {
    if (call.sums.source)
      call.sums.source->add(call.sums.worker, box, source, from.pieces.front().strides);
    transform(*engine_.direct, lines, source, engine_.direct_bytes, target, output_bytes);
  } else if (load(box, from, buffers.input.data(), call.sums)) {
    transform(*engine_.transform, lines, buffers.input.data(), input_bytes, target, output_bytes);
  } else {
    std::memset(target, 0, static_cast<std::size_t>(lines * output_bytes));
  }
}

/// Transforms to the spectrum and back within the tile.
void TileSweep::run_fused_tile(const Part& part, const View& from, const View& to,
                               const TileBuffers& buffers, const SweepCall& call) const {
  const Box& box = part.box;
  const Step& step = *spec_.computation.step;
  const Fusion& fusion = *spec_.computation.fusion;
  if (spec_.target.access.sparse && to.covered(box) == 0) return;
  std::byte* const tile = buffers.input.data();
  std::byte* const spectrum = buffers.output.data();
  const Index count = tiling_.lines_in(box);
  const Index spectrum_bytes = engine_.output_distance * fusion.spectrum.bytes();
  run_engine(part, from, spectrum, buffers, call);
  weigh_ends(spectrum, count, fusion.spectrum, engine_.output_distance, step.line_output(),
             step.weights.first_out, step.weights.last_out);
  const Box modes_box = step.output_box(box);
  finish_analysis(modes_box, spectrum);
  const TileLines lines = output_lines(modes_box, spectrum);
  if (fusion.factor != 1) scale_lines(lines, step.line_output(), fusion.factor);
  apply_function(lines, step.modes, *spec_.wavenumbers, *call.function);
  if (fusion.inverse.ellipse.squares) cut_ellipse(lines, step.modes, fusion.inverse.ellipse);
  if (step.selects()) spread_modes(lines, step.modes);
  const EndWeights& back = fusion.inverse.weights;
  weigh_ends(spectrum, count, fusion.spectrum, engine_.output_distance, step.line_output(),
             back.first_in, back.last_in);
  if (writing_) return write(box, to, spectrum, spectrum_bytes, buffers, call);
  transform(*engine_.inverse, count, spectrum, spectrum_bytes, tile,
            engine_.input_distance * spec_.computation.input.bytes());
  weigh_ends(tile, count, spec_.computation.input, engine_.input_distance, step.line_input(),
             back.first_out, back.last_out);
  scatter(box, to, tile, engine_.input_distance, call);
}

void TileSweep::write(const Box& box, const View& to, std::byte* tile, Index line_bytes,
                      const TileBuffers& buffers, const SweepCall& call) const {
  writing_->run(box, to, {tile, line_bytes},
                {spec_.computation.factor * call.scale, 0, call.sums.target, call.sums.worker},
                buffers.scratch.data());
}

/// Fills the tile with lines as the engine needs them; false if all of them are zero.
bool TileSweep::load(const Box& box, const View& from, std::byte* tile,
                     const SweepSums& sums) const {
  const Step& step = *spec_.computation.step;
  if (spec_.source.access.sparse) {
    const Index covered = from.covered(box);
    if (covered == 0) return false;
    if (covered < box.volume())
      std::memset(tile, 0,
                  static_cast<std::size_t>(tiling_.lines_in(box) * engine_.input_distance *
                                           spec_.computation.input.bytes()));
  }
  gather(box, from, tile, sums);
  const TileLines lines = input_lines(box, tile);
  if (!step.analysis) {
    if (step.ellipse.squares) cut_ellipse(lines, step.modes, step.ellipse);
    if (step.selects()) spread_modes(lines, step.modes);
    twiddles_.turn(lines);
  }
  weigh_ends(tile, tiling_.lines_in(box), spec_.computation.input, engine_.input_distance,
             step.line_input(), step.weights.first_in, step.weights.last_in);
  return true;
}

void TileSweep::finish_analysis(const Box& result, std::byte* tile) const {
  const Step& step = *spec_.computation.step;
  if (!step.analysis) return;
  const TileLines lines = output_lines(result, tile);
  if (step.selects()) fold_modes(lines, step.modes);
  if (step.ellipse.squares) cut_ellipse(lines, step.modes, step.ellipse);
  twiddles_.turn(lines);
}

/// Bytes from the tile to the first element of a part. `lines`: the box of the tile's lines.
Index TileSweep::line_offset(const Piece& lines, const Box& part, LinePlaces places) const {
  Point first = part.lower;
  first[line_axis_] = lines.box.lower[line_axis_] + places.first;
  return lines.offset_of(first);
}

PerAxis<Index> TileSweep::dealt_strides(PerAxis<Index> strides, LinePlaces places) const {
  strides[line_axis_] *= places.step;
  return strides;
}

void TileSweep::gather(const Box& box, const View& from, std::byte* tile,
                       const SweepSums& sums) const {
  const Index bytes = spec_.computation.input.bytes();
  const StridedCopy copy{&copies_.gather, spec_.source_element().bytes(), bytes, 1, false};
  const PerAxis<Index> strides = tile_strides(engine_.input_distance, bytes);
  const Piece target{box, 0, strides};
  from.for_each_in(box, [&](const Piece& piece, const Box& found) {
    for_each_run(*spec_.computation.step, !spec_.computation.step->analysis, found,
                 [&](const Box& part, LinePlaces places) {
                   std::byte* const to = tile + line_offset(target, part, places);
                   const PerAxis<Index> dealt = dealt_strides(strides, places);
                   copy(from.address(piece, part.lower), piece.strides, to, dealt, part.extents());
                   if (sums.source) sums.source->add(sums.worker, part, to, dealt);
                 });
  });
}

StridedCopy TileSweep::scattering_copy(Index source_bytes, double scale) const {
  const double factor = spec_.computation.factor * scale;
  return {factor == 1 ? &copies_.scatter : &copies_.scaling, source_bytes,
          spec_.target_element().bytes(), factor, !spec_.target.cached};
}

void TileSweep::scatter(const Box& box, const View& to, const std::byte* tile, Index distance,
                        const SweepCall& call) const {
  const Index bytes = spec_.computation.output.bytes();
  const StridedCopy copy = scattering_copy(bytes, call.scale);
  const PerAxis<Index> strides = tile_strides(distance, bytes);
  const bool spectral = spec_.computation.step->analysis && !spec_.computation.fusion;
  const Piece source{box, 0, strides};
  to.for_each_in(box, [&](const Piece& piece, const Box& wanted) {
    for_each_run(*spec_.computation.step, spectral, wanted,
                 [&](const Box& part, LinePlaces places) {
                   const std::byte* const from = tile + line_offset(source, part, places);
                   const PerAxis<Index> dealt = dealt_strides(strides, places);
                   if (call.sums.target) call.sums.target->add(call.sums.worker, part, from, dealt);
                   copy(from, dealt, to.address(piece, part.lower), piece.strides, part.extents());
                 });
  });
}

/// Without a step there is no tile: numbers in a wire form are widened for their sums alone.
void TileSweep::sum_copied(const Box& part, const std::byte* data, const PerAxis<Index>& strides,
                           int worker, BlockSums* sums) const {
  if (sums == nullptr) return;
  const Element& native = spec_.computation.input;
  if (spec_.source_element() == native) return sums->add(worker, part, data, strides);
  Order order;
  for (int axis = 0; axis < strides.size(); ++axis) order.push_back(axis);
  std::ranges::stable_sort(order, [&](int a, int b) { return strides[a] > strides[b]; });
  const auto wide = byte_strides(part.extents(), order, native.bytes());
  std::vector<std::byte> copied(static_cast<std::size_t>(part.volume() * native.bytes()));
  const StridedCopy widen{&copies_.gather, spec_.source_element().bytes(), native.bytes(), 1,
                          false};
  widen(data, strides, copied.data(), wide, part.extents());
  sums->add(worker, part, copied.data(), wide);
}

void TileSweep::copy_tile(const Box& box, const View& from, const View& to,
                          const SweepCall& call) const {
  const StridedCopy copy = scattering_copy(spec_.source_element().bytes(), call.scale);
  if (spec_.source.access.sparse && from.covered(box) < box.volume())
    to.for_each_in(box, [&](const Piece& piece, const Box& part) {
      fill_with_zeros(to.address(piece, part.lower), piece.strides, part.extents(),
                      spec_.target_element().bytes());
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

void TileSweep::weigh_ends(std::byte* tile, Index lines, const Element& element, Index distance,
                           Index length, double first, double last) const {
  if (first == 1 && last == 1) return;
  const auto weigher = element.precision == Precision::double_ ? weigh<double> : weigh<float>;
  weigher(tile, distance * element.bytes(), lines, element.components(), length - 1, first, last);
}

}  // namespace weft
