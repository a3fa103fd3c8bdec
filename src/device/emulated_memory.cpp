// Each process reserves one range of addresses, twice as large as its device's memory. The first
// half holds the device's addresses, which nobody may touch. The bytes lie in the second half.
// Addresses are never used again, so that an access to freed memory is noticed.
#include "device/emulated_memory.hpp"

#include <sys/mman.h>

#include <cstring>
#include <mutex>
#include <new>

#include "file/memory_file.hpp"
#include "machine/aligned_buffer.hpp"

namespace weft {
namespace {

constexpr std::size_t range_bytes = std::size_t{1} << 38;

class Range {
 public:
  Range() {
    constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* const begin = mmap(nullptr, 2 * range_bytes, PROT_NONE, flags, -1, 0);
    if (begin == MAP_FAILED) throw std::bad_alloc();
    begin_ = static_cast<std::byte*>(begin);
  }

  bool holds(const void* address) const {
    const auto* const at = static_cast<const std::byte*>(address);
    return at >= begin_ && at < begin_ + range_bytes;
  }

  /// The device's address of the memory in a file.
  std::byte* map(const MemoryFile& file, std::size_t bytes) {
    const std::size_t rounded = round_up(bytes, page_bytes);
    const std::lock_guard lock(mutex_);
    if (rounded + page_bytes > range_bytes - used_) throw std::bad_alloc();
    std::byte* const address = begin_ + used_;
    if (mmap(address + range_bytes, rounded, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
             file.descriptor(), 0) == MAP_FAILED)
      throw std::bad_alloc();
    used_ += rounded + page_bytes;  // an unused page separates mappings
    return address;
  }

  void unmap(std::byte* address, std::size_t bytes) {
    constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    mmap(address + range_bytes, round_up(bytes, page_bytes), PROT_NONE, flags, -1, 0);
  }

 private:
  std::byte* begin_ = nullptr;
  std::mutex mutex_;
  std::size_t used_ = 0;
};

Range& range() {
  static Range* const range = new Range;  // arrays may outlive static objects
  return *range;
}

/// Memory of the device in a file of its own.
std::shared_ptr<std::byte> mapped(const MemoryFile& file, std::size_t bytes) {
  return {range().map(file, bytes), [bytes](std::byte* at) { range().unmap(at, bytes); }};
}

std::shared_ptr<std::byte> fresh(const MemoryFile& file, std::size_t bytes) {
  auto memory = mapped(file, bytes);
  std::memset(emulated_bytes(memory.get()), 0xff, bytes);
  return memory;
}

}  // namespace

std::shared_ptr<std::byte> allocate_emulated(std::size_t bytes) {
  return fresh(MemoryFile(bytes), bytes);
}

OfferedMemory offer_emulated(std::size_t bytes) {
  auto file = std::make_shared<MemoryFile>(bytes);
  OfferedMemory offered{fresh(*file, bytes), {}, file};
  file->name().write_to(offered.name);
  return offered;
}

std::shared_ptr<std::byte> open_emulated(const MemoryName& name, std::size_t bytes) {
  return mapped(MemoryFile(MemoryFile::Name::from(name)), bytes);
}

bool is_emulated(const void* address) { return range().holds(address); }

std::byte* emulated_bytes(const void* address) {
  auto* const at = static_cast<std::byte*>(const_cast<void*>(address));
  return is_emulated(address) ? at + range_bytes : at;
}

}  // namespace weft
