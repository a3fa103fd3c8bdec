// Buffers are freed after the stream has done the work that uses them.
#include "backend/line_library.hpp"

#include "backend/line_check.hpp"

namespace weft {

std::size_t LineLibrary::reserve(std::size_t input_bytes, std::size_t output_bytes) {
  return grow(input_, input_bytes) + grow(output_, output_bytes);
}

/// If there is no memory for a larger buffer, passes keep the old one.
std::size_t LineLibrary::grow(Buffer& buffer, std::size_t bytes) {
  if (bytes <= buffer.bytes) return 0;
  Buffer larger{backend_.allocate(bytes), bytes};
  backend_.stream().synchronize();  // its work may use the smaller buffer
  const std::size_t added = bytes - buffer.bytes;
  buffer = std::move(larger);
  return added;
}

const LineTransform& LineLibrary::transform(const LineBatch& batch) {
  const Key key{batch.kind, batch.precision, batch.length, batch.lines};
  if (const auto known = transforms_.find(key); known != transforms_.end()) return *known->second;
  auto transform = backend_.plan_lines(batch);
  check_lines(backend_, *transform, batch, input(), output());
  return *transforms_.emplace(key, std::move(transform)).first->second;
}

}  // namespace weft
