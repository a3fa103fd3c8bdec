// Whole arrays before and after the transform: simple, and the price of keeping data on the host.
#include "session/device_copies.hpp"

#include <algorithm>
#include <utility>

namespace weft {

std::byte* DeviceCopies::room(Memory& memory, std::size_t bytes) {
  if (memory.size() < bytes) {
    device_.synchronize();  // what is on the stream may use it
    memory = device_.memory().allocate(bytes, "a copy on the device");
  }
  return memory.data();
}

DeviceCopies::Bound DeviceCopies::bind(std::size_t field, const void* in, void* out,
                                       const Sizes& sizes) {
  Bound bound{in, out};
  if (device_.stream() == nullptr) return bound;
  fields_.resize(std::max(fields_.size(), field + 1));
  Field& own = fields_[field];
  own.result = {};
  own.is_read = false;
  const bool in_place = in == out;
  if (needs_copy(in, sizes.in)) {
    std::byte* const copy = room(own.in, in_place ? std::max(sizes.in, sizes.out) : sizes.in);
    device_.copy(copy, in, sizes.in);
    own.is_read = true;
    bound.in = copy;
  }
  if (needs_copy(out, sizes.out)) {
    std::byte* const copy = in_place && sizes.in > 0 ? own.in.data() : room(own.out, sizes.out);
    if (sizes.sparse_out && !in_place) device_.copy(copy, out, sizes.out);
    bound.out = copy;
    own.result = {out, copy, sizes.out};
  }
  return bound;
}

void DeviceCopies::deliver(std::size_t field) {
  if (field >= fields_.size()) return;
  const Result result = std::exchange(fields_[field].result, {});
  if (result.to != nullptr) device_.copy(result.to, result.from, result.bytes);
  if (result.to != nullptr || fields_[field].is_read) device_.synchronize();
}

std::size_t DeviceCopies::bytes() const {
  std::size_t bytes = 0;
  for (const Field& field : fields_) bytes += field.in.size() + field.out.size();
  return bytes;
}

}  // namespace weft
