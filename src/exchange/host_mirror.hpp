// Memory of the host for blocks of a device's memory that MPI cannot reach. It has the same
// offsets, so what the memory plan overlays on the device is overlaid here as well.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "device/device.hpp"

namespace weft {

class HostMirror {
 public:
  /// `memories`: of one field, on the device.
  HostMirror(Device& device, std::vector<std::span<std::byte>> memories);

  /// What stands for those bytes of one of the memories. That memory gets its counterpart here when
  /// something of it is asked for the first time. Throws std::bad_alloc where there is no room.
  std::byte* of(const std::byte* address, std::size_t bytes);
  /// Of the host's memory, so far.
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
