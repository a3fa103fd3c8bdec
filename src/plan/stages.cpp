// A leg's transforms become the steps of a stage, in the order of the direction; with two steps, a
// plane of their axes stays in the cache between them.
#include "plan/stages.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "pass/pass.hpp"
#include "plan/columns.hpp"
#include "plan/split_axes.hpp"

namespace weft {
namespace {

Step make_step(const Transform& transform, int axis, Sense sense) {
  const bool analysis = sense == Sense::analysis;
  Step step;
  step.axis = axis;
  step.kind = line_kind(transform.kinds[axis], sense);
  step.length = transform.shape[axis];
  step.input_length = step.output_length = step.length;
  step.analysis = analysis;
  step.modes = mode_map(transform, axis);
  (analysis ? step.output_length : step.input_length) = step.modes.kept;
  if (transform.scale.rule == Scale::Rule::ortho) step.weights = orthogonal_weights(step.kind);
  return step;
}

/// The axis of the ellipse that is transformed last; -1 without an ellipse.
int last_axis_of(const Ellipse& ellipse, const std::vector<Leg>& legs) {
  int last = -1;
  for (const Leg& leg : legs)
    for (int axis : leg.axes)
      if (is_round(ellipse, axis)) last = axis;
  return last;
}

/// Whether kernels of contiguous lines suit the step's lines: the lines are contiguous, or have so
/// few neighbours that a kernel with a line in each lane would leave most lanes empty. In the
/// second case short lines stay in lanes: copying them to contiguous lines takes longer than the
/// transform.
bool suits_contiguous_lines(const Order& order, const Stage& stage, const Layout& layout,
                            const Step& step) {
  constexpr Index long_line = 32;
  Index neighbours = 1;
  for (auto faster = order.end() - 1; *faster != step.axis; --faster)
    neighbours *= layout.global()[*faster];
  const bool are_few = neighbours < most_lanes(stage.input.precision) / 2;
  return neighbours == 1 || (are_few && step.length >= long_line);
}

}  // namespace

std::vector<Stage> make_stages(const std::vector<Leg>& legs, const Transform& transform,
                               Sense sense) {
  const Ellipse ellipse = ellipse_of(transform);
  std::vector<Stage> stages;
  Element element{.precision = transform.precision,
                  .real = transform.physical_is_real(),
                  .plain_bytes = transform.element_bytes};
  for (const Leg& leg : legs) {
    Stage stage;
    stage.input = stage.middle = element;
    for (int axis : leg.axes) {
      stage.middle = element;
      if (is_half_complex(transform.kinds[axis])) element.real = false;
      if (axis == leg.axes.front()) stage.middle = element;
      stage.steps.push_back(make_step(transform, axis, sense));
    }
    stage.output = element;
    // Only the last-transformed axis applies the exact cut; earlier ones drop whole columns.
    if (const int last = last_axis_of(ellipse, legs); std::ranges::count(leg.axes, last) > 0)
      std::ranges::find(stage.steps, last, &Step::axis)->ellipse = ellipse;
    stage.from = leg.physical;
    stage.to = leg.spectral;
    if (sense == Sense::synthesis) {
      std::swap(stage.from, stage.to);
      std::swap(stage.input, stage.output);
      std::ranges::reverse(stage.steps);
    }
    stages.push_back(std::move(stage));
  }
  if (sense == Sense::synthesis) std::ranges::reverse(stages);
  return stages;
}

std::vector<int> spectral_axes(const std::vector<Stage>& stages, std::size_t before) {
  std::vector<int> axes;
  for (std::size_t stage = 0; stage <= before; ++stage)
    for (const Step& step : stages[stage].steps)
      if (step.analysis) axes.push_back(step.axis);
  for (std::size_t stage = stages.size() - 1; stage > before; --stage)
    for (auto step = stages[stage].steps.rbegin(); step != stages[stage].steps.rend(); ++step)
      if (!step->analysis) axes.push_back(step->axis);
  return axes;
}

void mark_contiguous_lines(Route& route) {
  for (std::size_t s = 0; s < route.stages.size(); ++s) {
    Stage& stage = route.stages[s];
    if (stage.steps.empty()) continue;
    const bool is_last = s + 1 == route.stages.size();
    const Order read = s == 0 ? stage.from.order() : route.exchanges[s - 1].order;
    const Order written = is_last ? stage.to.order() : route.exchanges[s].order;
    Step& first = stage.steps.front();
    Step& last = stage.steps.back();
    const bool reads_lines = suits_contiguous_lines(read, stage, stage.from, first);
    const bool writes_lines = suits_contiguous_lines(written, stage, stage.to, last);
    if (stage.steps.size() == 1) {
      first.contiguous_lines = reads_lines && writes_lines;
      continue;
    }
    last.contiguous_lines = writes_lines && (!reads_lines || last.length > first.length);
    first.contiguous_lines = reads_lines && !last.contiguous_lines;
  }
}

Route make_passes(const std::vector<Leg>& legs, const RouteRequest& request, Direction direction,
                  const Topology& topology) {
  const Options& options = request.options;
  Route route;
  route.stages = make_stages(
      legs, request.transform,
      direction == analysis_direction(request.transform) ? Sense::analysis : Sense::synthesis);
  join_steps(request.axes, route.stages);
  route.setting = {topology, options.count_limit, options.inter_node, options.in_flight};
  route.rule = {options.schedule, options.start_share, options.start_order};
  const auto last = std::ranges::find_if(route.stages.rbegin(), route.stages.rend(),
                                         [](const Stage& stage) { return !stage.steps.empty(); });
  // A plan that only redistributes scales on its way out.
  (last == route.stages.rend() ? route.stages.front() : *last).factor =
      scale_factor(request.transform, direction);
  return route;
}

Routes in_both_directions(const Transform& transform, const CallerArray& physical,
                          const CallerArray& spectral,
                          const std::function<Route(Direction)>& make_route) {
  const bool analysis = analysis_direction(transform) == Direction::forward;
  Routes routes;
  routes.forward = make_route(Direction::forward);
  routes.backward = make_route(Direction::backward);
  routes.forward.source = routes.backward.target = analysis ? physical : spectral;
  routes.forward.target = routes.backward.source = analysis ? spectral : physical;
  routes.input = routes.forward.source.layout;
  routes.output = routes.forward.target.layout;
  routes.input_element = routes.forward.stages.front().input;
  routes.output_element = routes.forward.stages.back().output;
  return routes;
}

bool has_form(const Element& element, Wire wire) {
  if (element.plain_bytes > 0) return wire == Wire::exact;
  return wire != Wire::fixed12 || !element.real;
}

Element on_the_wire(Element element, Wire wire) {
  const bool already = wire == Wire::single_ && element.precision == Precision::single_;
  if (!has_form(element, wire) && element.plain_bytes > 0)
    throw Error(fmt::format("wire {}: elements of {} bytes are moved as they are; valid is exact",
                            to_string(wire), element.plain_bytes));
  if (!has_form(element, wire))
    throw Error(
        "wire fixed12: is a form of complex numbers, and this plan sends real ones; valid are "
        "exact, "
        "float, bfloat16");
  element.wire = already ? Wire::exact : wire;
  return element;
}

}  // namespace weft
