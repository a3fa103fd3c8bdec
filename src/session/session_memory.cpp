// The memory of a plan at run time: its own arrays, copies of inputs, and how much there is. Arrays
// are made on first use, collectively, because not every program asks for them.
#include <fmt/format.h>

#include <algorithm>

#include "mpi/shared_segment.hpp"
#include "session/session.hpp"

namespace weft {

using Call = CallWatch::Call;

/// All ranks have the array, or none.
RawArray Session::own_array(Side side, ElementType type) {
  const std::string name = side == Side::input ? "input" : "output";
  if (way(delivering_to(side)).own_array() != nullptr) {
    check_type(side, type, name);
    return made_own_array(side);
  }
  RawArray array;
  policy_.call([&] { return text(name); }, [] {},
               [&] {
                 const std::uint64_t number = resources_.watch().announce(Call::own_array, 0);
                 together(number, "make the plan's own array", [&] {
                   resources_.agree([&] { check_type(side, type, name); });
                   array = made_own_array(side);
                 });
               });
  return array;
}

RawArray Session::made_own_array(Side side) {
  const Direction direction = delivering_to(side);
  Way& way = this->way(direction);
  if (way.own_array() == nullptr) make_own_array(direction, way);
  return {way.own_array(), type_of(side), RawArray::unknown, this};
}

void Session::make_own_array(Direction direction, Way& way) {
  const std::size_t bytes = bytes_of(target_of(direction));
  const Route& route = this->route(direction);
  const bool saves_windows = !way.to_any;  // with arrays=plan
  if (can_deliver(route) && (saves_windows || delivery_pays(route, resources_.job().caches))) {
    try {
      way.window = resources_.make_slot(bytes, SharedSlot::FirstUse::once_opened);
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
  if (!way.delivery) way.delivery = plan_program(shape_delivery(route), rank());
  way.to_own = std::make_unique<Program>(std::move(*way.delivery), context);
}

/// The input, or a copy of it where a single pass would overwrite it before it is read.
const void* Session::staged(const Program& program, std::size_t field, const void* in,
                            const void* out, std::size_t bytes) {
  if (in != out || bytes == 0 || !program.needs_staging_in_place()) return in;
  staging_.resize(std::max(staging_.size(), field + 1));
  if (staging_[field].size() < bytes) {
    device().synchronize();
    staging_[field] = resources_.memory().allocate(bytes, "a copy of the input");
  }
  device().copy(staging_[field].data(), in, bytes);
  return staging_[field].data();
}

std::size_t Session::bytes_of(Side side) const {
  return static_cast<std::size_t>(layout(side).allocated(rank()) * element(side).bytes());
}

ArrayMemory Session::memory(Side side) const {
  return memory_of(layout(side), rank(), element(side));
}

std::size_t Session::workspace_bytes() const {
  std::size_t bytes = resources_.bytes() + round_trip_.arena.size() + device_copies_.bytes();
  for (const auto* memories : {&staging_, &spectra_.fields})
    for (const Memory& memory : *memories) bytes += memory.size();
  for (const auto& window : round_trip_.windows)
    if (!resources_.owns(window)) bytes += window->bytes();
  return bytes + tile_bytes();
}

std::size_t Session::tile_bytes() const {
  std::size_t tiles = 0;
  for (const Way& way : ways_)
    for (const Program* program : {way.to_any.get(), way.to_own.get()})
      tiles += program ? program->tile_bytes() : 0;
  if (round_trip_.program) tiles += round_trip_.program->tile_bytes();
  return tiles;
}

/// Of a plan that has failed, messages may still be under way to and from its memory.
void Session::retire() {
  device().let_go_of_stream();
  if (!is_on_host() || has_failed()) return;
  resources_.free_arenas();
  for (Way& way : ways_) way.memory = {};
  round_trip_.arena = {};
  spectra_ = {};
  staging_.clear();
}

}  // namespace weft
