// Shared windows lie in /dev/shm, which may be small (64 MB in containers) or full. MPIs then fail
// on one rank and hang on the others, so the free room is compared first. An MPI may fail on one
// rank nevertheless. A barrier with a time limit after each window finds out whether the other
// ranks can still be told.
#include "mpi/shared_window.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "machine/until.hpp"
#include "mpi/shared_segment.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace weft {
namespace {

/// The bytes that all ranks of the node want together. Throws on all of them if there is no room.
std::size_t require_room(const Communicator& node, std::size_t bytes) {
  std::uint64_t wanted = bytes;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &wanted, 1, MPI_UINT64_T, MPI_SUM, node.get()),
            "MPI_Allreduce");
  std::uint64_t free = room_for_shared_memory();
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &free, 1, MPI_UINT64_T, MPI_MIN, node.get()),
            "MPI_Allreduce");
  if (wanted > free)
    throw NoSharedMemory(fmt::format(
        "shared memory: the {} ranks of this node want {:.1f} MB of {}, which has {:.1f} MB free; "
        "make it larger (docker run --shm-size=…), or take another exchange, such as alltoallv",
        node.size(), static_cast<double>(wanted) / 1e6, shared_memory_folder,
        static_cast<double>(free) / 1e6));
  return wanted;
}

/// Every rank maps the memory of all. If that exceeds this rank's limit (ulimit -v), the MPI would
/// fail here and leave the other ranks waiting, so a mapping is tried first.
std::string try_to_map([[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
  constexpr std::size_t own_needs_of_mpi = std::size_t{8} << 20;
  const std::size_t tried = bytes + own_needs_of_mpi;
  void* const place =
      mmap(nullptr, tried, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED)
    return fmt::format("shared memory: no room for {:.1f} MB in the address space: {}",
                       static_cast<double>(tried) / 1e6, std::strerror(errno));
  munmap(place, tried);
#endif
  return {};
}

/// The time for the others to leave a call that has failed on this rank.
constexpr double patience_seconds = 10;

/// Throws on all ranks of the node if the MPI has failed on some. If the MPI leaves the others in
/// the call, nothing reaches them, and this rank ends the job.
void agree_on_window(const Communicator& node, int code) {
  std::string failure;
  try {
    check_mpi(code, "shared memory: MPI_Win_allocate_shared");
  } catch (const Error& error) {
    failure = error.what();
  }
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(node.get(), &request), "MPI_Ibarrier");
  const auto have_left = [&] {
    int done = 0;
    check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
  };
  if (failure.empty()) {
    until(have_left);
  } else if (!until(have_left, patience_seconds)) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::fprintf(stderr, "weft: rank %d: %s; the others wait in it, so the job is ended\n", rank,
                 failure.c_str());
    std::fflush(nullptr);
    std::_Exit(1);
  }
  throw_together(node, failure);
}

}  // namespace

MPI_Win open_shared_window(const Communicator& node, std::size_t bytes) {
  throw_together(node, try_to_map(require_room(node, bytes)));
  void* base = nullptr;
  MPI_Win window = MPI_WIN_NULL;  // not freed where another rank has none: freeing is collective
  const int code = MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL,
                                           node.get(), &base, &window);
  agree_on_window(node, code);
  return window;
}

std::vector<std::byte*> parts_of(MPI_Win window, const Communicator& node) {
  std::vector<std::byte*> parts;
  for (int rank = 0; rank < node.size(); ++rank) {
    MPI_Aint size = 0;
    int unit = 0;
    void* part = nullptr;
    check_mpi(MPI_Win_shared_query(window, rank, &size, &unit, &part), "MPI_Win_shared_query");
    parts.push_back(static_cast<std::byte*>(part));
  }
  return parts;
}

}  // namespace weft
