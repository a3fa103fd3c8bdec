// Memory of devices, pinned memory, and memory of other processes.
#include "memory.hpp"

#include <cstring>
#include <map>
#include <mutex>
#include <new>

#include "contract.hpp"
#include "device/emulated_memory.hpp"
#include "machine/aligned_buffer.hpp"
#include "streams.hpp"

namespace weft::test {
namespace {

enum class Origin { allocated, pinned, opened };

struct Allocation {
  Origin origin;
  std::size_t bytes;
  int device;
  std::shared_ptr<std::byte> memory;
  std::shared_ptr<void> file;  // so that other processes can open it
  MemoryName name{};
  int openings = 1;
};

using Allocations = std::map<const std::byte*, Allocation>;

Allocations& allocations() {
  static auto* const all = new Allocations;  // memory may be freed after static objects
  return *all;
}

/// Null if no allocation holds that address.
const Allocations::value_type* find(const void* at) {
  const auto* const address = static_cast<const std::byte*>(at);
  auto next = allocations().upper_bound(address);
  if (next == allocations().begin()) return nullptr;
  --next;
  return address < next->first + next->second.bytes ? &*next : nullptr;
}

Allocation& exact(const std::string& call, const void* at, Origin origin) {
  const auto found = allocations().find(static_cast<const std::byte*>(at));
  require(found != allocations().end() && found->second.origin == origin, call,
          "the address begins memory that a matching call returned");
  return found->second;
}

/// The end of a name, which the file's own name leaves free, holds the size.
constexpr std::size_t size_place = sizeof(MemoryName) - sizeof(std::size_t);

MemoryName named_with_size(MemoryName name, std::size_t bytes) {
  std::memcpy(name.data() + size_place, &bytes, sizeof bytes);
  return name;
}
std::size_t size_in(const MemoryName& name) {
  std::size_t bytes = 0;
  std::memcpy(&bytes, name.data() + size_place, sizeof bytes);
  return bytes;
}

void keep(void** memory, Allocation allocation) {
  const std::lock_guard lock(*common_lock());
  *memory = allocation.memory.get();
  allocations().emplace(allocation.memory.get(), std::move(allocation));
}

void release(const std::string& call, const void* at, Origin origin) {
  current_device(call);
  if (at == nullptr) return;
  int device = 0;
  {
    const std::lock_guard lock(*common_lock());
    device = exact(call, at, origin).device;
  }
  // cudaFree and cudaFreeHost wait for the device; cudaIpcCloseMemHandle need not.
  if (origin != Origin::opened) synchronize_device(device);
  const std::lock_guard lock(*common_lock());
  if (--exact(call, at, origin).openings == 0)
    allocations().erase(static_cast<const std::byte*>(at));
}

}  // namespace

Storage storage_of(const std::string& call, const void* at, std::size_t bytes) {
  const std::lock_guard lock(*common_lock());
  const auto* const holder = find(at);
  if (holder == nullptr) {
    require(!is_emulated(at), call, "memory of a device exists when it is used");
    return Storage::pageable;
  }
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(at) - holder->first);
  require(bytes <= holder->second.bytes - offset, call, "all bytes lie in one allocation");
  return holder->second.origin == Origin::pinned ? Storage::pinned : Storage::device;
}

std::byte* kernel_bytes(const void* at) {
  thread_local const std::byte* begin = nullptr;
  thread_local const std::byte* end = nullptr;
  const auto* const address = static_cast<const std::byte*>(at);
  // A device's memory that no longer exists is noticed even here: its bytes are unmapped.
  if (address < begin || address >= end) {
    const std::lock_guard lock(*common_lock());
    const auto* const holder = find(at);
    require(holder != nullptr, "a kernel", "the memory that it uses exists");
    begin = holder->first;
    end = begin + holder->second.bytes;
  }
  return emulated_bytes(at);
}

}  // namespace weft::test

using namespace weft::test;

extern "C" {

cudaError_t cudaMalloc(void** memory, size_t bytes) {
  const int device = current_device("cudaMalloc");
  try {
    auto offered = weft::offer_emulated(bytes);
    keep(memory, {Origin::allocated, bytes, device, offered.memory, offered.until_opened,
                  named_with_size(offered.name, bytes)});
  } catch (const std::bad_alloc&) {
    return failed(cudaErrorMemoryAllocation);
  }
  return cudaSuccess;
}
cudaError_t cudaFree(void* memory) {
  release("cudaFree", memory, Origin::allocated);
  return cudaSuccess;
}

cudaError_t cudaHostAlloc(void** memory, size_t bytes, unsigned) {
  const int device = current_device("cudaHostAlloc");
  try {
    const auto buffer = std::make_shared<weft::AlignedBuffer>(bytes);
    std::memset(buffer->data(), 0xff, bytes);
    keep(memory, {Origin::pinned, bytes, device, {buffer, buffer->data()}, nullptr});
  } catch (const std::bad_alloc&) {
    return failed(cudaErrorMemoryAllocation);
  }
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* memory) {
  release("cudaFreeHost", memory, Origin::pinned);
  return cudaSuccess;
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* memory) {
  current_device("cudaIpcGetMemHandle");
  const std::lock_guard lock(*common_lock());
  const Allocation& offered = exact("cudaIpcGetMemHandle", memory, Origin::allocated);
  static_assert(sizeof *handle == sizeof offered.name);
  std::memcpy(handle, offered.name.data(), sizeof *handle);
  return cudaSuccess;
}
cudaError_t cudaIpcOpenMemHandle(void** memory, cudaIpcMemHandle_t handle, unsigned flags) {
  const int device = current_device("cudaIpcOpenMemHandle");
  require(flags == cudaIpcMemLazyEnablePeerAccess, "cudaIpcOpenMemHandle", "flags are valid");
  weft::MemoryName name{};
  std::memcpy(name.data(), &handle, sizeof handle);
  const std::lock_guard lock(*common_lock());
  for (auto& [begin, other] : allocations()) {
    if (other.name != name) continue;
    require(other.origin == Origin::opened, "cudaIpcOpenMemHandle",
            "another process has made the memory");
    ++other.openings;
    *memory = const_cast<std::byte*>(begin);
    return cudaSuccess;
  }
  const std::size_t bytes = size_in(name);
  keep(memory, {Origin::opened, bytes, device, weft::open_emulated(name, bytes), nullptr, name});
  return cudaSuccess;
}
cudaError_t cudaIpcCloseMemHandle(void* memory) {
  release("cudaIpcCloseMemHandle", memory, Origin::opened);
  return cudaSuccess;
}

/// 0 if no memory of these calls holds that address, 1 if it is pinned, 2 if it is a device's.
int cudaPretendedHolder(const void* at, int* device) {
  const std::lock_guard lock(*common_lock());
  const auto* const holder = find(at);
  if (holder == nullptr) return 0;
  *device = holder->second.device;
  return holder->second.origin == Origin::pinned ? 1 : 2;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* at) {
  current_device("cudaPointerGetAttributes");
  if (at == nullptr) return failed(cudaErrorInvalidValue);
  const std::lock_guard lock(*common_lock());
  const auto* const holder = find(at);
  *attributes = {};
  attributes->type = cudaMemoryTypeUnregistered;
  if (holder == nullptr) return cudaSuccess;
  attributes->type =
      holder->second.origin == Origin::pinned ? cudaMemoryTypeHost : cudaMemoryTypeDevice;
  attributes->device = holder->second.device;
  return cudaSuccess;
}

}  // extern "C"
