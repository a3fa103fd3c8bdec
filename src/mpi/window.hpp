// Exposes a rank's existing memory so that other ranks can write it directly (MPI_Win_create);
// includes workarounds for the bugs of some MPI libraries.
#pragma once

#include <cstddef>

#include "mpi/communicator.hpp"

namespace weft {

/// Construction is collective: every rank of the communicator exposes `bytes` in one passive-target
/// epoch that lasts until destruction. Throws on all ranks if the window cannot be created.
class Window {
 public:
  Window(const Communicator& communicator, std::byte* memory, std::size_t bytes);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  MPI_Win get() const { return window_; }
  /// The displacement by which other ranks address this place in this rank's memory.
  MPI_Aint displacement(const std::byte* address) const;
  /// Separates this rank's own accesses to its memory from the accesses of other ranks.
  void sync() const { check_mpi(MPI_Win_sync(window_), "MPI_Win_sync"); }

 private:
  MPI_Win window_ = MPI_WIN_NULL;
};

}  // namespace weft
