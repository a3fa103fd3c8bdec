// Where a plan's memory comes from: arenas, copies of inputs, the plan's own arrays, and what the
// ranks of a node share.
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
  /// What that rank of the node contributed, as this rank addresses it.
  virtual std::byte* of(int node_rank) const = 0;
  /// Maps those bytes of that part into this rank's address space now rather than at the first
  /// access, which would take longer. A hint.
  virtual void map(int node_rank, std::size_t offset, std::size_t bytes) const = 0;
};

class MemorySpace {
 public:
  virtual ~MemorySpace() = default;
  /// Where there is none left, throws an Error that says how much was asked for, and for what.
  Memory allocate(std::size_t bytes, const char* purpose);
  /// Collective over the node.
  virtual std::unique_ptr<NodeMemory> share(const Communicator& node, std::size_t bytes) = 0;
  /// Fills memory that nothing else uses yet with zeros.
  virtual void clear(const Memory& memory) = 0;

 private:
  /// Throws std::bad_alloc where there is none left.
  virtual Memory take(std::size_t bytes) = 0;
};

/// The host's: buffers on huge pages where they pay; for the ranks of a node in files of huge
/// pages, or else in MPI's shared windows.
MemorySpace& host_memory();

}  // namespace weft
