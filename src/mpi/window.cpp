// Windows over existing memory, with workarounds for bugs of two widely used MPI libraries; they
// cost a few collective calls when a window is made.
#include "mpi/window.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <functional>
#include <string>

#include "mpi/library_name.hpp"

namespace weft {
namespace {

/// Asks the library that this process runs with, which may be newer than the headers.
bool groups_must_take_turns() {
  const std::string name = mpi_name();
  const std::string open_mpi = "Open MPI ";
  return name.starts_with(open_mpi) && std::atoi(name.c_str() + open_mpi.size()) < 5;
}

/// Makes groups of ranks create windows one after another. While Open MPI 4 creates a window it
/// keeps a file on each node, and disjoint groups may choose the same file name (open-mpi/ompi
/// issue 9492), which mixes up their windows. A group takes turns on every node on which it has
/// several ranks. Collective.
class Turn {
 public:
  explicit Turn(const Communicator& communicator) {
    int all = 0;
    check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &all), "MPI_Comm_size");
    if (!groups_must_take_turns() || communicator.size() == all) return;
    const Communicator node = communicator.split_by_node();
    const bool waits = node.size() > 1 && node.rank() == 0;
    // All groups lock nodes in the same order, which prevents deadlock.
    const Communicator waiting = communicator.split(waits ? 0 : 1, node_key());
    for (int turn = 0; waits && turn < waiting.size(); ++turn) {
      if (turn == waiting.rank()) failed_ = !lock();
      check_mpi(MPI_Barrier(waiting.get()), "MPI_Barrier");
    }
  }
  ~Turn() {
    if (directory_ >= 0) close(directory_);  // also releases the lock
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  bool failed() const { return failed_; }

 private:
  static int node_key() { return static_cast<int>(std::hash<std::string>()(host_name()) >> 33); }

  /// Locks the folder of these files, or else another folder that all ranks of the node share.
  bool lock() {
    for (const char* path : {"/dev/shm", "/tmp"})
      if (directory_ < 0) directory_ = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (flock(directory_, LOCK_EX) != 0)
      if (errno != EINTR) return false;
    return true;
  }

  int directory_ = -1;
  bool failed_ = false;
};

}  // namespace

Window::Window(const Communicator& communicator, std::byte* memory, std::size_t bytes) {
  const Turn turn(communicator);
  agree(communicator, [&] {
    if (turn.failed()) throw Error("MPI_Win_create: neither /dev/shm nor /tmp can be locked");
  });
  agree(communicator, [&] {
    check_mpi(MPI_Win_create(memory, static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL,
                             communicator.get(), &window_),
              "MPI_Win_create");
  });
  check_mpi(MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
  check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
}

Window::~Window() {
  if (is_finalized()) return;
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
}

/// Counts from the base address that MPI reports. This should be the memory passed to
/// MPI_Win_create, but with MPICH 4.0.2 over UCX 1.13 it may be the base of an overlapping window
/// (fixed by pmodels/mpich pull request 6140).
MPI_Aint Window::displacement(const std::byte* address) const {
  void* base = nullptr;
  int found = 0;
  check_mpi(MPI_Win_get_attr(window_, MPI_WIN_BASE, &base, &found), "MPI_Win_get_attr");
  MPI_Aint begin = 0;
  MPI_Aint place = 0;
  check_mpi(MPI_Get_address(base, &begin), "MPI_Get_address");
  check_mpi(MPI_Get_address(address, &place), "MPI_Get_address");
  return MPI_Aint_diff(place, begin);
}

}  // namespace weft
