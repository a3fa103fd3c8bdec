// Everything here that is collective happens while planning, or on the first use of what needs it.
#include "session/resources.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "job/device_connections.hpp"
#include "job/device_of_rank.hpp"
#include "machine/huge_pages.hpp"
#include "mpi/shared_segment.hpp"
#include "plan/describe.hpp"

namespace weft {
namespace {

/// For each exchange the first one with the same groups on all ranks. Collective.
std::vector<std::size_t> first_with_same_groups(const Communicator& communicator,
                                                const Route& route) {
  const std::size_t count = route.exchanges.size();
  std::vector<std::vector<int>> groups;
  for (const Geometry& geometry : route.exchanges)
    groups.push_back(geometry.group_of(communicator.rank()));
  std::vector<int> same;
  for (std::size_t e = 0; e < count; ++e)
    for (std::size_t first = 0; first < count; ++first) same.push_back(groups[e] == groups[first]);
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, same.data(), static_cast<int>(same.size()), MPI_INT,
                          MPI_MIN, communicator.get()),
            "MPI_Allreduce");
  std::vector<std::size_t> firsts;
  for (std::size_t e = 0; e < count; ++e)
    firsts.push_back(static_cast<std::size_t>(
        std::find(same.begin() + static_cast<std::ptrdiff_t>(e * count), same.end(), 1) -
        (same.begin() + static_cast<std::ptrdiff_t>(e * count))));
  return firsts;
}

/// Whether MPI might be given addresses of blocks at all.
bool may_be_direct(const Routes& routes) {
  const auto may = [](const ExchangeMethod* method) {
    return method->traits.sends_messages && method->traits.device_reach == DeviceReach::direct;
  };
  return std::ranges::any_of(routes.forward.methods, may) ||
         std::ranges::any_of(routes.backward.methods, may);
}

}  // namespace

Resources::Resources(const Job& job, const Routes& routes, const Options& options)
    : job_(job),
      options_(options),
      may_be_direct_(may_be_direct(routes)),
      device_name_(device_of_rank(job_, options_.device)),
      caches_(is_host_device(options_.device) ? job_.caches
                                              : device_caches(options_, job_.caches)) {
  agree([&] { device_ = open_device(device_name_); });
  watch_.open(job_.communicator, job_.node, options_.fields);
  make_groups(routes);
  join_messages(routes);
}

/// A group is split off once; what else it needs are duplicates, which concern no other group.
void Resources::make_groups(const Routes& routes) {
  const std::size_t count = routes.forward.exchanges.size();
  if (count == 0) return;
  const int rank = job_.communicator.rank();
  const auto backward = in_order_of(Direction::backward, routes.backward.methods);
  const std::vector<std::size_t> firsts = first_with_same_groups(job_.communicator, routes.forward);
  const auto any_way = [&](std::size_t e, bool MethodTraits::*trait) {
    return routes.forward.methods[e]->traits.*trait || backward[e]->traits.*trait;
  };
  std::vector<Communicator> split(count);
  for (std::size_t e = 0; e < count; ++e) {
    std::vector<GroupCommunicators>& fields = groups_.emplace_back(options_.fields);
    if (!any_way(e, &MethodTraits::sends_messages)) continue;
    const std::vector<int> ranks = routes.forward.exchanges[e].group_of(rank);
    Communicator& group = split[firsts[e]];
    for (GroupCommunicators& field : fields)
      if (group.get() != MPI_COMM_NULL)
        field.all = Communicator::duplicate(group.get());
      else
        field.all = group = job_.communicator.split(ranks.front(), rank);
    if (any_way(e, &MethodTraits::gathers_on_nodes)) add_leaders(fields, ranks);
  }
}

/// Connections are made here, and not by the first call.
void Resources::join_messages(const Routes& routes) {
  const int rank = job_.communicator.rank();
  const auto backward = in_order_of(Direction::backward, routes.backward.methods);
  std::vector<int> peers;
  bool is_needed = false;
  for (std::size_t e = 0; e < routes.forward.exchanges.size(); ++e) {
    const auto needs_them = [](const ExchangeMethod* method) {
      return method->traits.device_reach == DeviceReach::device_library;
    };
    if (!needs_them(routes.forward.methods[e]) && !needs_them(backward[e])) continue;
    is_needed = true;
    for (const int peer : routes.forward.exchanges[e].group_of(rank))
      if (peer != rank) peers.push_back(peer);
  }
  if (!is_needed || job_.communicator.size() == 1) return;
  std::ranges::sort(peers);
  peers.erase(std::unique(peers.begin(), peers.end()), peers.end());
  for (int field = 0; field < options_.fields; ++field)
    messages_.push_back(connected_messages(job_.communicator, *device_, peers));
}

