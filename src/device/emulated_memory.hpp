// The memory of a pretended device, for tests without one. It is stricter than a real one: the host
// may not touch its addresses, nor may an MPI; kernels and copies reach the same bytes elsewhere.
#pragma once

#include "backend/backend.hpp"

namespace weft {

/// Fresh memory is filled with NaNs. Throws std::bad_alloc where there is none left.
std::shared_ptr<std::byte> allocate_emulated(std::size_t bytes);

/// Memory that other processes open as they would open that of peers' devices.
OfferedMemory offer_emulated(std::size_t bytes);

/// See DeviceBackend::open. Throws an Error if nothing is offered under that name any more.
std::shared_ptr<std::byte> open_emulated(const MemoryName& name, std::size_t bytes);

/// Whether the address is of emulated memory: the host that touches it gets SIGSEGV, a system call
/// EFAULT.
bool is_emulated(const void* address);

/// Where kernels and copies of the emulated device find what is at an address; host addresses stay.
std::byte* emulated_bytes(const void* address);

}  // namespace weft
