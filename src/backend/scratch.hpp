// Memory of a device that the passes of one stream share: on it, each pass has finished with the
// memory before the next one begins.
#pragma once

#include "backend/backend.hpp"

namespace weft {

class Scratch {
 public:
  explicit Scratch(DeviceBackend& backend) : backend_(backend) {}

  /// Makes the memory large enough, after the stream has done the work that uses it; returns by how
  /// many bytes it has grown. If there is no memory for more, passes keep what there was.
  std::size_t reserve(std::size_t bytes) {
    if (bytes <= bytes_) return 0;
    std::shared_ptr<std::byte> larger = backend_.allocate(bytes);
    backend_.stream().synchronize();
    const std::size_t added = bytes - bytes_;
    memory_ = std::move(larger);
    bytes_ = bytes;
    return added;
  }
  std::byte* data() const { return memory_.get(); }

 private:
  DeviceBackend& backend_;
  std::shared_ptr<std::byte> memory_;
  std::size_t bytes_ = 0;
};

}  // namespace weft
