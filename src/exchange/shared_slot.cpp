// Flags in shared memory instead of MPI barriers: checking one costs a single load.
#include "exchange/shared_slot.hpp"

#include <algorithm>
#include <atomic>

#include "machine/aligned_buffer.hpp"
#include "machine/cache_line.hpp"

namespace weft {
namespace {

// A flag is use * use_stride + blocks written, so the producer chunks of a use must stay below
// this.
constexpr std::uint64_t use_stride = std::uint64_t{1} << 20;

std::atomic_ref<std::uint64_t> atomic(std::uint64_t& value) { return std::atomic_ref(value); }

std::size_t flag_bytes(int chunks) { return static_cast<std::size_t>(chunks + 1) * line_bytes; }

}  // namespace

SharedSlot::SharedSlot(const Communicator& node, Device& device, std::vector<int> mates,
                       std::size_t bytes, int chunks, FirstUse first)
    : mates_(std::move(mates)),
      bytes_(bytes),
      stream_(device.stream()),
      flags_(host_memory().share(node, flag_bytes(chunks))),
      areas_(device.memory().share(node, bytes)),
      rank_on_node_(node.rank()),
      produced_(chunks, 0),
      opened_(first == FirstUse::at_once ? 1 : 0) {
  auto* const flags = reinterpret_cast<std::uint64_t*>(flags_->of(rank_on_node_));
  std::fill_n(flags, flag_bytes(chunks) / sizeof(std::uint64_t), 0);
  flags[0] = opened_;
  check_mpi(MPI_Barrier(node.get()), "MPI_Barrier");
}

int SharedSlot::place_of(int rank) const {
  return static_cast<int>(std::ranges::lower_bound(mates_, rank) - mates_.begin());
}

std::uint64_t& SharedSlot::flag(int place, int index) const {
  return *reinterpret_cast<std::uint64_t*>(flags_->of(place) + index * line_bytes);
}

void SharedSlot::raise(int index, std::uint64_t value, Stream* after) {
  if (after != nullptr && waits_for_stream())
    due_.push_back({after->mark(), index, value});
  else
    atomic(flag(rank_on_node_, index)).store(value, std::memory_order_release);
}

bool SharedSlot::settle() {
  for (; !due_.empty() && due_.front().written->is_over(); due_.pop_front())
    atomic(flag(rank_on_node_, due_.front().index))
        .store(due_.front().value, std::memory_order_release);
  return due_.empty();
}

bool SharedSlot::is_open(const std::vector<int>& peers) {
  settle();
  return std::ranges::all_of(peers, [&](int peer) {
    return atomic(flag(peer, 0)).load(std::memory_order_acquire) > use_;
  });
}

void SharedSlot::produce(int j, Stream* stream) {
  raise(1 + j, use_ * use_stride + ++produced_[j], stream != nullptr ? stream : stream_);
}

bool SharedSlot::has_arrived(const std::vector<int>& peers, int j, int blocks) {
  settle();
  return std::ranges::all_of(peers, [&](int peer) {
    return atomic(flag(peer, 1 + j)).load(std::memory_order_acquire) >= use_ * use_stride + blocks;
  });
}

void SharedSlot::next_use() {
  ++use_;
  std::ranges::fill(produced_, 0);
}

void SharedSlot::open() { raise(0, ++opened_, stream_); }

}  // namespace weft
