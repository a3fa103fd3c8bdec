// Own arrays are made on first use, because not every program asks for them.
#include "session/ways.hpp"

#include <algorithm>

namespace weft {

void Ways::make_programs() {
  constexpr std::array directions{Direction::forward, Direction::backward};
  std::array<std::optional<ProgramPlan>, 2> plans;
  std::vector<const MemoryPlan*> memory;
  resources_.agree([&] {
    for (std::size_t d = 0; d < directions.size(); ++d) {
      const ProgramPlan plan =
          plan_program(shape_for(plan_.routes.of(directions[d]), options()), ends_.rank());
      std::optional<ProgramPlan>& kept =
          plan.shape->delivers ? way(directions[d]).delivery : plans[d];
      kept = plan;
      memory.push_back(&kept->memory);
    }
  });
  resources_.allocate(memory);
  resources_.settle_device_path();
  if (options().arrays == Arrays::plan)
    for (const Side side : {Side::input, Side::output}) own_array(side);
  for (std::size_t d = 0; d < directions.size(); ++d)
    if (plans[d])
      way(directions[d]).to_any = std::make_unique<Program>(
          std::move(*plans[d]), resources_.context(directions[d], options().fields));
}

/// Ranks must agree, and each sees only its own arrays: so only who passes the plan's own array as
/// such asks for it. In place peers may not deliver: they would overwrite what this rank has yet to
/// read.
bool Ways::delivers(const TransformCall& call) const {
  const Way& way = this->way(call.direction);
  if (!way.to_own || call.in.size() != 1 || call.out.size() != 1) return false;
  const RawArray& out = call.out.front();
  return out.owner == this && out.data == way.own_array() && call.in.front().data != out.data;
}

Program* Ways::program_for(const TransformCall& call) const {
  const Way& way = this->way(call.direction);
  return delivers(call) ? way.to_own.get() : way.to_any.get();
}

Program& Ways::bind(const TransformCall& call, int first_field, bool overlapped) {
  Program& program = *program_for(call);
  const std::size_t bytes = ends_.memory(source_of(call.direction)).bytes;
  const Side target = target_of(call.direction);
  const DeviceCopies::Sizes sizes{bytes, ends_.memory(target).bytes,
                                  ends_.layout(target).has_gaps()};
  for (std::size_t i = 0; i < call.in.size(); ++i) {
    const std::size_t field = static_cast<std::size_t>(first_field) + i;
    const auto [in, out] = device_copies_.bind(field, call.in[i].data, call.out[i].data, sizes);
    const void* const source = staged(program, field, in, out, bytes);
    program.bind(static_cast<int>(field), source, out, call.scale);
    program.expect_overlap(static_cast<int>(field), overlapped);
  }
  return program;
}

const void* Ways::staged(const Program& program, std::size_t field, const void* in, const void* out,
                         std::size_t bytes) {
  if (in != out || bytes == 0 || !program.needs_staging_in_place()) return in;
  Device& device = resources_.device();
  staging_.resize(std::max(staging_.size(), field + 1));
  if (staging_[field].size() < bytes) {
    device.synchronize();
    staging_[field] = resources_.memory().allocate(bytes, "a copy of the input");
  }
  device.copy(staging_[field].data(), in, bytes);
  return staging_[field].data();
}

Program& Ways::forward_program() const {
  const Way& forward = way(Direction::forward);
  return forward.to_any ? *forward.to_any : *forward.to_own;
}

RawArray Ways::own_array(Side side) {
  const Direction direction = delivering_to(side);
  if (way(direction).own_array() == nullptr) make_own_array(direction);
  return {way(direction).own_array(), ends_.type(side), RawArray::unknown, this};
}

void Ways::make_own_array(Direction direction) {
  Way& way = this->way(direction);
  const std::size_t bytes = ends_.bytes(target_of(direction));
  const Route& route = plan_.routes.of(direction);
  const bool saves_windows = !way.to_any;  // with arrays=plan
  if (can_deliver(route) && (saves_windows || delivery_pays(route, resources_.job().caches))) {
    if (!way.delivery) way.delivery = plan_program(shape_delivery(route), ends_.rank());
    try {
      way.window = resources_.make_slot(std::max(bytes, way.delivery->memory.target_bytes),
                                        SharedSlot::FirstUse::once_opened);
    } catch (const NoSharedMemory&) {
      if (!way.to_any || !plan_.may_avoid_windows) throw;
    }
  }
  if (!way.window) {
    resources_.agree([&] {
      way.memory =
          resources_.memory().allocate(std::max<std::size_t>(bytes, 1), "the plan's own array");
    });
    return;
  }
  ProgramContext context = resources_.context(direction, 1);
  context.fields.front().target = way.window.get();
  way.to_own = std::make_unique<Program>(std::move(*way.delivery), context);
}

std::size_t Ways::bytes() const {
  std::size_t bytes = device_copies_.bytes();
  for (const Memory& memory : staging_) bytes += memory.size();
  return bytes;
}

std::size_t Ways::tile_bytes() const {
  std::size_t tiles = 0;
  for (const Way& way : ways_)
    for (const Program* program : {way.to_any.get(), way.to_own.get()})
      tiles += program ? program->tile_bytes() : 0;
  return tiles;
}

void Ways::retire() {
  for (Way& way : ways_) way.memory = {};
  staging_.clear();
}

}  // namespace weft
