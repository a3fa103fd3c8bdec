// Simulated ranks are threads of one process and address all of its memory, so every rank allocates
// an ordinary window. SMPI's own shared windows (SimGrid 3.32) are not usable: MPI_Win_shared_query
// gives the part of rank 0 for every rank, and parts of different sizes overlap (docs/simulate.md).
#include "mpi/shared_window.hpp"

namespace weft {

MPI_Win open_shared_window(const Communicator& node, std::size_t bytes) {
  void* base = nullptr;
  MPI_Win window = MPI_WIN_NULL;
  check_mpi(
      MPI_Win_allocate(static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL, node.get(), &base, &window),
      "MPI_Win_allocate");
  return window;
}

std::vector<std::byte*> parts_of(MPI_Win window, const Communicator& node) {
  void* base = nullptr;
  int has_base = 0;
  check_mpi(MPI_Win_get_attr(window, MPI_WIN_BASE, &base, &has_base), "MPI_Win_get_attr");
  return gathered(node, static_cast<std::byte*>(base));
}

}  // namespace weft
