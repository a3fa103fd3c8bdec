// `weft exchange`: only the exchange methods. Transposes of a distributed matrix, without
// computation, for growing numbers of ranks with constant data per rank; other libraries for
// comparison.
#include <fmt/core.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include <weft/plan.hpp>

#include "command.hpp"
#include "exchange/transposers.hpp"
#include "parallel_file.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "samples.hpp"
#include "text.hpp"

namespace weft::command {
namespace {

using bench::Matrix;
using bench::Transposer;

struct Arguments {
  double megabytes = 128;
  int transposes = 10;
  int rounds = 3;
  std::vector<std::string> methods;
  std::vector<std::string> against;
  std::string options;
  std::string json;
};

/// Figures that only Weft's methods report.
struct Traffic {
  double workspace_bytes = 0;  ///< requested by the method, including the passes' tiles
  double sent_bytes = 0;
  double messages = 0;
};

/// One method on one number of ranks; times and bytes are maxima over ranks.
struct Row {
  std::string name;
  bool outside = false;  ///< belongs to another library
  int ranks = 0;
  Index side = 0;  ///< of the matrix
  std::string impossible;
  double setup_seconds = 0;
  Samples samples;
  double resident_bytes = 0;  ///< growth of the process, MPI's buffers included
  std::optional<Traffic> traffic;

