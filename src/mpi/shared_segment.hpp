// Memory that all ranks of a node can read and write, from MPI_Win_allocate_shared: the fastest way
// to exchange data, but only within a node.
#pragma once

#include <cstddef>
#include <vector>

#include "mpi/memory_space.hpp"

namespace weft {

/// Construction is collective over the communicator of one node. Every rank contributes `bytes`
/// and may address all other ranks' parts. MPI aligns windows to 16 bytes only, so each part is
/// padded and starts at a page here.
class SharedSegment : public NodeMemory {
 public:
  SharedSegment(const Communicator& node, std::size_t bytes);
  ~SharedSegment() override;
  SharedSegment(const SharedSegment&) = delete;
  SharedSegment& operator=(const SharedSegment&) = delete;

  std::byte* own() const { return bases_[rank_]; }
  std::byte* of(int node_rank) const override { return bases_[node_rank]; }
  std::size_t bytes() const { return bytes_; }

 private:
  MPI_Win window_ = MPI_WIN_NULL;
  std::vector<std::byte*> bases_;
  int rank_;
  std::size_t bytes_;
};

}  // namespace weft
