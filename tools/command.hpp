// A subcommand of `weft` is a function that adds itself to the parser and returns the work to run.
#pragma once

#include <mpi.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace weft::command {

/// The work of the chosen subcommand. Called on every rank after parsing, and collective over the
/// communicator. It throws `weft::Error` for every error; main prints it once, on rank 0, and all
/// ranks end with a non-zero exit code. Throw on all ranks wherever possible (see `agree` in
/// ranks.hpp): if only one rank throws, main aborts the others after a while.
using Action = std::function<void(MPI_Comm)>;

/// Adds a subcommand whose work is run(arguments, communicator). The parser writes into
/// `arguments`, so it must be shared.
template <class Arguments, class Run>
CLI::App& add_subcommand(CLI::App& parent, Action& chosen, const std::string& name,
                         const std::string& description, std::shared_ptr<Arguments> arguments,
                         Run run) {
  CLI::App* const command = parent.add_subcommand(name, description);
  command->callback(
      [=, &chosen] { chosen = [=](MPI_Comm communicator) { run(*arguments, communicator); }; });
  return *command;
}

/// An option for a positive number; the help shows its default, if that is one.
template <class Number>
void add_positive(CLI::App& command, const std::string& name, Number& number,
                  const std::string& description) {
  CLI::Option* const option = command.add_option(name, number, description);
  option->check(CLI::PositiveNumber);
  if (number > 0) option->capture_default_str();
}

/// An option for one or more of the valid names, separated by commas.
inline CLI::Option* add_names(CLI::App& command, const std::string& name,
                              std::vector<std::string>& names, const std::string& description,
                              const std::vector<std::string>& valid) {
  return command.add_option(name, names, description)->check(CLI::IsMember(valid))->delimiter(',');
}

inline void add_json(CLI::App& command, std::string& path) {
  command.add_option("--json", path, "Write all figures to this file, too");
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
void add_transform(CLI::App& program, Action& chosen);
void add_bench(CLI::App& program, Action& chosen);
void add_describe(CLI::App& program, Action& chosen);
void add_exchange(CLI::App& program, Action& chosen);
void add_tune(CLI::App& program, Action& chosen);
void add_wisdom(CLI::App& program, Action& chosen);
void add_gpu(CLI::App& program, Action& chosen);
void add_net(CLI::App& program, Action& chosen);

/// The MPI_THREAD_ level that the command line needs. Read before MPI_Init, and so before parsing.
int thread_level_for(int argc, const char* const* argv);

}  // namespace weft::command
