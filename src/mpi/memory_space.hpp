// Allocates the memory of a plan: arenas, copies of inputs, the plan's own arrays, and memory that
// the ranks of a node share.
#pragma once

#include <cstddef>
#include <memory>

#include "mpi/communicator.hpp"

namespace weft {

/// Owned, uninitialised bytes of some memory space. Copies share them.
class Memory {
 public:
  Memory() = default;
  Memory(std::shared_ptr<std::byte> data, std::size_t bytes)
      : data_(std::move(data)), bytes_(bytes) {}

  std::byte* data() const { return data_.get(); }
  std::size_t size() const { return bytes_; }
  std::shared_ptr<void> share() const { return data_; }

 private:
  std::shared_ptr<std::byte> data_;
  std::size_t bytes_ = 0;
};

/// Memory that each rank of a node contributes to, and all of them address.
class NodeMemory {
 public:
  virtual ~NodeMemory() = default;
  /// The part of that rank of the node, as this rank addresses it.
  virtual std::byte* of(int node_rank) const = 0;
  /// A hint: maps a range of that part into the address space of this rank now. Mapping it at the
  /// first access would take longer.
  virtual void map(int node_rank, std::size_t offset, std::size_t bytes) const = 0;
};

class MemorySpace {
 public:
  virtual ~MemorySpace() = default;
  /// Throws an Error with the size and the purpose if memory runs out.
  Memory allocate(std::size_t bytes, const char* purpose);
  /// Memory that the ranks of the node share; this rank contributes `bytes`. Collective over the
  /// node.
  virtual std::unique_ptr<NodeMemory> share(const Communicator& node, std::size_t bytes) = 0;
  /// Fills memory that nothing else uses yet with zeros.
  virtual void clear(const Memory& memory) = 0;

 private:
  /// Throws std::bad_alloc if memory runs out.
  virtual Memory take(std::size_t bytes) = 0;
};

/// The host's memory. Large buffers use huge pages. The ranks of a node share files of huge pages,
/// or MPI's shared windows if the system refuses the files.
MemorySpace& host_memory();

}  // namespace weft
