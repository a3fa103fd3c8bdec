// Arrays that callers have in the host's memory while the plan's lie on a device: copies there, in
// memory that is kept from call to call.
#pragma once

#include <vector>

#include "device/device.hpp"

namespace weft {

class DeviceCopies {
 public:
  explicit DeviceCopies(Device& device) : device_(device) {}

  /// What a field's program may be bound to instead of the caller's arrays.
  struct Bound {
    const void* in = nullptr;
    void* out = nullptr;
  };
  /// Bytes from the first element to the last. `sparse_out`: not all of them are elements, and
  /// those between are the caller's.
  struct Sizes {
    std::size_t in = 0;
    std::size_t out = 0;
    bool sparse_out = false;
  };
  /// Puts copies of what the program reads on the stream. The same address twice, in place, is the
  /// same memory there.
  Bound bind(std::size_t field, const void* in, void* out, const Sizes& sizes);
  /// Returns when the field's result is in the caller's array, and its input has been read, as far
  /// as they lie in the host's memory.
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
