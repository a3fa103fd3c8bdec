// Stands in for libnccl.so.2 where there is no GPU: members are threads of one process, memory is
// the host's, and what is put on a stream happens when its group of calls ends. As with NCCL, the
// calls of a group are in flight together, whatever their order.
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int succeeded = 0, invalid_argument = 4, invalid_usage = 5, remote_error = 6;

using Bytes = std::vector<std::byte>;

struct UniqueId {
  char internal[128];
};

struct World {
  int members = 0;
  int joined = 0;
  int left = 0;
  std::map<std::pair<int, int>, std::deque<Bytes>> lines;  // by sender and receiver
};

std::mutex mutex;
std::condition_variable changed;
std::map<std::string, World> worlds;  // by id
thread_local std::string last_error;

}  // namespace

struct ncclComm {
  World* world;
  int self;
  int state;
};

namespace {

struct Call {
  ncclComm* communicator;
  bool sends;
  int peer;
  std::byte* memory;
  std::size_t bytes;
};

thread_local std::vector<Call> calls;
thread_local int groups = 0;

int refused(int status, const std::string& why) {
  last_error = why;
  return status;
}

int add(const Call& call, int type) {
  if (groups == 0) return refused(invalid_usage, "outside of a group");
  if (type != 0) return refused(invalid_argument, "not bytes");
  if (call.peer < 0 || call.peer >= call.communicator->world->members)
    return refused(invalid_argument, "no such peer");
  calls.push_back(call);
  return succeeded;
}

}  // namespace

extern "C" {

int ncclGetVersion(int* version) {
  *version = 22809;
  return succeeded;
}

int ncclGetUniqueId(UniqueId* id) {
  static int count = 0;
  const std::lock_guard lock(mutex);
  std::memset(id, 0, sizeof *id);
  std::snprintf(id->internal, sizeof id->internal, "pretended %d", count++);
  // All of it matters.
  id->internal[127] = 'x';
  return succeeded;
}

int ncclCommInitRank(ncclComm** communicator, int members, UniqueId id, int self) {
  if (self < 0 || self >= members || id.internal[127] != 'x')
    return refused(invalid_argument, "rank or id");
  std::unique_lock lock(mutex);
  World& world = worlds[id.internal];
  world.members = members;
  if (++world.joined > members) return refused(invalid_usage, "Duplicate GPU detected");
  changed.notify_all();
  changed.wait(lock, [&] { return world.joined >= members; });
  *communicator = new ncclComm{&world, self, succeeded};
  return succeeded;
}

/// Members of a node wait for each other; those that have aborted are not waited for.
int ncclCommDestroy(ncclComm* communicator) {
  if (groups != 0) return refused(invalid_usage, "within a group");
  std::unique_lock lock(mutex);
  World& world = *communicator->world;
  ++world.left;
  changed.notify_all();
  if (!changed.wait_for(lock, std::chrono::seconds(20),
                        [&] { return world.left >= world.members; }))
    std::abort();  // the real one would hang
  delete communicator;
  return succeeded;
}

int ncclCommAbort(ncclComm* communicator) {
  const std::lock_guard lock(mutex);
  ++communicator->world->left;
  changed.notify_all();
  delete communicator;
  return succeeded;
}

int ncclCommGetAsyncError(ncclComm* communicator, int* state) {
  *state = communicator->state;
  return succeeded;
}

int ncclGroupStart() {
  ++groups;
  return succeeded;
}

int ncclSend(const void* memory, std::size_t count, int type, int peer, ncclComm* communicator,
             void*) {
  auto* const bytes = static_cast<std::byte*>(const_cast<void*>(memory));
  return add({communicator, true, peer, bytes, count}, type);
}

int ncclRecv(void* memory, std::size_t count, int type, int peer, ncclComm* communicator, void*) {
  return add({communicator, false, peer, static_cast<std::byte*>(memory), count}, type);
}

int ncclGroupEnd() {
  if (--groups > 0) return succeeded;
  const std::vector<Call> all = std::exchange(calls, {});
  std::unique_lock lock(mutex);
  for (const Call& call : all)
    if (call.sends)
      call.communicator->world->lines[{call.communicator->self, call.peer}].emplace_back(
          call.memory, call.memory + call.bytes);
  changed.notify_all();
  for (const Call& call : all) {
    if (call.sends) continue;
    auto& line = call.communicator->world->lines[{call.peer, call.communicator->self}];
    changed.wait(lock, [&] { return !line.empty(); });
    // The real one would write past the end, or wait for more.
    if (line.front().size() != call.bytes) {
      call.communicator->state = remote_error;
      return refused(remote_error, "another size");
    }
    std::memcpy(call.memory, line.front().data(), call.bytes);
    line.pop_front();
  }
  return succeeded;
}

const char* ncclGetErrorString(int status) {
  return status == remote_error ? "remote process exited or there was a network error"
                                : "invalid usage";
}

const char* ncclGetLastError(ncclComm*) { return last_error.c_str(); }
}
