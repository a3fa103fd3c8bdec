// Passes of a device whose lines are transformed by the device's own FFT library: those that no
// kernel of Weft's holds, or all of them where the caller wants that. Memory is swept three times
// instead of once, but two of these sweeps find their lines in the cache.
#pragma once

#include <memory>
#include <vector>

#include "device/backend.hpp"
#include "pass/pass.hpp"

namespace weft {

/// Whether the pass transforms lines that are too long for a block of threads, or is to use the
/// library anyway.
bool needs_library(const PassSpec& spec, const TileLimits& limits);

/// Where lines lie before and after they are transformed. Passes on one stream share them, since
/// each has done with them when the next one begins.
class LineBuffers {
 public:
  explicit LineBuffers(DeviceBackend& backend) : backend_(backend) {}
  /// Makes them large enough; returns by how many bytes they have grown.
  std::size_t reserve(std::size_t before, std::size_t after);
  std::byte* before() const { return before_.memory.get(); }
  std::byte* after() const { return after_.memory.get(); }

 private:
  struct Buffer {
    std::shared_ptr<std::byte> memory;
    std::size_t bytes = 0;
  };
  std::size_t grow(Buffer& buffer, std::size_t bytes);

  DeviceBackend& backend_;
  Buffer before_, after_;
};

/// Like make_kernel_pass, for lines of any length. Throws an Error also if there is no library, or
/// if it computes wrong numbers. The buffers must live as long as the pass.
std::unique_ptr<Pass> make_library_pass(PassSpec spec, std::vector<Cell> cells,
                                        std::vector<View> from, std::vector<View> to,
                                        DeviceBackend& backend, LineBuffers& buffers);

}  // namespace weft
