// Memory of the host for blocks of a device's memory that MPI cannot reach. Offsets are the same as
// on the device, so buffers that share memory there also share it here.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "device/device.hpp"

namespace weft {

class HostMirror {
 public:
  /// `memories`: the memory of one field on the device.
  HostMirror(Device& device, std::vector<std::span<std::byte>> memories);

  /// The host's counterpart of these bytes, which lie in one of the memories. A memory's
  /// counterpart is allocated at the first use. Throws std::bad_alloc if there is no room.
  std::byte* of(const std::byte* address, std::size_t bytes);
  /// Bytes of the host's memory allocated so far.
  std::size_t bytes() const;

 private:
  struct Part {
    std::span<std::byte> mirrored;
    Memory memory;
  };

  Device& device_;
  std::vector<Part> parts_;
};

}  // namespace weft
