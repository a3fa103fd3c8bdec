// Shared windows: one passive-target epoch for life, so that plain loads and stores are allowed.
// All pages are taken at once: without room for a page, a later store would cause a SIGBUS.
#include "mpi/shared_segment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include "machine/aligned_buffer.hpp"
#include "mpi/shared_window.hpp"

#ifdef __linux__
#include <sys/mman.h>
#include <sys/statvfs.h>
#endif

namespace weft {
namespace {

/// The system gives them if /dev/shm is mounted with huge=advise; see docs/performance.md.
void ask_for_huge_pages([[maybe_unused]] std::byte* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  if (bytes >= huge_page_bytes) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
}

/// Takes the pages now; returns a sentence if there are not enough. Linux before 5.14 cannot take
/// them here, only when they are first written.
std::string take_pages(std::byte* memory, std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  if (bytes > 0 && madvise(memory, bytes, MADV_POPULATE_WRITE) != 0 && errno != EINVAL)
    return fmt::format("shared memory: {:.1f} MB of {} cannot be used: {}",
                       static_cast<double>(bytes) / 1e6, shared_memory_folder,
                       std::strerror(errno));
#endif
  return {};
}

}  // namespace

std::uint64_t room_for_shared_memory() {
  constexpr auto no_limit = std::numeric_limits<std::uint64_t>::max();
#ifdef __linux__
  struct statvfs room {};
  if (statvfs(shared_memory_folder, &room) != 0) return 0;
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
  window_.handle = open_shared_window(node, round_up(bytes, page_bytes) + page_bytes);
  check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_.handle), "MPI_Win_lock_all");
  const std::vector<std::byte*> parts = parts_of(window_.handle, node);
  std::ranges::transform(parts, bases_.begin(), [](std::byte* part) {
    return reinterpret_cast<std::byte*>(
        round_up(reinterpret_cast<std::uintptr_t>(part), page_bytes));
  });
  ask_for_huge_pages(bases_[rank_], round_up(bytes, page_bytes));
  throw_together(node, take_pages(bases_[rank_], round_up(bytes, page_bytes)));
}

void SharedSegment::map(int node_rank, std::size_t offset, std::size_t bytes) const {
  const std::size_t first = offset / page_bytes * page_bytes;
  take_pages(bases_[node_rank] + first, round_up(offset + bytes, page_bytes) - first);
}

SharedSegment::OpenWindow::~OpenWindow() {
  if (is_finalized() || handle == MPI_WIN_NULL) return;
  MPI_Win_unlock_all(handle);
  MPI_Win_free(&handle);
}

}  // namespace weft
