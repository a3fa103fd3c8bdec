// Weights behind the last step of an axis are random and real, those before it derived from them:
// Freivalds' test of a matrix product (1977), one axis at a time.
#include "plan/functionals.hpp"

#include <algorithm>
#include <cstdint>

#include "machine/mixed_bits.hpp"
#include "transform/line_weights.hpp"

namespace weft {
namespace {

using Line = std::vector<std::complex<double>>;

/// Of magnitude 1/2 to 3/2, so that no element counts for nothing, with random signs.
Line random_weights(int axis, Index length) {
  Line weights;
  for (Index i = 0; i < length; ++i) {
    const std::uint64_t bits = mixed_bits(mixed_bits(static_cast<std::uint64_t>(axis) + 1) ^
                                          static_cast<std::uint64_t>(i));
    const double size = 0.5 + unit_number(bits);
    weights.emplace_back((bits & 1) != 0 ? size : -size);
  }
  return weights;
}

std::size_t place(Index index) { return static_cast<std::size_t>(index); }

/// From kept indices to the whole line, as folding modes combines them.
Line unfolded(const Step& step, const Line& kept) {
  if (!step.selects()) return kept;
  const ModeMap& modes = step.modes;
  Line whole(place(modes.line));
  for (const ModeRun& run : modes.runs)
    for (Index i = 0; i < run.count; ++i)
      whole[place(run.mode + i * run.step)] = kept[place(run.kept + i)];
  const Index highest = modes.runs.front().count - 1;
  if (modes.nyquist == Nyquist::split) whole[place(modes.line - highest)] = whole[place(highest)];
  if (modes.nyquist == Nyquist::packed)
    whole[place(modes.line - 1)] = std::complex<double>(0, 1) * whole[0];
  return whole;
}

/// From the whole line to kept indices, as spreading modes divides them.
Line folded(const Step& step, Line whole) {
  if (!step.selects()) return whole;
  const ModeMap& modes = step.modes;
  const Index highest = modes.runs.front().count - 1;
  if (modes.nyquist == Nyquist::packed)
    whole[0] -= std::complex<double>(0, 1) * whole[place(modes.line - 1)];
  if (modes.nyquist == Nyquist::split) whole[place(highest)] += whole[place(modes.line - highest)];
  if (modes.nyquist == Nyquist::split || modes.nyquist == Nyquist::doubled)
    whole[place(highest)] *= 0.5;
  Line kept(place(modes.kept));
  for (const ModeRun& run : modes.runs)
    for (Index i = 0; i < run.count; ++i)
      kept[place(run.kept + i)] = whole[place(run.mode + i * run.step)];
  return kept;
}

void weigh_ends(Line& line, double first, double last) {
  line.front() *= first;
  line.back() *= last;
}

/// A doubled mode is twice the real part of the line transform's result.
void add_conjugate_mode(const Step& step, const Line& whole, Line& before) {
  const Index highest = step.modes.runs.front().count - 1;
  Line alone(whole.size());
  alone[place(highest)] = whole[place(highest)];
  const Line part = transposed_line(step.kind, step.length, alone);
  for (std::size_t j = 0; j < before.size(); ++j) before[j] += std::conj(part[j]);
}

/// The points from before stages[begin] to before stages[end]; the last is behind the segment.
void add_points(const Route& route, std::size_t begin, std::size_t end,
                std::vector<PointWeights>& points) {
  const auto& stages = route.stages;
  const Shape last = end < stages.size() ? stages[end].from.global() : stages.back().to.global();
  auto lines = PerAxis<Line>::filled(last.size(), {});
  auto weights = PointWeights::filled(last.size(), {});
  const auto weigh = [&](int axis, Line line) {
    weights[axis] = std::make_shared<const AxisWeights>(line);
    lines[axis] = std::move(line);
  };
  for (int axis = 0; axis < last.size(); ++axis) weigh(axis, random_weights(axis, last[axis]));
  std::vector<PointWeights> found{weights};
  for (std::size_t stage = end; stage-- > begin;) {
    for (const Step& step : stages[stage].steps)
      weigh(step.axis, weights_before(step, lines[step.axis]));
    found.push_back(weights);
  }
  points.insert(points.end(), found.rbegin(), found.rend());
}

/// The blocks that a rank exchanges at one side of a pass.
std::vector<SummedBlock> blocks_of(const Layout& own, const Layout* peers,
                                   const std::vector<int>& group, int rank) {
  if (peers == nullptr) return {{own.box(rank), -1}};
  std::vector<SummedBlock> blocks;
  for (const int peer : group)
    if (Box part = intersect(own.box(rank), peers->box(peer)); !part.empty())
      blocks.push_back({std::move(part), peer});
  return blocks;
}

}  // namespace

Line weights_before(const Step& step, const Line& after) {
  Line line = step.analysis ? unfolded(step, after) : after;
  weigh_ends(line, step.weights.first_out, step.weights.last_out);
  Line before = transposed_line(step.kind, step.length, line);
  if (step.analysis && step.selects() && step.modes.nyquist == Nyquist::doubled)
    add_conjugate_mode(step, line, before);
  weigh_ends(before, step.weights.first_in, step.weights.last_in);
  return step.analysis ? before : folded(step, std::move(before));
}

std::vector<PointWeights> point_weights(const Route& route) {
  std::size_t fused = route.stages.size();
  for (std::size_t stage = 0; stage < route.stages.size(); ++stage)
    if (route.stages[stage].is_fused()) fused = stage;
  std::vector<PointWeights> points;
  add_points(route, 0, fused, points);
  if (fused < route.stages.size()) add_points(route, fused + 1, route.stages.size(), points);
  return points;
}

std::unique_ptr<PassSums> make_pass_sums(const Route& route, int number, int rank, int workers,
                                         const std::vector<PointWeights>& weights) {
  const Stage& stage = route.stages[number];
  const auto exchanges = static_cast<int>(route.exchanges.size());
  const Geometry* const before = number > 0 ? &route.exchanges[number - 1] : nullptr;
  const Geometry* const after = number < exchanges ? &route.exchanges[number] : nullptr;
  const auto blocks = [&](const Layout& own, const Geometry* geometry, const Layout* peers) {
    return blocks_of(own, peers, geometry ? geometry->group_of(rank) : std::vector<int>{}, rank);
  };
  const bool copies = stage.steps.empty();
  const int copied = (before ? before->order : stage.from.order()).back();
  const int first = copies ? copied : stage.steps.front().axis;
  const int last =
      copies ? copied : (stage.is_fused() ? stage.steps.front() : stage.steps.back()).axis;
  auto sums = std::make_unique<PassSums>();
  sums->source = std::make_unique<BlockSums>(
      weights[number], blocks(stage.from, before, before ? &before->from : nullptr), stage.input,
      workers);
  sums->target = std::make_unique<BlockSums>(weights[number + 1],
                                             blocks(stage.to, after, after ? &after->to : nullptr),
                                             stage.output, workers);
  // Tiles of contiguous lines have these columns; passes that add arrays set others.
  sums->source->set_columns(first);
  sums->target->set_columns(last);
  sums->factor = stage.factor;
  sums->comparable = !stage.is_fused() && !(after && !after->kept.empty());
  for (const Step& step : stage.steps) {
    // The weights before a twiddle would be no products of one for each axis.
    if (step.ellipse.squares || step.twiddle.turns()) sums->comparable = false;
    if (step.kind == LineKind::c2r) sums->real_only = true;
  }
  return sums;
}

}  // namespace weft