  double share_bytes() const {
    return static_cast<double>(side) * static_cast<double>(side) * sizeof(double) / ranks;
  }
};

// --- The measurement ----------------------------------------------------------------------------

std::unique_ptr<Transposer> make(const Arguments& arguments, Matrix& matrix, Row& row) {
  if (row.outside) return bench::make_baseline(row.name, matrix);
  Options options = Options::parse(arguments.options);
  options.exchange = row.name;
  auto made = std::make_unique<bench::WeftTransposer>(matrix, options);
  const Plan& plan = made->plan();
  const MPI_Comm communicator = matrix.communicator;
  row.traffic = {largest(static_cast<double>(plan.workspace_bytes()), communicator),
                 largest(static_cast<double>(plan.sent().bytes), communicator),
                 largest(plan.sent().messages, communicator)};
  return made;
}

/// Resident memory in use: freed memory goes back to the system first, so that the next method does
/// not reuse it and seem to need none.
double bytes_in_use() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  return static_cast<double>(resident_bytes());
}

/// Makes the transposer, runs it once to touch all memory and check the result, and then runs it
/// the given number of times in a row.
void measure_once(const Arguments& arguments, Matrix matrix, Row& row) {
  const MPI_Comm communicator = matrix.communicator;
  const double before = bytes_in_use();
  MPI_Barrier(communicator);
  const double began = MPI_Wtime();
  const auto transposer = make(arguments, matrix, row);
  const double setup = largest(MPI_Wtime() - began, communicator);
  bench::check_transposer(row.name, matrix, *transposer);
  if (row.samples.seconds.empty()) {
    row.setup_seconds = setup;
    row.resident_bytes = largest(std::max(0.0, bytes_in_use() - before), communicator);
  }
  for (int number = 0; number < arguments.transposes; ++number)
    row.samples.seconds.push_back(seconds_per_step(communicator, 1, [&] { transposer->run(); }));
}

std::vector<Row> rows_of(const Arguments& arguments) {
  std::vector<Row> rows;
  for (const std::string& name : arguments.methods) rows.emplace_back().name = name;
  for (const std::string& name : arguments.against) {
    rows.emplace_back().name = name;
    rows.back().outside = true;
  }
  return rows;
}

/// All methods in turn, round after round: slow phases of the machine affect all of them.
std::vector<Row> measure(const Arguments& arguments, MPI_Comm communicator, Progress& progress) {
  Matrix matrix{communicator, ranks_in(communicator)};
  const double elements = arguments.megabytes * 1e6 / sizeof(double) * matrix.ranks;
  const auto lines = std::llround(std::sqrt(elements) / matrix.ranks);
  matrix.side = std::max<Index>(1, lines) * matrix.ranks;
  std::vector<double> in(static_cast<std::size_t>(matrix.size())), out(in.size());
  matrix.in = in.data();
  matrix.out = out.data();
  std::vector<Row> rows = rows_of(arguments);
  for (int round = 0; round < arguments.rounds; ++round)
    for (Row& row : rows) {
      row.ranks = matrix.ranks;
      row.side = matrix.side;
      try {
        if (row.impossible.empty()) measure_once(arguments, matrix, row);
      } catch (const Error& error) {
        if (!row.samples.seconds.empty()) throw;
        row.impossible = error.what();  // planning fails on all ranks or on none
      }
      progress.advance();
    }
  return rows;
}

// --- The report ---------------------------------------------------------------------------------

std::string megabytes(double bytes) { return fmt::format("{:.0f} MB", bytes * 1e-6); }

std::string milliseconds(double seconds) { return fmt::format("{:.1f} ms", seconds * 1e3); }

std::string table(const std::vector<Row>& rows) {
  Table table({"method", "ranks", "set-up", "transpose", "fastest", "GB/s", "messages", "sent",
               "workspace", "resident"});
  for (const Row& row : rows) {
    if (!row.impossible.empty()) continue;
    std::vector<std::string> cells = {
        row.name,
        std::to_string(row.ranks),
        milliseconds(row.setup_seconds),
        milliseconds(row.samples.median()),
        milliseconds(row.samples.minimum()),
        fmt::format("{:.1f}", row.share_bytes() / row.samples.median() * 1e-9)};
    if (row.traffic)
      cells.insert(cells.end(),
                   {fmt::format("{:.0f}", row.traffic->messages),
                    megabytes(row.traffic->sent_bytes), megabytes(row.traffic->workspace_bytes)});
    cells.resize(9);
    cells.push_back(megabytes(row.resident_bytes));
    table.add(cells);
  }
  std::string text = table.text(1);
  for (const Row& row : rows)
    if (!row.impossible.empty())
      text += fmt::format("  {} on {} ranks: not here: {}\n", row.name, row.ranks, row.impossible);
  return text;
}

Json json_of(const Row& row) {
  Json one = {
      {row.outside ? "against" : "exchange", row.name}, {"ranks", row.ranks}, {"side", row.side}};
  if (!row.impossible.empty()) {
    one["reason"] = row.impossible;
    return one;
  }
  one.update({{"setup_seconds", row.setup_seconds},
              {"seconds", row.samples},
              {"resident_bytes", row.resident_bytes}});
  if (row.traffic)
    one.update({{"sent_bytes", row.traffic->sent_bytes},
                {"messages", row.traffic->messages},
                {"workspace_bytes", row.traffic->workspace_bytes},
                {"mpi_bytes", std::max(0.0, row.resident_bytes - row.traffic->workspace_bytes)}});
  return one;
}

// --- The command --------------------------------------------------------------------------------

/// Every method, and every library that this build has, if none was named.
Arguments completed(Arguments arguments) {
  const bool named = !arguments.methods.empty();
  if (!named) arguments.methods = exchange_names();
  if (arguments.against.empty() && !named)
    for (const std::string& name : bench::baseline_names())
      if (bench::has_baseline(name)) arguments.against.push_back(name);
  return arguments;
}

std::vector<Row> measure_all(const Arguments& arguments, MPI_Comm communicator) {
  const int ranks = ranks_in(communicator);
  if (ranks < 2) throw Error("exchange: one rank has nobody to exchange with; start at least two");
  const auto counts = rank_counts(ranks);
  const auto methods = std::ssize(arguments.methods) + std::ssize(arguments.against);
  Progress progress("measuring", methods * std::ssize(counts) * arguments.rounds, communicator);
  std::vector<Row> rows;
  for (const int count : counts)
    on_first_ranks(communicator, count, [&](MPI_Comm part) {
      const std::vector<Row> more = measure(arguments, part, progress);
      rows.insert(rows.end(), more.begin(), more.end());
    });
  // Rank 0 takes part in every row. If no method can run, the arguments are wrong.
  agree_on(communicator, [&] {
    const auto ran = [](const Row& row) { return !row.outside && row.impossible.empty(); };
    if (rank_in(communicator) == 0 && std::ranges::none_of(rows, ran))
      throw Error(rows.front().impossible);
  });
  return rows;
}

void run(const Arguments& named, MPI_Comm communicator) {
  TemporaryFile file(communicator, named.json, 0);
  const Arguments arguments = completed(named);
  const double init_seconds = largest(startup().seconds, communicator);
  const double init_bytes = largest(static_cast<double>(startup().bytes), communicator);
  const std::vector<Row> rows = measure_all(arguments, communicator);
  if (rank_in(communicator) == 0)
    fmt::print(
        "weft exchange: transposes of a real matrix, {:g} MB per rank; {}\n"
        "  MPI_Init took {:.0f} ms and {} per rank\n\n{}\n",
        arguments.megabytes, mpi_version(), init_seconds * 1e3, megabytes(init_bytes), table(rows));
  Json list = Json::array();
  for (const Row& row : rows) list.push_back(json_of(row));
  const Json all = {{"mpi", mpi_version()},
                    {"mpi_init_seconds", init_seconds},
                    {"mpi_init_bytes", init_bytes},
                    {"rows", list}};
  file.publish_text(all.dump(2) + "\n");
}

}  // namespace

void add_exchange(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App& command = add_subcommand(
      program, chosen, "exchange",
      "Measure the exchange methods alone: transposes of a matrix spread over 2, 4, ... all\n"
      "ranks, with the same share on each. FFTW-MPI and ScaLAPACK run beside them where this\n"
      "build has them.",
      arguments, run);
  add_positive(command, "MEGABYTES", arguments->megabytes,
               "Of the matrix on each rank, in 10^6 bytes");
  add_names(command, "--exchange", arguments->methods, "The methods to run (default: every one)",
            exchange_names());
  add_names(command, "--against", arguments->against,
            "Other libraries to run in turn with them: fftw-mpi (its transpose), pdgemr2d and "
            "pdtran (of ScaLAPACK; the first redistributes and does not transpose). Default: "
            "those that this build has, unless methods are named",
            bench::baseline_names());
  add_positive(command, "--transposes", arguments->transposes,
               "How many successive transposes to time");
  add_positive(command, "--rounds", arguments->rounds,
               "How often all take their turn: each time set up anew, run once unmeasured, and "
               "timed for that many transposes");
  command.add_option("--options", arguments->options,
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
