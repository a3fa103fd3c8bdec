// Simulated ranks are threads of one process and address all of its memory, so a window is one that
// every rank has allocated for itself. SMPI's own shared windows (SimGrid 3.32) are not usable:
// MPI_Win_shared_query gives the part of rank 0 for every rank, and the parts overlap where ranks
// contribute different numbers of bytes (docs/simulate.md).
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
  std::vector<std::byte*> parts(static_cast<std::size_t>(node.size()));
  check_mpi(
      MPI_Allgather(&base, sizeof base, MPI_BYTE, parts.data(), sizeof base, MPI_BYTE, node.get()),
      "MPI_Allgather");
  return parts;
}

}  // namespace weft
