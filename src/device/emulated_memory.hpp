// The memory of a pretended device, for tests without a real one. It is stricter than real memory:
// neither the host nor MPI may touch its addresses. Kernels and copies reach the same bytes at
// other addresses.
#pragma once

#include "backend/backend.hpp"

namespace weft {

/// New memory, filled with NaNs. Throws std::bad_alloc if memory runs out.
std::shared_ptr<std::byte> allocate_emulated(std::size_t bytes);

/// Memory that other processes open like the memory of peers' devices.
OfferedMemory offer_emulated(std::size_t bytes);

/// See DeviceBackend::open. Throws an Error if no memory is offered under that name any more.
std::shared_ptr<std::byte> open_emulated(const MemoryName& name, std::size_t bytes);

/// Whether the address is in emulated memory. The host gets SIGSEGV if it touches such an address,
/// a system call EFAULT.
bool is_emulated(const void* address);

/// The address at which kernels and copies of the emulated device find these bytes; host addresses
/// stay the same.
std::byte* emulated_bytes(const void* address);

}  // namespace weft
