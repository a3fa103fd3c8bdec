// Everything here that is collective happens while planning, or on the first use of what needs it.
#include "session/resources.hpp"

#include <algorithm>

namespace weft {

Resources::Resources(const Job& job, const Route& forward, const Options& options)
    : job_(job), options_(options) {
  watch_.open(job_.node);
  const int rank = job_.communicator.rank();
  for (const Geometry& geometry : forward.exchanges) {
    const int color = geometry.group_of(rank).front();
    std::vector<Communicator> fields;
    for (int field = 0; field < options.fields; ++field)
      fields.push_back(job_.communicator.split(color, rank));
    groups_.push_back(std::move(fields));
  }
}

void Resources::allocate(const std::vector<const MemoryPlan*>& plans) {
  std::size_t arena = 0;
  std::vector<std::size_t> windows;
  for (const MemoryPlan* plan : plans) {
    arena = std::max(arena, plan->arena_bytes);
    windows.resize(std::max(windows.size(), plan->window_bytes.size()), 0);
    for (std::size_t w = 0; w < plan->window_bytes.size(); ++w)
      windows[w] = std::max(windows[w], plan->window_bytes[w]);
  }
  agree([&] {
    for (int field = 0; field < options_.fields; ++field) arenas_.emplace_back(arena);
  });
  windows_.resize(static_cast<std::size_t>(options_.fields));
  for (auto& field : windows_)
    for (std::size_t bytes : windows) field.push_back(make_slot(bytes, true));
}

std::shared_ptr<SharedSlot> Resources::make_slot(std::size_t bytes, bool open) {
  const int chunks = std::max({1, options_.producer_chunks, options_.consumer_chunks});
  return std::make_shared<SharedSlot>(job_.node, job_.topology.mates_of(job_.communicator.rank()),
                                      bytes, chunks, open);
}

std::shared_ptr<SharedSlot> Resources::window_for(std::size_t number, std::size_t bytes) {
  const auto& own = windows_.front();
  int fits = number < own.size() && own[number]->bytes() >= bytes;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &fits, 1, MPI_INT, MPI_MIN, job_.communicator.get()),
            "MPI_Allreduce");
  return fits ? own[number] : make_slot(bytes, true);
}

ProgramContext Resources::context(Direction direction, int fields) const {
  ProgramContext context;
  context.caches = &job_.caches;
  context.options = options_;
  context.communicators = groups_;
  if (direction == Direction::backward) std::ranges::reverse(context.communicators);
  for (int field = 0; field < fields; ++field) {
    FieldMemory memory;
    memory.arena = arenas_[field].data();
    for (const auto& window : windows_[field]) memory.windows.push_back(window.get());
    context.fields.push_back(std::move(memory));
  }
  context.agree = [this](const auto& work) { agree(work); };
  return context;
}

ProgramContext Resources::round_trip_context(Direction there, std::size_t exchanges) const {
  ProgramContext context = this->context(there, 1);
  auto& groups = context.communicators;
  groups.resize(exchanges / 2);
  for (std::size_t e = exchanges / 2; e-- > 0;)
    groups.push_back({Communicator::duplicate(groups[e].front().get())});
  context.agree = [](const auto& work) { work(); };
  return context;
}

std::size_t Resources::bytes() const {
  std::size_t bytes = 0;
  for (const AlignedBuffer& arena : arenas_) bytes += arena.size();
  for (const auto& field : windows_)
    for (const auto& window : field) bytes += window->bytes();
  return bytes;
}

bool Resources::owns(const std::shared_ptr<SharedSlot>& window) const {
  return std::ranges::find(windows_.front(), window) != windows_.front().end();
}

}  // namespace weft
