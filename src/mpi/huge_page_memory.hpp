// Memory that the ranks of a node share in huge pages, which MPIs do not ask for where their
// windows lie. It takes ranks that may open each other's files; what any rank is refused, all go
// without.
#pragma once

#include <memory>
#include <vector>

#include "machine/huge_page_file.hpp"
#include "mpi/memory_space.hpp"

namespace weft {

class HugePageMemory : public NodeMemory {
 public:
  /// Collective over the communicator of one node: every rank contributes `bytes`, at the beginning
  /// of a huge page. Null on all ranks where no part would fill one, or where a rank cannot get its
  /// part or map those of the others.
  static std::unique_ptr<HugePageMemory> allocate(const Communicator& node, std::size_t bytes);

  std::byte* of(int node_rank) const override { return parts_[node_rank].begin(); }
  /// Does nothing: parts are mapped as a whole, since a few entries map a gigabyte.
  void map(int /*node_rank*/, std::size_t /*offset*/, std::size_t /*bytes*/) const override {}

 private:
  std::vector<HugePageMapping> parts_;
};

}  // namespace weft
