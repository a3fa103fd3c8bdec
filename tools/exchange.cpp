// `weft exchange`: only the exchange methods. Transposes of a distributed matrix, without
// computation, for growing numbers of ranks with constant data per rank; other libraries for
// comparison.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>
#include <weft/plan.hpp>

#include "command.hpp"
#include "exchange/timing.hpp"
#include "exchange/transposers.hpp"
#include "mpi/library_name.hpp"
#include "ranks.hpp"
#include "samples.hpp"
#include "temporary_file.hpp"
#include "text.hpp"

namespace weft::command {
namespace {

using bench::Matrix;
using bench::Timing;

struct Arguments {
  double megabytes = 128;
  int transposes = 10;
  int rounds = 3;
  std::vector<std::string> methods;
  std::vector<std::string> against;
  std::string options;
  std::string json;
};

/// All methods on one number of ranks.
std::vector<Timing> measure(const Arguments& arguments, MPI_Comm communicator) {
  Matrix matrix{communicator, ranks_in(communicator)};
  const double elements = arguments.megabytes * 1e6 / sizeof(double) * matrix.ranks;
  const auto lines = std::llround(std::sqrt(elements) / matrix.ranks);
  matrix.side = std::max<Index>(1, lines) * matrix.ranks;
  std::vector<double> in(static_cast<std::size_t>(matrix.size())), out(in.size());
  matrix.in = in.data();
  matrix.out = out.data();
  std::vector<std::string> names = arguments.methods;
  names.insert(names.end(), arguments.against.begin(), arguments.against.end());
  return time_exchanges(matrix, names, Options::parse(arguments.options),
                        {.rounds = arguments.rounds, .samples = arguments.transposes, .steps = 1});
}

// --- The report ---------------------------------------------------------------------------------

std::string table(const std::vector<Timing>& timings) {
  Table table({"method", "ranks", "set-up", "transpose", "fastest", "GB/s", "messages", "sent",
               "workspace", "resident"});
  for (const Timing& timing : timings) {
    if (!timing.impossible.empty()) continue;
    const double share_bytes =
        static_cast<double>(timing.side) * static_cast<double>(timing.side) * 8 / timing.ranks;
    std::vector<std::string> cells = {
        timing.method,
        std::to_string(timing.ranks),
        seconds_text(timing.setup_seconds),
        seconds_text(timing.samples.median()),
        seconds_text(timing.samples.minimum()),
        fmt::format("{:.1f}", share_bytes / timing.samples.median() * 1e-9)};
    if (timing.cost)
      cells.insert(cells.end(),
                   {fmt::format("{:.0f}", timing.cost->messages),
                    size_text(timing.cost->sent_bytes), size_text(timing.cost->workspace_bytes)});
    cells.resize(9);
    cells.push_back(size_text(timing.resident_bytes));
    table.add(cells);
  }
  return table.text("l") + reasons(timings);
}

Json json_of(const Timing& timing) {
  Json one = {{bench::is_exchange(timing.method) ? "exchange" : "against", timing.method},
              {"ranks", timing.ranks},
              {"side", timing.side}};
  if (!timing.impossible.empty()) {
    one["reason"] = timing.impossible;
    return one;
  }
  one.update({{"setup_seconds", timing.setup_seconds},
              {"seconds", timing.samples},
              {"resident_bytes", timing.resident_bytes}});
  if (const auto& cost = timing.cost)
    one.update({{"sent_bytes", cost->sent_bytes},
                {"messages", cost->messages},
                {"workspace_bytes", cost->workspace_bytes},
                {"mpi_bytes", std::max(0.0, timing.resident_bytes - cost->workspace_bytes)}});
  return one;
}

// --- The command --------------------------------------------------------------------------------

/// Every method, and every library that this build has, if none was named.
Arguments completed(Arguments arguments) {
  if (!arguments.methods.empty()) return arguments;
  arguments.methods = exchange_names();
  if (arguments.against.empty())
    for (const std::string& name : bench::baseline_names())
      if (bench::has_baseline(name)) arguments.against.push_back(name);
  return arguments;
}

std::vector<Timing> measure_all(const Arguments& arguments, MPI_Comm communicator) {
  const int ranks = ranks_in(communicator);
  if (ranks < 2) throw Error("exchange: one rank has nobody to exchange with; start at least two");
  std::vector<Timing> timings;
  for (const int count : rank_counts(ranks))
    on_first_ranks(communicator, count, [&](MPI_Comm part) {
      const std::vector<Timing> more = measure(arguments, part);
      timings.insert(timings.end(), more.begin(), more.end());
    });
  // Rank 0 takes part in all of them. If no method can run, the arguments are wrong.
  agree(communicator, [&] {
    const auto ran = [](const Timing& timing) {
      return bench::is_exchange(timing.method) && timing.impossible.empty();
    };
    if (rank_in(communicator) == 0 && std::ranges::none_of(timings, ran))
      throw Error(timings.front().impossible);
  });
  return timings;
}

void run(const Arguments& named, MPI_Comm communicator) {
  TemporaryFile file(communicator, named.json, 0);
  const Arguments arguments = completed(named);
  const double init_seconds = largest(communicator, startup().seconds);
  const double init_bytes = largest(communicator, startup().bytes);
  const std::vector<Timing> timings = measure_all(arguments, communicator);
  if (rank_in(communicator) == 0)
    fmt::print(
        "weft exchange: transposes of a real matrix, {:g} MB per rank; {}\n"
        "  MPI_Init took {:.0f} ms and {} per rank\n\n{}\n",
        arguments.megabytes, mpi_name(), init_seconds * 1e3, size_text(init_bytes), table(timings));
  Json list = Json::array();
  for (const Timing& timing : timings) list.push_back(json_of(timing));
  const Json all = {{"mpi", mpi_name()},
                    {"mpi_init_seconds", init_seconds},
                    {"mpi_init_bytes", init_bytes},
                    {"rows", list}};
  file.publish_text(all.dump(2) + "\n");
}

}  // namespace

void add_exchange(Command program, Action& chosen) {
  const auto [command, arguments] = add_subcommand<Arguments>(
      program, chosen, "exchange",
      "Measure the exchange methods alone: transposes of a matrix spread over 2, 4, ... all\n"
      "ranks, with the same share on each. FFTW-MPI and ScaLAPACK run beside them where this\n"
      "build has them.",
      run);
  command.add_positive("MEGABYTES", arguments->megabytes,
                       "Of the matrix on each rank, in 10^6 bytes");
  add_names(command, "--exchange", arguments->methods, "The methods to run (default: every one)",
            exchange_names());
  add_names(command, "--against", arguments->against,
            "Other libraries to run in turn with them: fftw-mpi (its transpose), pdgemr2d and "
            "pdtran (of ScaLAPACK; the first redistributes and does not transpose). Default: "
            "those that this build has, unless methods are named",
            bench::baseline_names());
  command.add_positive("--transposes", arguments->transposes,
                       "How many successive transposes to time");
  command.add_positive(
      "--rounds", arguments->rounds,
      "How often all take their turn: each time set up anew, run once unmeasured, and "
      "timed for that many transposes");
  command.add("--options", arguments->options,
              "Further options of the library, \"ranks_per_node=2\" say");
  add_json(command, arguments->json);
  command.footer(
      "GB/s are bytes of a rank's share and second. \"workspace\" is what the method asks for; "
      "\"resident\"\n"
      "is by how much the process grew (by /proc, shared pages in proportion), so that what it "
      "exceeds\n"
      "the workspace by is MPI's: the first method that needs some resource of MPI's pays for "
      "it.\n\n"
      "Example: four ranks as two nodes\n"
      "  mpiexec -n 4 weft exchange 32 --options ranks_per_node=2\n");
}

}  // namespace weft::command
