// Stands in for NCCL on the pretended runtime: messages between processes of one machine, in the
// order of the stream. Messages of a stream go through pinned copies.
#include <cuda_runtime_api.h>

#include <atomic>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "device/emulated_messages.hpp"
#include "waits.hpp"

namespace {

using weft::DeviceMessages;

constexpr int succeeded = 0, invalid_usage = 5, most_members = 16;

/// Pinned memory. It is used again instead of being freed, since cudaFreeHost waits for all
/// streams.
struct Pinned {
  std::size_t bytes = 0;
  std::byte* memory = nullptr;
  std::atomic<bool> is_used = true;

  /// Memory that is not used, or more of it.
  static Pinned& of(std::size_t bytes) {
    static std::mutex mutex;
    static auto* const all = new std::deque<Pinned>;
    const std::lock_guard lock(mutex);
    for (Pinned& one : *all)
      if (one.bytes >= bytes && !one.is_used.exchange(true)) return one;
    Pinned& made = all->emplace_back();
    void* memory = nullptr;
    cudaHostAlloc(&memory, bytes, cudaHostAllocDefault);
    made.bytes = bytes;
    made.memory = static_cast<std::byte*>(memory);
    return made;
  }
};

struct Done : weft::Mark {
  bool is_over() const override { return true; }
};

}  // namespace

struct ncclComm {
  std::unique_ptr<DeviceMessages> messages;
  std::atomic<bool> is_given_up = false;
};

namespace {

struct Call {
  ncclComm* group;
  bool sends;
  DeviceMessages::Message message;
  cudaStream_t stream;
};
thread_local std::vector<Call> calls;
thread_local bool is_group_open = false;

/// The messages of one group of calls, until they have arrived.
struct Exchange {
  ncclComm* group;
  std::vector<DeviceMessages::Message> sent, received;
  weft::SharedMark arrived;
  std::vector<Pinned*> copies;
};

/// Begins the exchange when the stream reaches it, and says whether it is over.
bool is_over(void* data) {
  auto& exchange = *static_cast<Exchange*>(data);
  if (exchange.group->is_given_up) return true;
  if (exchange.arrived == nullptr)
    exchange.arrived = exchange.group->messages->exchange(exchange.sent, exchange.received, Done());
  return exchange.arrived != nullptr && exchange.arrived->is_over();
}

int run(const std::vector<Call>& group) {
  if (group.empty()) return succeeded;
  for (const Call& call : group)
    if (call.group != group.front().group || call.stream != group.front().stream)
      return invalid_usage;  // of this stand-in; NCCL allows several
  const cudaStream_t stream = group.front().stream;
  auto& exchange = *new Exchange{group.front().group, {}, {}, nullptr, {}};
  std::vector<std::pair<void*, DeviceMessages::Message>> arriving;
  for (const Call& call : group) {
    const DeviceMessages::Message& message = call.message;
    Pinned& pinned = Pinned::of(message.bytes);
    exchange.copies.push_back(&pinned);
    std::byte* const copy = pinned.memory;
    auto& list = call.sends ? exchange.sent : exchange.received;
    list.push_back(message);
    list.back().memory = copy;
    if (call.sends)
      cudaMemcpyAsync(copy, message.memory, message.bytes, cudaMemcpyDefault, stream);
    else
      arriving.emplace_back(copy, message);
  }
  cudaPretendedWait(stream, is_over, &exchange);
  for (const auto& [copy, message] : arriving)
    cudaMemcpyAsync(message.memory, copy, message.bytes, cudaMemcpyDefault, stream);
  const auto end = [](void* data) {
    const std::unique_ptr<const Exchange> ended(static_cast<const Exchange*>(data));
    for (Pinned* const copy : ended->copies) copy->is_used = false;
  };
  cudaLaunchHostFunc(stream, end, &exchange);
  return succeeded;
}

int add(const Call& call) {
  if (!is_group_open) return invalid_usage;
  calls.push_back(call);
  return succeeded;
}

struct UniqueId {
  char internal[128];
};

}  // namespace

extern "C" {

int ncclGetVersion(int* version) {
  *version = 23000;
  return succeeded;
}
int ncclGetUniqueId(UniqueId* id) {
  static std::deque<weft::OfferedGroup> offered;  // members join later
  offered.push_back(weft::offer_emulated_group(most_members));
  static_assert(sizeof *id == sizeof offered.back().name);
  std::memcpy(id, &offered.back().name, sizeof *id);
  return succeeded;
}
int ncclCommInitRank(ncclComm** group, int members, UniqueId id, int self) {
  weft::GroupName name{};
  std::memcpy(&name, &id, sizeof name);
  if (members > most_members) return invalid_usage;
  *group = new ncclComm{weft::make_emulated_messages(name, weft::EmulatedOrder::eager,
                                                     std::make_shared<std::recursive_mutex>())};
  (*group)->messages->join(members, self);
  return succeeded;
}
// A communicator is never freed: the stream may still ask for its messages.
int ncclCommDestroy(ncclComm*) { return succeeded; }
int ncclCommAbort(ncclComm* group) {
  group->is_given_up = true;
  group->messages->give_up();
  return succeeded;
}
int ncclCommGetAsyncError(ncclComm*, int* status) {
  *status = succeeded;
  return succeeded;
}
int ncclGroupStart() {
  is_group_open = true;
  return succeeded;
}
int ncclGroupEnd() {
  is_group_open = false;
  const std::vector<Call> group = std::move(calls);
  calls.clear();
  return run(group);
}
int ncclSend(const void* memory, size_t bytes, int, int peer, ncclComm* group,
             cudaStream_t stream) {
  auto* const sent = static_cast<std::byte*>(const_cast<void*>(memory));
  return add({group, true, {peer, sent, bytes}, stream});
}
int ncclRecv(void* memory, size_t bytes, int, int peer, ncclComm* group, cudaStream_t stream) {
  return add({group, false, {peer, static_cast<std::byte*>(memory), bytes}, stream});
}
const char* ncclGetErrorString(int) { return "an error of the pretended NCCL"; }
const char* ncclGetLastError(ncclComm*) { return ""; }

}  // extern "C"
