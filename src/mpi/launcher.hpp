// Detects processes that mpiexec has started together, but that have not found each other.
#pragma once

namespace weft {

/// How many processes a launcher has started together, of any MPI: 1 where its variables say
/// nothing. May be called without MPI.
long launched_processes();

/// Warns on stderr, once for all processes, if the launcher of another MPI has started them. Each
/// process is then a job of its own, the most common reason for programs that do everything several
/// times. To be called after MPI_Init.
void warn_of_foreign_launcher();

}  // namespace weft
