// Memory that the ranks of a node share, in huge pages of the system's reserve (vm.nr_hugepages),
// which no MPI takes for its windows. It needs no room in /dev/shm, but ranks that may open each
// other's files.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "mpi/memory_space.hpp"

namespace weft {

class HugePageMemory : public NodeMemory {
 public:
  /// Collective over the communicator of one node: every rank contributes `bytes`, at the beginning
  /// of a huge page. Null on all ranks where no part would fill a huge page, the reserve has no
  /// room for all parts, or a rank cannot map those of the others.
  static std::unique_ptr<HugePageMemory> allocate(const Communicator& node, std::size_t bytes);

  std::byte* of(int node_rank) const override { return parts_[node_rank].begin(); }
  /// Does nothing: parts are mapped as a whole, since a few entries map a gigabyte.
  void map(int /*node_rank*/, std::size_t /*offset*/, std::size_t /*bytes*/) const override {}

 private:
  class File;

  /// A mapped file, whose pages are free again when no rank maps it.
  class Part {
   public:
    Part() = default;
    /// Takes all pages now, because a store where a limit leaves none would be a SIGBUS.
    Part(const File& file, std::size_t bytes);
    Part(Part&& other) noexcept;
    Part& operator=(Part&& other) noexcept;
    ~Part();
    std::byte* begin() const { return begin_; }

   private:
    std::byte* begin_ = nullptr;  // null if the file could not be mapped
    std::size_t bytes_ = 0;
  };

  std::vector<Part> parts_;
};

}  // namespace weft
