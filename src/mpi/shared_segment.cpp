// Keeps one passive-target epoch open for the window's whole life, so that plain loads and stores
// are allowed; callers must synchronise these themselves.
#include "mpi/shared_segment.hpp"

#include "machine/aligned_buffer.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace weft {

SharedSegment::SharedSegment(const Communicator& node, std::size_t bytes)
    : bases_(node.size()), rank_(node.rank()), bytes_(bytes) {
  void* base = nullptr;
  const std::size_t padded = round_up(bytes, page_bytes) + page_bytes;
  check_mpi(MPI_Win_allocate_shared(static_cast<MPI_Aint>(padded), 1, MPI_INFO_NULL, node.get(),
                                    &base, &window_),
            "MPI_Win_allocate_shared");
  check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
  for (int rank = 0; rank < node.size(); ++rank) {
    MPI_Aint size = 0;
    int unit = 0;
    void* part = nullptr;
    check_mpi(MPI_Win_shared_query(window_, rank, &size, &unit, &part), "MPI_Win_shared_query");
    bases_[rank] =
        reinterpret_cast<std::byte*>(round_up(reinterpret_cast<std::uintptr_t>(part), page_bytes));
  }
}

SharedSegment::~SharedSegment() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized) return;
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
}

}  // namespace weft
