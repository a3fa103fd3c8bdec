// The memory that the pretended CUDA has given out.
#pragma once

#include <cstddef>
#include <string>

namespace weft::test {

enum class Storage { pageable, pinned, device };

/// The kind of memory that holds these bytes. They must lie in one allocation that still exists.
Storage storage_of(const std::string& call, const void* at, std::size_t bytes);

/// The bytes at an address of a kernel, which may be in a device's memory or in pinned memory.
std::byte* kernel_bytes(const void* at);

}  // namespace weft::test
