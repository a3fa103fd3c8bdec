// Shared windows: one passive-target epoch for life, so that plain loads and stores are allowed.
// They lie in /dev/shm, which may be small (64 MB in containers) or full: MPIs then fail on one
// rank and hang on the others, or are killed by SIGBUS at the first store. So room is asked for
// before, and taken at once. Where an MPI fails on one rank all the same, an agreement with a time
// limit, one barrier for each window, tells whether the others can still be told.
#include "mpi/shared_segment.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "machine/aligned_buffer.hpp"
#include "machine/clock.hpp"

#ifdef __linux__
#include <sys/mman.h>
#include <sys/statvfs.h>
#endif

namespace weft {
namespace {

constexpr const char* shared_memory = "/dev/shm";

/// Throws on all ranks of the node unless what each of them wants fits; all of it in bytes.
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
        node.size(), static_cast<double>(wanted) / 1e6, shared_memory,
        static_cast<double>(free) / 1e6));
  return wanted;
}

/// Every rank maps the memory of all. If that exceeds this rank's limit (ulimit -v), the MPI would
/// fail here and leave the other ranks waiting, so it is tried before.
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

/// Given where /dev/shm is mounted with huge=advise; see docs/performance.md.
void ask_for_huge_pages([[maybe_unused]] std::byte* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  if (bytes >= huge_page_bytes) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
}

/// Takes the pages now: an error, where a store would be a SIGBUS later. Kernels before Linux 5.14
/// cannot say; with them the pages are taken when they are first written.
std::string take_pages(std::byte* memory, std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  if (bytes > 0 && madvise(memory, bytes, MADV_POPULATE_WRITE) != 0 && errno != EINVAL)
    return fmt::format("shared memory: {:.1f} MB of {} cannot be used: {}",
                       static_cast<double>(bytes) / 1e6, shared_memory, std::strerror(errno));
#endif
  return {};
}

/// How long the others may take to leave a call that has failed on this rank.
constexpr double patience_seconds = 10;

/// Throws on all ranks of the node if the MPI has failed on some. An MPI may leave the others in
/// the call, where nothing reaches them: then this rank ends the job.
void agree_on_window(const Communicator& node, int code) {
  std::string failure;
  try {
    check_mpi(code, "shared memory: MPI_Win_allocate_shared");
  } catch (const Error& error) {
    failure = error.what();
  }
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(node.get(), &request), "MPI_Ibarrier");
  const auto begin = Clock::now();
  for (int have_left = 0;; sched_yield()) {
    check_mpi(MPI_Test(&request, &have_left, MPI_STATUS_IGNORE), "MPI_Test");
    if (have_left) break;
    if (failure.empty() || seconds_between(begin, Clock::now()) < patience_seconds) continue;
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

std::uint64_t room_for_shared_memory() {
  constexpr auto no_limit = std::numeric_limits<std::uint64_t>::max();
#ifdef __linux__
  struct statvfs room {};
  if (statvfs(shared_memory, &room) != 0) return 0;
  return room.f_blocks > 0 ? std::uint64_t{room.f_bavail} * room.f_frsize : no_limit;
#else
  return no_limit;
#endif
}

void throw_together(const Communicator& communicator, const std::string& failure) {
  try {
    agree(communicator, [&] {
      if (!failure.empty()) throw Error(failure);
    });
  } catch (const Error& error) {
    throw NoSharedMemory(error.what());
  }
}

SharedSegment::SharedSegment(const Communicator& node, std::size_t bytes)
    : bases_(node.size()), rank_(node.rank()), bytes_(bytes) {
  void* base = nullptr;
  const std::size_t padded = round_up(bytes, page_bytes) + page_bytes;
  throw_together(node, try_to_map(require_room(node, padded)));
  MPI_Win made = MPI_WIN_NULL;  // not freed where another rank has none: freeing is collective
  const int code = MPI_Win_allocate_shared(static_cast<MPI_Aint>(padded), 1, MPI_INFO_NULL,
                                           node.get(), &base, &made);
  agree_on_window(node, code);
  window_.handle = made;
  check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_.handle), "MPI_Win_lock_all");
  for (int rank = 0; rank < node.size(); ++rank) {
    MPI_Aint size = 0;
    int unit = 0;
    void* part = nullptr;
    check_mpi(MPI_Win_shared_query(window_.handle, rank, &size, &unit, &part),
              "MPI_Win_shared_query");
    bases_[rank] =
        reinterpret_cast<std::byte*>(round_up(reinterpret_cast<std::uintptr_t>(part), page_bytes));
  }
  ask_for_huge_pages(bases_[rank_], round_up(bytes, page_bytes));
  throw_together(node, take_pages(bases_[rank_], round_up(bytes, page_bytes)));
}

void SharedSegment::map(int node_rank, std::size_t offset, std::size_t bytes) const {
  const std::size_t first = offset / page_bytes * page_bytes;
  take_pages(bases_[node_rank] + first, round_up(offset + bytes, page_bytes) - first);
}

SharedSegment::OpenWindow::~OpenWindow() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized || handle == MPI_WIN_NULL) return;
  MPI_Win_unlock_all(handle);
  MPI_Win_free(&handle);
}

}  // namespace weft
