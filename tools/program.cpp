// The `weft` command as a function: parses on every rank, runs the subcommand, and ensures that all
// ranks end together and with the same exit code, whichever of them failed.
#include "program.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include <weft/version.hpp>

#include "command.hpp"
#include "mpi/launcher.hpp"
#include "mpi/library_name.hpp"
#include "ranks.hpp"
#include "text.hpp"

namespace weft::command {
namespace {

using Clock = std::chrono::steady_clock;

// How long a failed rank waits for the others before it assumes that they hang.
constexpr std::chrono::seconds patience{10};

/// Joins the other ranks after the work and returns the exit code. If some rank failed, rank 0
/// prints why; if only this rank failed and the others do not arrive in time, the job is aborted.
int conclude(MPI_Comm communicator, const std::string& error) {
  const int rank = rank_in(communicator);
  const int ranks = ranks_in(communicator);
  const int mine = error.empty() ? ranks : rank;
  int lowest = ranks;
  MPI_Request request;
  MPI_Iallreduce(&mine, &lowest, 1, MPI_INT, MPI_MIN, communicator, &request);
  if (error.empty()) {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (!sleep_until_done(request, patience)) {
    fmt::print(stderr, "weft: error on rank {}: {}\nweft: the other ranks cannot go on; aborting\n",
               rank, error);
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (lowest == ranks) return 0;
  const std::string first = broadcast_text(communicator, error, lowest);
  if (rank == 0) fmt::print(stderr, "weft: error: {}\n", first);
  return 1;
}

/// Does the work; "" if it succeeded, otherwise the error message.
std::string error_of(const Action& action, MPI_Comm communicator) {
  try {
    action(communicator);
    return "";
  } catch (const std::bad_alloc&) {
    return "out of memory; use more ranks, or nodes with more memory";
  } catch (const std::exception& exception) {
    const std::string message = exception.what();
    return message.empty() ? "unknown error" : without_controls(message);
  }
}

std::string version() { return fmt::format("weft {}\n{}", weft::version(), mpi_name()); }

void declare(Command program, Action& chosen) {
  program.footer(
      "Example: transform a NumPy file on four ranks, and measure the speed\n"
      "  mpiexec -n 4 weft transform field.npy spectrum.npy\n"
      "  mpiexec -n 4 weft bench 256x256x256 --kind r2c\n\n"
      "`weft SUBCOMMAND --help` tells more.\n");
  program.requires_subcommand();
  add_transform(program, chosen);
  add_bench(program, chosen);
  add_describe(program, chosen);
  add_exchange(program, chosen);
  add_tune(program, chosen);
  add_wisdom(program, chosen);
  add_gpu(program, chosen);
  add_net(program, chosen);
}

Startup started;

void start_mpi(int& argc, char**& argv) {
  const std::size_t bytes = resident_bytes();
  const auto begin = Clock::now();
  int provided = 0;
  MPI_Init_thread(&argc, &argv, thread_level_for(argc, argv), &provided);
  started.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  const std::size_t grown = resident_bytes();
  started.bytes = grown > bytes ? grown - bytes : 0;
}

std::optional<int> parse(int argc, char** argv, bool prints, Action& chosen) {
  const Program program{.name = "weft",
                        .description =
                            "FFTs of arrays that are spread over MPI ranks.\n"
                            "Start it under mpiexec, or alone on one rank.",
                        .version = version,
                        .declare = [&](Command all) { declare(all, chosen); }};
  return parse(program, argc, argv, prints);
}

/// Whether the command line asks for texts alone, and of a single process. Builds, and hosts on
/// which MPI only starts within jobs, get them without MPI.
bool needs_no_mpi(int argc, const char* const* argv) {
  const std::vector<std::string_view> words(argv + std::min(argc, 1), argv + argc);
  const bool is_text =
      words.empty() || words[0] == "documents" || std::ranges::any_of(words, [](auto word) {
        return word == "-h" || word == "--help" || word == "--version";
      });
  return is_text && launched_processes() == 1;
}

int run(int argc, char** argv, MPI_Comm communicator) {
  Action chosen;
  if (const auto code = parse(argc, argv, rank_in(communicator) == 0, chosen)) return *code;
  // Keep the messages of the work and of its end separate.
  MPI_Comm ending;
  MPI_Comm_dup(communicator, &ending);
  const int code = conclude(ending, error_of(chosen, communicator));
  MPI_Comm_free(&ending);
  return code;
}

}  // namespace

const Startup& startup() { return started; }

std::size_t resident_bytes() {
  // Pss counts a shared page in proportion; older systems report only Rss.
  for (const auto& [file, name] :
       {std::pair{"/proc/self/smaps_rollup", "Pss:"}, std::pair{"/proc/self/status", "VmRSS:"}}) {
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with(name)) return std::stoull(line.substr(std::strlen(name))) * 1024;
  }
  return 0;
}

int start(int argc, char** argv) {
  int is_running = 0;
  MPI_Initialized(&is_running);
  if (is_running == 0) {
    if (needs_no_mpi(argc, argv)) {
      Action chosen;
      if (const auto code = parse(argc, argv, true, chosen)) return *code;
    }
    start_mpi(argc, argv);
  }
  warn_of_foreign_launcher();
  const int code = run(argc, argv, MPI_COMM_WORLD);
  std::cout.flush();
  std::fflush(nullptr);
  if (is_running == 0) MPI_Finalize();
  return code;
}

}  // namespace weft::command
