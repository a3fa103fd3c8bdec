// Memory that the ranks of a node read and write in each other: MPI_Win_allocate_shared, aligned.
#pragma once

#include <cstddef>
#include <vector>

#include "mpi/memory_space.hpp"

namespace weft {

/// Collective over the communicator of one node. Every rank contributes `bytes` and may address
/// every other's part. Windows are only 16-byte aligned: each part is rounded up to a page here.
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
