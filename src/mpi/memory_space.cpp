// The host as a memory space.
#include "mpi/memory_space.hpp"

#include <fmt/format.h>

#include <cstring>
#include <new>

#include "machine/aligned_buffer.hpp"
#include "mpi/huge_page_memory.hpp"
#include "mpi/shared_segment.hpp"

namespace weft {
namespace {

class HostMemory : public MemorySpace {
 public:
  std::unique_ptr<NodeMemory> share(const Communicator& node, std::size_t bytes) override {
    if (auto memory = HugePageMemory::allocate(node, bytes)) return memory;
    return std::make_unique<SharedSegment>(node, bytes);
  }

  void clear(const Memory& memory) override { std::memset(memory.data(), 0, memory.size()); }

 private:
  Memory take(std::size_t bytes) override {
    const auto buffer = std::make_shared<AlignedBuffer>(bytes);
    return {{buffer, buffer->data()}, bytes};
  }
};

}  // namespace

Memory MemorySpace::allocate(std::size_t bytes, const char* purpose) {
  try {
    return take(bytes);
  } catch (const std::bad_alloc&) {
    throw Error(fmt::format("out of memory: no {} bytes ({:.1f} GB) for {}; use more ranks, or "
                            "nodes with more memory",
                            bytes, static_cast<double>(bytes) / 1e9, purpose),
                Error::Cause::memory);
  }
}

MemorySpace& host_memory() {
  static HostMemory memory;
  return memory;
}

}  // namespace weft
