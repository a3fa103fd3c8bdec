// Whether the processes that mpiexec has started have found each other.
#pragma once

namespace weft {

/// Says on stderr, once in a job, that the launcher of another MPI has started several processes,
/// each of which is a job of its own: the most common reason for programs that do everything
/// several times. After MPI_Init.
void warn_of_foreign_launcher();

}  // namespace weft
