// The host as a memory space.
#include "mpi/memory_space.hpp"

#include <cstring>

#include "machine/aligned_buffer.hpp"
#include "mpi/huge_page_memory.hpp"
#include "mpi/shared_segment.hpp"

namespace weft {
namespace {

class HostMemory : public MemorySpace {
 public:
  Memory allocate(std::size_t bytes) override {
    const auto buffer = std::make_shared<AlignedBuffer>(bytes);
    return {{buffer, buffer->data()}, bytes};
  }

  std::unique_ptr<NodeMemory> share(const Communicator& node, std::size_t bytes) override {
    if (auto memory = HugePageMemory::allocate(node, bytes)) return memory;
    return std::make_unique<SharedSegment>(node, bytes);
  }

  void clear(const Memory& memory) override { std::memset(memory.data(), 0, memory.size()); }
};

}  // namespace

MemorySpace& host_memory() {
  static HostMemory memory;
  return memory;
}

}  // namespace weft
