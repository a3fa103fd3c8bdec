// Owned memory, aligned to a cache line, a page or a huge page: the largest unit that its size
// reaches. Rounding up to that unit wastes a little memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "machine/cache_line.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace weft {

inline constexpr std::size_t page_bytes = 4096;
inline constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

/// Rounds up to a multiple of `unit`, which must be a power of two.
constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) & ~(unit - 1);
}

/// Uninitialised bytes. Large buffers request huge pages, because a strided tile touches a
/// different page for each row.
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(std::size_t bytes) : bytes_(bytes) {
    if (bytes == 0) return;
    const std::size_t unit = bytes >= huge_page_bytes ? huge_page_bytes
                             : bytes >= page_bytes    ? page_bytes
                                                      : line_bytes;
    const std::size_t rounded = round_up(bytes, unit);
    data_.reset(static_cast<std::byte*>(std::aligned_alloc(unit, rounded)));
    if (!data_) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (unit == huge_page_bytes) madvise(data_.get(), rounded, MADV_HUGEPAGE);
#endif
  }

  std::byte* data() const { return data_.get(); }
  std::size_t size() const { return bytes_; }

 private:
  struct Free {
    void operator()(std::byte* data) const { std::free(data); }
  };
  std::unique_ptr<std::byte, Free> data_;
  std::size_t bytes_ = 0;
};

}  // namespace weft
