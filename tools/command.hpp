// A subcommand of `weft` is a function that adds itself to the parser and returns the work to run.
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "command_line.hpp"

namespace weft::command {

/// The work of the chosen subcommand. Called on every rank after parsing, and collective over the
/// communicator. It throws `weft::Error` for every error; main prints it once, on rank 0, and all
/// ranks end with a non-zero exit code. Throw on all ranks wherever possible (see `agree` in
/// ranks.hpp): if only one rank throws, main aborts the others after a while.
using Action = std::function<void(MPI_Comm)>;

/// A subcommand and the arguments that the parser writes.
template <class Arguments>
struct Subcommand {
  Command command;
  std::shared_ptr<Arguments> arguments;
};

/// Adds a subcommand whose work is run(arguments, communicator).
template <class Arguments, class Run>
Subcommand<Arguments> add_subcommand(
    Command parent, Action& chosen, const std::string& name, const std::string& description,
    Run run, std::shared_ptr<Arguments> arguments = std::make_shared<Arguments>()) {
  Command command = parent.add_subcommand(name, description);
  command.when_chosen(
      [=, &chosen] { chosen = [=](MPI_Comm communicator) { run(*arguments, communicator); }; });
  return {command, arguments};
}

/// An option for one or more of the valid names, separated by commas.
inline Option add_names(Command command, const std::string& name, std::vector<std::string>& names,
                        const std::string& description, const std::vector<std::string>& valid) {
  return command.add(name, names, description).one_of(valid).separated_by_commas();
}

inline void add_json(Command command, std::string& path) {
  command.add("--json", path, "Write all figures to this file, too").names_file();
}

/// The cost of MPI_Init: seconds, and the growth of this rank's resident memory in bytes (0 if the
/// system does not report it).
struct Startup {
  double seconds = 0;
  std::size_t bytes = 0;
};
const Startup& startup();
/// The resident memory of this rank in bytes; memory shared with other processes counts in
/// proportion.
std::size_t resident_bytes();

/// Each adds one subcommand to `program`; its callback stores the work in `chosen`. One file each.
void add_transform(Command program, Action& chosen);
void add_bench(Command program, Action& chosen);
void add_describe(Command program, Action& chosen);
void add_exchange(Command program, Action& chosen);
void add_tune(Command program, Action& chosen);
void add_wisdom(Command program, Action& chosen);
void add_gpu(Command program, Action& chosen);
void add_net(Command program, Action& chosen);

/// The MPI_THREAD_ level that the command line needs. Read before MPI_Init, and so before parsing.
int thread_level_for(int argc, const char* const* argv);

}  // namespace weft::command
