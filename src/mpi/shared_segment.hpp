// Memory that all ranks of a node can read and write, from MPI_Win_allocate_shared: the fastest way
// to exchange data, but only within a node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mpi/memory_space.hpp"

namespace weft {

/// The node lacks shared memory. Thrown together on all ranks that asked for it.
class NoSharedMemory : public Error {
 public:
  explicit NoSharedMemory(const std::string& sentence) : Error(sentence, Cause::memory) {}
};

/// The folder in which MPI libraries put shared windows.
inline constexpr const char* shared_memory_folder = "/dev/shm";

/// Free bytes in shared_memory_folder; the largest number if nothing limits shared windows.
std::uint64_t room_for_shared_memory();

/// Collective: throws NoSharedMemory on all ranks if any has a failure to report.
void throw_together(const Communicator& communicator, const std::string& failure);

/// Construction is collective over the communicator of one node. Every rank contributes `bytes`
/// and may address all other ranks' parts. MPI aligns windows to 16 bytes only, so each part is
/// padded and starts at a page here.
class SharedSegment : public NodeMemory {
 public:
  SharedSegment(const Communicator& node, std::size_t bytes);
  SharedSegment(const SharedSegment&) = delete;
  SharedSegment& operator=(const SharedSegment&) = delete;

  std::byte* own() const { return bases_[rank_]; }
  std::byte* of(int node_rank) const override { return bases_[node_rank]; }
  void map(int node_rank, std::size_t offset, std::size_t bytes) const override;
  std::size_t bytes() const { return bytes_; }

 private:
  /// A window that is freed even if the constructor throws, which happens on all ranks of the node.
  struct OpenWindow {
    OpenWindow() = default;
    ~OpenWindow();
    OpenWindow(const OpenWindow&) = delete;
    OpenWindow& operator=(const OpenWindow&) = delete;
    MPI_Win handle = MPI_WIN_NULL;
  };

  OpenWindow window_;
  std::vector<std::byte*> bases_;
  int rank_;
  std::size_t bytes_;
};

}  // namespace weft