/// Leaders are split off once for all fields and programs of an exchange.
void Resources::add_leaders(std::vector<GroupCommunicators>& fields,
                            const std::vector<int>& ranks) const {
  const auto node_of = [&](int member) { return job_.topology.node_of(member); };
  const int rank = job_.communicator.rank();
  if (std::ranges::all_of(ranks, [&](int member) { return node_of(member) == node_of(rank); }))
    return;
  const bool leads = *std::ranges::find(ranks, node_of(rank), node_of) == rank;
  const Communicator leaders = fields.front().all.split(leads ? 0 : 1, rank);
  if (!leads) return;
  fields.front().leaders = leaders;
  for (std::size_t field = 1; field < fields.size(); ++field)
    fields[field].leaders = Communicator::duplicate(leaders.get());
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
    for (int field = 0; field < options_.fields; ++field)
      arenas_.push_back(memory().allocate(arena, "buffers between passes"));
  });
  windows_.resize(static_cast<std::size_t>(options_.fields));
  for (auto& field : windows_)
    for (std::size_t bytes : windows)
      field.push_back(make_slot(bytes, SharedSlot::FirstUse::at_once));
  for (std::size_t field = 0; field < windows_.size(); ++field)
    mirrors_.push_back(mirror_of(arenas_[field], windows_[field]));
}

std::unique_ptr<HostMirror> Resources::mirror_of(
    const Memory& arena, const std::vector<std::shared_ptr<SharedSlot>>& windows) const {
  if (device_->stream() == nullptr) return nullptr;
  std::vector<std::span<std::byte>> memories{{arena.data(), arena.size()}};
  for (const auto& window : windows) memories.emplace_back(window->own(), window->bytes());
  return std::make_unique<HostMirror>(*device_, std::move(memories));
}

void Resources::settle_device_path() {
  if (device_->stream() == nullptr || job_.communicator.size() == 1 || !may_be_direct_) return;
  std::vector<std::span<std::byte>> buffers;
  for (const Memory& arena : arenas_) buffers.emplace_back(arena.data(), arena.size());
  for (const auto& field : windows_)
    for (const auto& window : field) buffers.emplace_back(window->own(), window->bytes());
  device_path_ = choose_device_path(job_, *device_, options_, buffers);
  options_.device_path = device_path_.path;
}

std::shared_ptr<SharedSlot> Resources::make_slot(std::size_t bytes, SharedSlot::FirstUse first) {
  const int chunks = std::max({1, options_.producer_chunks, options_.consumer_chunks});
  std::shared_ptr<SharedSlot> slot;
  std::string failure;
  try {
    slot = std::make_shared<SharedSlot>(job_.node, *device_,
                                        job_.topology.mates_of(job_.communicator.rank()), bytes,
                                        chunks, first);
  } catch (const NoSharedMemory& none) {
    failure = none.what();
  }
  throw_together(job_.communicator, failure);
  return slot;
}

std::shared_ptr<SharedSlot> Resources::window_for(std::size_t number, std::size_t bytes) {
  const auto& own = windows_.front();
  int fits = number < own.size() && own[number]->bytes() >= bytes;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &fits, 1, MPI_INT, MPI_MIN, job_.communicator.get()),
            "MPI_Allreduce");
  return fits ? own[number] : make_slot(bytes, SharedSlot::FirstUse::at_once);
}

ProgramContext Resources::context(Direction direction, int fields) const {
  ProgramContext context;
  context.caches = &caches_;
  context.device = device_.get();
  context.options = options_;
  context.communicators = in_order_of(direction, groups_);
  for (int field = 0; field < fields; ++field) {
    FieldMemory memory;
    memory.arena = arenas_[field].data();
    for (const auto& window : windows_[field]) memory.windows.push_back(window.get());
    memory.mirror = mirrors_[field].get();
    if (!messages_.empty()) memory.messages = messages_[field];
    context.fields.push_back(std::move(memory));
  }
  context.agree = [this](const auto& work) { agree(work); };
  return context;
}

ProgramContext Resources::round_trip_context(Direction there, std::size_t exchanges) const {
  ProgramContext context = this->context(there, 1);
  auto& groups = context.communicators;
  groups.resize(exchanges / 2);
  const auto another = [](const Communicator& one) {
    return one.get() != MPI_COMM_NULL ? Communicator::duplicate(one.get()) : Communicator();
  };
  for (std::size_t e = exchanges / 2; e-- > 0;) {
    const GroupCommunicators there = groups[e].front();
    groups.push_back({{another(there.all), another(there.leaders)}});
  }
  context.agree = [](const auto& work) { work(); };
  return context;
}

std::size_t Resources::bytes() const {
  std::size_t bytes = 0;
  for (const Memory& arena : arenas_) bytes += arena.size();
  for (const auto& field : windows_)
    for (const auto& window : field) bytes += window->bytes();
  for (const auto& mirror : mirrors_) bytes += mirror ? mirror->bytes() : 0;
  return bytes;
}

std::string Resources::describe() const {
  std::string text;
  if (device_name_ != options_.device)
    text += fmt::format("  device {}: {} on this rank\n", options_.device, device_name_);
  if (!device_path_.reason.empty())
    text +=
        fmt::format("  device_path {}: {}\n", to_string(device_path_.path), device_path_.reason);
  if (!messages_.empty())
    text += fmt::format("  messages of the device: {}\n", device_->message_library());
  std::size_t huge = 0;
  for (const auto& field : windows_)
    for (const auto& window : field) huge += bytes_in_huge_pages(window->own(), window->bytes());
  if (huge > 0)
    text += fmt::format("  {} of the windows lie in huge pages\n",
                        bytes_text(static_cast<double>(huge)));
  return text;
}

bool Resources::owns(const std::shared_ptr<SharedSlot>& window) const {
  return std::ranges::find(windows_.front(), window) != windows_.front().end();
}

}  // namespace weft
