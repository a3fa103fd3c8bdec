// Launchers leave the number of processes in the environment, each under names of its own.
#include "mpi/launcher.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "mpi/library_name.hpp"

namespace weft {
namespace {

struct Launcher {
  const char* name;
  const char* size;  ///< the variable that holds the number of processes
  const char* rank;
};
constexpr std::array launchers{
    Launcher{"mpiexec of Open MPI", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
    Launcher{"mpiexec of MPICH or a relative of it", "PMI_SIZE", "PMI_RANK"},
    Launcher{"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};

/// The number in an environment variable; 0 if the variable is not set.
long number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::strtol(text, nullptr, 10) : 0;
}

}  // namespace

long launched_processes() {
  long processes = 1;
  for (const Launcher& launcher : launchers)
    processes = std::max(processes, number_in(launcher.size));
  return processes;
}

void warn_of_foreign_launcher() {
  static std::atomic<bool> has_looked = false;
  if (has_looked.exchange(true)) return;
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != 1) return;
  for (const Launcher& launcher : launchers) {
    const long processes = number_in(launcher.size);
    if (processes < 2) continue;
    if (number_in(launcher.rank) == 0)
      std::fprintf(stderr,
                   "weft: warning: %s has started %ld processes, but each is a job of one rank: "
                   "start the program with the launcher of its own MPI, %s\n",
                   launcher.name, processes, mpi_name().c_str());
    return;
  }
}

}  // namespace weft
