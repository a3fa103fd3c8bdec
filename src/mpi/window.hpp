// Memory of one's own that other ranks write without its owner's help: MPI_Win_create, and what it
// takes to get a right window from the MPIs there are.
#pragma once

#include <cstddef>

#include "mpi/communicator.hpp"

namespace weft {

/// Collective: every rank of the communicator lays `bytes` open, from construction to destruction,
/// in one passive epoch. Throws on all ranks where a window cannot be had.
class Window {
 public:
  Window(const Communicator& communicator, std::byte* memory, std::size_t bytes);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  MPI_Win get() const { return window_; }
  /// What others have to say for an address in this rank's memory.
  MPI_Aint displacement(const std::byte* address) const;
  /// Between what this rank does with its memory and what others do.
  void sync() const { check_mpi(MPI_Win_sync(window_), "MPI_Win_sync"); }

 private:
  MPI_Win window_ = MPI_WIN_NULL;
};

}  // namespace weft
