// Memory in huge pages that the ranks of a node share; the shared windows of MPI libraries do not
// request huge pages. The ranks must be able to open each other's files. If one rank fails, none
// uses this memory.
#pragma once

#include <memory>
#include <vector>

#include "machine/huge_page_file.hpp"
#include "mpi/memory_space.hpp"

namespace weft {

class HugePageMemory : public NodeMemory {
 public:
  /// Collective over the communicator of one node: every rank contributes `bytes`, starting at a
  /// huge page. Null on all ranks if no part fills a huge page, or if a rank cannot get its part or
  /// map the other parts.
  static std::unique_ptr<HugePageMemory> allocate(const Communicator& node, std::size_t bytes);

  std::byte* of(int node_rank) const override { return parts_[node_rank].begin(); }
  /// Does nothing: allocate() has mapped all parts, because huge pages need few page table entries.
  void map(int /*node_rank*/, std::size_t /*offset*/, std::size_t /*bytes*/) const override {}

 private:
  std::vector<HugePageMapping> parts_;
};

}  // namespace weft
