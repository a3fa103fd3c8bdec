// What a subcommand of `weft` is: a function that adds itself to the parser and hands back what to
// run.
#pragma once

#include <mpi.h>

#include <CLI/CLI.hpp>
#include <functional>

namespace weft::command {

/// The work of the subcommand that was chosen. Called on every rank after parsing, and collective
/// over the communicator. It throws `weft::Error` for whatever goes wrong; main prints it once, on
/// rank 0, and ends every rank with a non-zero exit code. Throw on all ranks wherever that can be
/// had (see `agree` in parallel_file.hpp): where one rank throws alone, the others are aborted
/// after a while.
using Action = std::function<void(MPI_Comm)>;

/// What MPI_Init took: seconds, and the growth of this rank's resident memory in bytes (0 where the
/// system does not tell).
struct Startup {
  double seconds = 0;
  std::size_t bytes = 0;
};
const Startup& startup();
/// The resident memory of this rank in bytes; what it shares with other processes, in proportion.
std::size_t resident_bytes();

/// Each adds one subcommand to `program`; its callback puts the work into `chosen`. One file each.
void add_transform(CLI::App& program, Action& chosen);
void add_bench(CLI::App& program, Action& chosen);
void add_describe(CLI::App& program, Action& chosen);
void add_exchange(CLI::App& program, Action& chosen);
void add_wisdom(CLI::App& program, Action& chosen);
void add_net(CLI::App& program, Action& chosen);

/// The MPI_THREAD_ level that the command line asks for. Looked at before MPI_Init, and so before
/// parsing.
int thread_level_for(int argc, const char* const* argv);

}  // namespace weft::command
