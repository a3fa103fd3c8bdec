// Copies callers' arrays from the host's memory to a plan's device, and results back. The device's
// memory is kept from call to call, which saves allocations.
#pragma once

#include <vector>

#include "device/device.hpp"

namespace weft {

class DeviceCopies {
 public:
  explicit DeviceCopies(Device& device) : device_(device) {}

  /// The arrays that a field's program uses instead of the caller's arrays.
  struct Bound {
    const void* in = nullptr;
    void* out = nullptr;
  };
  /// Bytes from the first element to the last. `sparse_out`: some bytes are not elements, and
  /// belong to the caller.
  struct Sizes {
    std::size_t in = 0;
    std::size_t out = 0;
    bool sparse_out = false;
  };
  /// Puts the copies to the device on the stream. If `in` and `out` are the same address, they
  /// share one copy.
  Bound bind(std::size_t field, const void* in, void* out, const Sizes& sizes);
  /// Returns when the field's result is in the caller's array and its input has been read. Does not
  /// wait for arrays on the device.
  void deliver(std::size_t field);
  std::size_t bytes() const;

 private:
  struct Result {
    void* to = nullptr;  // null: there is none
    const std::byte* from = nullptr;
    std::size_t bytes = 0;
  };
  struct Field {
    Memory in, out;
    Result result;         // what `deliver` copies
    bool is_read = false;  // the stream reads an array of the host
  };
  bool needs_copy(const void* array, std::size_t bytes) const {
    return bytes > 0 && !device_.holds(array);
  }
  std::byte* room(Memory& memory, std::size_t bytes);

  Device& device_;
  std::vector<Field> fields_;
};

}  // namespace weft
