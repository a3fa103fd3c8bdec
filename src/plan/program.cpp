// Binding: the views that exchanges offer become the sources and targets of the passes between
// them.
#include "plan/program.hpp"

#include <algorithm>

#include "exchange/shared_slot.hpp"
#include "exchange/window_strides.hpp"
#include "layout/partition.hpp"
#include "pass/pass.hpp"
#include "plan/functionals.hpp"

namespace weft {
namespace {

ScheduleShape schedule_shape(const Route& route, int fields) {
  ScheduleShape shape;
  if (!route.exchanges.empty()) shape.chunks = {route.exchanges.front().producer.count};
  for (const Geometry& geometry : route.exchanges) {
    shape.chunks.push_back(geometry.consumer.count);
    shape.aligned.push_back(geometry.aligned);
  }
  shape.fields = fields;
  return shape;
}

ProgramShape finish_shape(ProgramShape shape, ScheduleShape schedule) {
  const auto checked = [&] {
    Schedule made = make_schedule(schedule, shape.route.rule);
    check_schedule(schedule, made);
    return made;
  };
  if (schedule.fields > 1) shape.together = checked();
  schedule.fields = 1;
  shape.alone = checked();
  schedule.in_place = true;
  shape.in_place = checked();
  return shape;
}

/// A rank's part of an array.
Piece whole_array(const CallerArray& array, int rank, const Element& element) {
  PerAxis<Index> strides = array.layout.strides(rank);
  for (Index& stride : strides) stride *= element.bytes();
  return {array.layout.box(rank), 0, strides};
}

/// The kept part of an array, as pieces in kept indices: one for every combination of the axes'
/// runs. The memory is bound later.
View kept_part(const Piece& array, const PerAxis<ModeMap>& modes) {
  std::vector<Piece> kept{array};
  for (int axis = 0; axis < modes.size(); ++axis) {
    std::vector<Piece> split;
    for (const Piece& piece : kept)
      for (const ModeRun& run : modes[axis].runs) {
        Piece part = piece;
        const Index begin = std::max(array.box.lower[axis], run.mode);
        const Index end = std::min(array.box.upper[axis], run.mode + run.count);
        if (begin >= end) continue;
        part.offset += (begin - array.box.lower[axis]) * array.strides[axis];
        part.box.lower[axis] = run.kept + begin - run.mode;
        part.box.upper[axis] = run.kept + end - run.mode;
        split.push_back(std::move(part));
      }
    kept = std::move(split);
  }
  return {{nullptr}, std::move(kept)};
}

/// The rest of the array. Each piece is dropped along one axis, and kept along all earlier axes.
std::vector<Piece> dropped_part(const Piece& array, const PerAxis<ModeMap>& modes) {
  std::vector<Piece> dropped;
  std::vector<Piece> left{array};
  const auto cut = [](Piece piece, int axis, Index begin, Index end) {
    begin = std::max(begin, piece.box.lower[axis]);
    end = std::min(end, piece.box.upper[axis]);
    piece.offset += (begin - piece.box.lower[axis]) * piece.strides[axis];
    piece.box.lower[axis] = begin;
    piece.box.upper[axis] = std::max(begin, end);
    return piece;
  };
  for (int axis = 0; axis < modes.size(); ++axis) {
    std::vector<Piece> kept;
    for (const Piece& piece : left) {
      Index end = 0;
      for (const ModeRun& run : modes[axis].runs) {
        dropped.push_back(cut(piece, axis, end, run.mode));
        kept.push_back(cut(piece, axis, run.mode, run.mode + run.count));
        end = run.mode + run.count;
      }
      dropped.push_back(cut(piece, axis, end, modes[axis].line));
    }
    left = std::move(kept);
  }
  std::erase_if(dropped, [](const Piece& piece) { return piece.box.empty(); });
  return dropped;
}

/// A pass has the same chunks on both sides.
std::vector<Cell> make_cells(const Route& route, int stage, int rank) {
  const bool is_last = stage + 1 == static_cast<int>(route.stages.size());
  const Chunking chunks = stage > 0 ? route.exchanges[stage - 1].consumer
                          : is_last ? Chunking{}
                                    : route.exchanges[stage].producer;
  const Box& box = route.stages[stage].from.box(rank);
  std::vector<Cell> cells;
  for (int chunk = 0; chunk < chunks.count; ++chunk)
    cells.push_back({part_of(box, chunks.axis, chunks.count, chunk), stage > 0 ? chunk : 0,
                     is_last ? 0 : chunk});
  return cells;
}

/// The last exchange, into the result itself.
Geometry delivered(const Route& route) {
  Geometry geometry = route.exchanges.back();
  geometry.order = route.stages.back().to.order();
  geometry.row_axes = 0;
  return geometry;
}

}  // namespace

ProgramShape shape_program(const Route& route, int fields) {
  return finish_shape({.route = route}, schedule_shape(route, fields));
}

bool can_deliver(const Route& route) {
  if (route.exchanges.empty() || !route.methods.back()->traits.peers_write_target) return false;
  const Stage& last = route.stages.back();
  if (!last.from.has_boxes_of(last.to) || last.input != last.output) return false;
  if (route.exchanges.back().element != last.input) return false;
  if (!route.target.modes.empty() || !route.exchanges.back().kept.empty()) return false;
  if (route.target.layout.has_gaps()) return false;
  // In another order than is best for the last pass only where it saves one of several windows.
  return last.steps.empty() || route.exchanges.size() > 1 ||
         last.to.order() == route.exchanges.back().order;
}

bool delivery_pays(const Route& route, const Caches& caches) {
  constexpr Index colliding_bytes = 2048;  // half of what the sets of a first-level cache cover
  const Stage& last = route.stages.back();
  if (last.steps.size() != 1) return true;
  const Index distance = window_strides(delivered(route), 0)[last.steps.front().axis];
  const Index bytes = volume(last.to.global()) / last.to.positions() * last.output.bytes();
  return distance % colliding_bytes != 0 ||
         2 * static_cast<std::size_t>(bytes) <= cached_budget(caches);
}

ProgramShape shape_delivery(const Route& route) {
  ProgramShape shape{.route = route, .delivers = true};
  shape.route.exchanges.back() = delivered(route);
  shape.last_pass_idle = route.stages.back().steps.empty();
  ScheduleShape schedule = schedule_shape(shape.route, 1);
  schedule.delivers_to_caller = true;
  schedule.last_pass_idle = shape.last_pass_idle;
  return finish_shape(std::move(shape), schedule);
}

ProgramShape shape_for(const Route& route, const Options& options) {
  if (options.arrays != Arrays::plan || !can_deliver(route))
    return shape_program(route, options.fields);
  ProgramShape shape = shape_delivery(route);
  shape.saves_windows = true;
  return shape;
}

ProgramShape shape_round_trip(const Route& route) {
  ProgramShape shape = shape_program(route, 1);
  shape.held = fused_stage(route) - 1;
  const auto comes_before = [&](const Action& action) {
    return action.verb != Action::Verb::release || action.stage != shape.held;
  };
  for (Schedule* schedule : {&shape.alone, &shape.in_place})
    std::stable_partition(schedule->begin(), schedule->end(), comes_before);
  return shape;
}

ProgramShape shape_without_communication(const Route& route) {
  ProgramShape shape{.route = route};
  if (is_alone(route)) return finish_shape(std::move(shape), schedule_shape(route, 1));
  std::ranges::fill(shape.route.methods, &exchange_without_communication());
  shape.route.in_result_array = false;
  return finish_shape(std::move(shape), schedule_shape(route, 1));
}

namespace {

std::vector<TargetUse> target_uses(const ProgramShape& shape) {
  const Route& route = shape.route;
  std::vector<TargetUse> uses(route.exchanges.size(), TargetUse::never);
  if (!shape.delivers) return uses;
  for (std::size_t e = 0; e < uses.size(); ++e)
    if (shape.saves_windows && route.methods[e]->traits.peers_write_target)
      uses[e] = TargetUse::before;
  uses.back() = TargetUse::delivers;
  return uses;
}

}  // namespace

ProgramPlan plan_program(std::shared_ptr<const ProgramShape> shape, int rank) {
  const Route& route = shape->route;
  std::vector<MemoryNeeds> needs;
  for (std::size_t e = 0; e < route.exchanges.size(); ++e)
    needs.push_back(route.methods[e]->memory(route.exchanges[e], rank, route.setting));
  std::vector<const Schedule*> schedules{&shape->alone, &shape->in_place};
  if (!shape->together.empty()) schedules.push_back(&shape->together);
  MemoryPlan memory = plan_memory(schedules, needs, target_uses(*shape), shape->held);
  return {std::move(shape), rank, std::move(memory)};
}

ProgramPlan plan_program(ProgramShape shape, int rank) {
  return plan_program(std::make_shared<const ProgramShape>(std::move(shape)), rank);
}

Program::Program(ProgramPlan plan, const ProgramContext& context)
    : plan_(std::move(plan)), shape_(plan_.shape.get()) {
  fields_.resize(context.fields.size());
  for (std::size_t number = 0; number < fields_.size(); ++number) {
    Field& field = fields_[number];
    make_exchanges(field, static_cast<int>(number), context);
    context.agree([&] {
      if (context.options.verify) make_sums(field, context);
      for (std::size_t stage = 0; stage < shape_->route.stages.size(); ++stage)
        make_pass(field, static_cast<int>(stage), context);
    });
  }
}

void Program::make_exchanges(Field& field, int number, const ProgramContext& context) {
  const Route& route = shape_->route;
  const FieldMemory& bound = context.fields[number];
  const std::vector<std::size_t>& windows = plan_.memory.window_bytes;
  for (std::size_t window = 0; window < windows.size(); ++window)
    if (bound.windows[window]->bytes() < windows[window])
      throw Error(fmt::format("internal: window {} has {} bytes, {} are needed", window,
                              bound.windows[window]->bytes(), windows[window]));
  for (std::size_t e = 0; e < route.exchanges.size(); ++e) {
    const MemoryPlan::Place& place = plan_.memory.exchanges[e];
    ExchangeContext exchange;
    exchange.geometry = route.exchanges[e];
    exchange.setting = route.setting;
    exchange.rank = plan_.rank;
    exchange.group = route.exchanges[e].group_of(plan_.rank);
    if (!context.communicators.empty()) {
      exchange.communicator = context.communicators[e][number].all;
      exchange.leaders = context.communicators[e][number].leaders;
    }
    if (!context.loopback.empty()) exchange.loopback = context.loopback[e][number];
    exchange.memory = {context.device, context.options.device_path, bound.mirror};
    exchange.messages = bound.messages;
    exchange.send = bound.arena + place.send;
    exchange.receive = bound.arena + place.receive;
    exchange.own = bound.arena + place.own;
    exchange.slot = place.in_target     ? bound.target
                    : place.window >= 0 ? bound.windows[place.window]
                                        : nullptr;
    // A rank that blocks in MPI raises no flags, for which its peers may wait before they join it.
    // All ranks decide alike: a call that blocks and one that does not never match.
    if (exchange.slot != nullptr && context.device->stream() != nullptr) may_block_ = false;
    // One by one: the groups of the next exchange would wait for a rank that has failed.
    context.agree([&] { field.exchanges.push_back(route.methods[e]->make(std::move(exchange))); });
  }
}

void Program::make_sums(Field& field, const ProgramContext& context) {
  const Route& route = shape_->route;
  const std::vector<PointWeights> weights = point_weights(route);
  for (std::size_t stage = 0; stage < route.stages.size(); ++stage)
    field.sums.push_back(make_pass_sums(route, static_cast<int>(stage), plan_.rank,
                                        context.options.threads, weights));
  if (shape_->last_pass_idle) field.sums.back()->comparable = false;  // it writes nothing
}

const PassSums* Program::sums(int field, int stage) const {
  const auto& sums = fields_[field].sums;
  return sums.empty() ? nullptr : sums[stage].get();
}

void Program::sum_delivered(int field) {
  if (!shape_->last_pass_idle) return;
  BlockSums& sums = *fields_[field].sums.back()->source;
  sums.reset();
  const Exchange& last = *fields_[field].exchanges.back();
  const Geometry& geometry = shape_->route.exchanges.back();
  for (int j = 0; j < geometry.consumer.count; ++j) {
    // Views may be of the whole array.
    const View view = last.incoming(j);
    view.for_each_in(geometry.consumed(plan_.rank, j), [&](const Piece& piece, const Box& part) {
      sums.add(0, part, view.address(piece, part.lower), piece.strides);
    });
  }
}

void Program::make_pass(Field& field, int number, const ProgramContext& context) {
  const Route& route = shape_->route;
  const bool is_last = number + 1 == static_cast<int>(route.stages.size());
  if (is_last && shape_->last_pass_idle) {
    field.passes.push_back(nullptr);
    return;
  }
  const Stage& stage = route.stages[number];
  std::vector<View> from;
  if (number == 0)
    from.push_back(
        kept_part(whole_array(route.source, plan_.rank, stage.input), route.source.modes));
  else
    for (int j = 0; j < route.exchanges[number - 1].consumer.count; ++j)
      from.push_back(field.exchanges[number - 1]->incoming(j));
  std::vector<View> to;
  const Piece result = whole_array(route.target, plan_.rank, stage.output);
  if (is_last)
    to.push_back(kept_part(result, route.target.modes));
  else
    for (int k = 0; k < route.exchanges[number].producer.count; ++k)
      to.push_back(field.exchanges[number]->outgoing(k));
  PassSpec spec;
  spec.computation = stage;
  spec.engine = &find_engine(context.options.engine);
  spec.effort = context.options.engine_effort;
  spec.threads = context.options.threads;
  spec.wavenumbers = context.wavenumbers;
  if (number > 0) spec.source.wire = route.exchanges[number - 1].element.wire;
  if (!is_last) spec.target.wire = route.exchanges[number].element.wire;
  spec.source.sparse = number > 0 && !route.exchanges[number - 1].kept.empty();
  spec.target.sparse = !is_last && !route.exchanges[number].kept.empty();
  if (is_last && !route.target.modes.empty()) spec.blank = dropped_part(result, route.target.modes);
  if (!field.sums.empty()) spec.sums = field.sums[number].get();
  field.passes.push_back(context.device->make_pass(
      {std::move(spec), make_cells(route, number, plan_.rank), std::move(from), std::move(to)},
      *context.caches));
}

void Program::bind(int field, const void* in, void* out, double scale) {
  auto& passes = fields_[field].passes;
  passes.front()->bind_source(in);
  (passes.back() ? passes.back() : passes[passes.size() - 2])->bind_scale(scale);
  if (shape_->route.in_result_array) {
    bind_result_array(fields_[field], static_cast<std::byte*>(out));
    return;
  }
  if (passes.back()) passes.back()->bind_target(out);
}

void Program::bind_result_array(Field& field, std::byte* array) {
  for (std::size_t pass = 0; pass < field.passes.size(); ++pass) {
    if (pass > 0) field.passes[pass]->bind_source(array);
    field.passes[pass]->bind_target(array);
  }
  for (const auto& exchange : field.exchanges) exchange->bind(array);
}

bool Program::needs_staging_in_place() const {
  const auto& passes = fields_.front().passes;
  return passes.size() == 1 && !passes.front()->may_run_in_place();
}

void Program::bind_function(const RawLineFunction* function) {
  fields_.front().passes[fused_stage(shape_->route)]->bind_function(function);
}

void Program::expect_overlap(int field, bool overlapped) {
  for (const auto& exchange : fields_[field].exchanges)
    exchange->expect_overlap(overlapped || !may_block_);
}

bool Program::perform(const Action& action, const std::function<void()>& poll) {
  Field& field = fields_[action.field];
  switch (action.verb) {
    case Action::Verb::acquire:
      return field.exchanges[action.stage]->acquire(action.k);
    case Action::Verb::run:
      field.passes[action.stage]->run(action.k, poll);
      return true;
    case Action::Verb::start:
      return field.exchanges[action.stage]->start(action.k, action.j);
    case Action::Verb::finish:
      return field.exchanges[action.stage]->finish(action.j);
    case Action::Verb::release:
      field.exchanges[action.stage]->release(action.j);
      return true;
  }
  return true;
}

bool Program::repeats(const Action& action, bool is_first, bool is_last) const {
  // Input and result share one array, so what arrived is overwritten and everything is run again.
  if (shape_->route.in_result_array) return true;
  using Verb = Action::Verb;
  const int fused = shape_->held + 1;
  const bool belongs_to_next = action.verb == Verb::finish || action.verb == Verb::release;
  const int pass = action.stage + (belongs_to_next ? 1 : 0);
  if (pass < fused || (pass == fused && action.verb == Verb::finish)) return is_first;
  return pass != fused || action.verb != Verb::release || is_last;
}

bool Program::leave() {
  return std::ranges::all_of(fields_, [](Field& field) {
    return std::ranges::all_of(field.exchanges,
                               [](const auto& exchange) { return exchange->leave(); });
  });
}

void Program::test() {
  for (Field& field : fields_)
    for (const auto& exchange : field.exchanges) exchange->test();
}

bool Program::needs_tests() const {
  return std::ranges::any_of(fields_.front().exchanges,
                             [](const auto& exchange) { return exchange->needs_tests(); });
}

std::size_t Program::tile_bytes() const {
  std::size_t bytes = 0;
  for (const Field& field : fields_)
    for (const auto& pass : field.passes) bytes += pass ? pass->buffer_bytes() : 0;
  return bytes;
}

std::size_t Program::traffic_bytes() const {
  std::size_t bytes = 0;
  for (const auto& pass : fields_.front().passes) bytes += pass ? pass->traffic_bytes() : 0;
  return bytes;
}

std::string Program::describe_pass(int stage) const {
  const auto& pass = fields_.front().passes[stage];
  return pass ? pass->describe() : "none: peers deliver the result";
}

}  // namespace weft
