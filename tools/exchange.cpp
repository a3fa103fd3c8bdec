// `weft exchange`: the exchange methods alone. Transposes of a distributed matrix, nothing
// computed, for growing numbers of ranks with the same share each; other libraries beside them.
#include <fmt/core.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>
#include <weft/plan.hpp>

#include "bench/measure.hpp"
#include "bench/modules.hpp"
#include "command.hpp"
#include "exchange/baselines.hpp"
#include "exchange/weft_transposer.hpp"
#include "parallel_file.hpp"
#include "plan_arguments.hpp"
#include "progress.hpp"
#include "sub_jobs.hpp"

namespace weft::command {
namespace {

using bench::largest;
using bench::Matrix;
using bench::Transposer;
using Element = double;

struct Arguments {
  double megabytes = 128;
  int transposes = 10;
  int rounds = 3;
  std::vector<std::string> methods;
  std::vector<std::string> against;
  std::string options;
  std::string json;
};

/// What only Weft's methods tell.
struct Traffic {
  double workspace_bytes = 0;  ///< asked for by the method, with the passes' tiles
  double sent_bytes = 0;
  double messages = 0;
};

/// One method on one number of ranks; times and bytes are those of the rank that has most of them.
struct Row {
  std::string name;
  bool outside = false;  ///< another library's
  int ranks = 0;
  Index side = 0;  ///< of the matrix
  std::string impossible;
  double setup_seconds = 0;
  std::vector<double> seconds;
  double resident_bytes = 0;  ///< by which the process grew, MPI's buffers included
  std::optional<Traffic> traffic;

  double share_bytes() const {
    return static_cast<double>(side) * static_cast<double>(side) * sizeof(Element) / ranks;
  }
  double fastest() const { return std::ranges::min(seconds); }
  double median() const {
    std::vector<double> sorted = seconds;
    std::ranges::sort(sorted);
    return sorted[sorted.size() / 2];
  }
};

// --- The matrix ---------------------------------------------------------------------------------

/// Another one at every place: whole numbers, exact up to 2^53.
Element entry(Index row, Index column, Index side) {
  return static_cast<Element>(row * side + column);
}

Index first_line(const Matrix& matrix) {
  int rank = 0;
  MPI_Comm_rank(matrix.communicator, &rank);
  return rank * matrix.lines();
}

void fill(const Matrix& matrix) {
  Element* place = matrix.in;
  const Index first = first_line(matrix);
  for (Index row = first; row < first + matrix.lines(); ++row)
    for (Index column = 0; column < matrix.side; ++column)
      *place++ = entry(row, column, matrix.side);
  std::fill_n(matrix.out, matrix.side * matrix.lines(), Element(-1));
}

/// True where this rank has its columns.
bool is_right(const Matrix& matrix, bool keeps_rows) {
  const Index first = first_line(matrix);
  for (Index line = 0; line < matrix.lines(); ++line)
    for (Index row = 0; row < matrix.side; ++row) {
      const Index place = keeps_rows ? row * matrix.lines() + line : line * matrix.side + row;
      if (matrix.out[place] != entry(row, first + line, matrix.side)) return false;
    }
  return true;
}

// --- The measurement ----------------------------------------------------------------------------

std::unique_ptr<Transposer> make(const Arguments& arguments, const Matrix& matrix, Row& row) {
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

/// Resident memory that is in use: what was freed goes back to the system first, lest the next
/// method find it there and seem to need none.
double bytes_in_use() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  return static_cast<double>(resident_bytes());
}

/// Makes it anew, runs it once to have all memory touched and the result checked, and then so many
/// times in a row.
void measure_once(const Arguments& arguments, const Matrix& matrix, Row& row) {
  const MPI_Comm communicator = matrix.communicator;
  const double before = bytes_in_use();
  MPI_Barrier(communicator);
  const double began = MPI_Wtime();
  const auto transposer = make(arguments, matrix, row);
  const double setup = largest(MPI_Wtime() - began, communicator);
  fill(matrix);
  transposer->run();
  agree_on(communicator, [&] {
    if (!is_right(matrix, transposer->keeps_rows()))
      throw Error(fmt::format("{}: the transpose is wrong; please report this", row.name));
  });
  if (row.seconds.empty()) {
    row.setup_seconds = setup;
    row.resident_bytes = largest(std::max(0.0, bytes_in_use() - before), communicator);
  }
  for (int number = 0; number < arguments.transposes; ++number) {
    MPI_Barrier(communicator);
    const double start = MPI_Wtime();
    transposer->run();
    row.seconds.push_back(largest(MPI_Wtime() - start, communicator));
  }
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

/// All methods in turn, round after round: slow spells of the machine fall on all.
std::vector<Row> measure(const Arguments& arguments, MPI_Comm communicator, Progress& progress) {
  Matrix matrix;
  matrix.communicator = communicator;
  MPI_Comm_size(communicator, &matrix.ranks);
  const double elements = arguments.megabytes * 1e6 / sizeof(Element) * matrix.ranks;
  const auto lines = std::llround(std::sqrt(elements) / matrix.ranks);
  matrix.side = std::max<Index>(1, lines) * matrix.ranks;
  const auto local = static_cast<std::size_t>(matrix.side * matrix.lines());
  std::vector<Element> in(local), out(local);
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
        if (!row.seconds.empty()) throw;
        row.impossible = error.what();  // planning fails on all ranks or on none
      }
      progress.advance();
    }
  return rows;
}

// --- The report ---------------------------------------------------------------------------------

std::string megabytes(double bytes) { return fmt::format("{:.0f} MB", bytes * 1e-6); }

std::string table(const std::vector<Row>& rows) {
  std::string text = fmt::format("  {:<12}{:>5}{:>10}{:>12}{:>11}{:>7}{:>10}{:>9}{:>11}{:>10}\n",
                                 "method", "ranks", "set-up", "transpose", "fastest", "GB/s",
                                 "messages", "sent", "workspace", "resident");
  for (const Row& row : rows) {
    text += fmt::format("  {:<12}{:>5}", row.name, row.ranks);
    if (!row.impossible.empty()) {
      text += fmt::format("  not here: {}\n", row.impossible);
      continue;
    }
    text += fmt::format("{:>7.0f} ms{:>9.1f} ms{:>8.1f} ms{:>7.1f}", row.setup_seconds * 1e3,
                        row.median() * 1e3, row.fastest() * 1e3,
                        row.share_bytes() / row.median() * 1e-9);
    text += row.traffic ? fmt::format("{:>10.0f}{:>9}{:>11}", row.traffic->messages,
                                      megabytes(row.traffic->sent_bytes),
                                      megabytes(row.traffic->workspace_bytes))
                        : fmt::format("{:>10}{:>9}{:>11}", "", "", "");
    text += fmt::format("{:>10}\n", megabytes(row.resident_bytes));
  }
  return text;
}

nlohmann::ordered_json to_json(const Row& row) {
  nlohmann::ordered_json one = {
      {row.outside ? "against" : "exchange", row.name}, {"ranks", row.ranks}, {"side", row.side}};
  if (!row.impossible.empty()) {
    one["reason"] = row.impossible;
    return one;
  }
  one["setup_seconds"] = row.setup_seconds;
  one["seconds"] = {{"median", row.median()}, {"min", row.fastest()}, {"samples", row.seconds}};
  one["resident_bytes"] = row.resident_bytes;
  if (!row.traffic) return one;
  one["sent_bytes"] = row.traffic->sent_bytes;
  one["messages"] = row.traffic->messages;
  one["workspace_bytes"] = row.traffic->workspace_bytes;
  one["mpi_bytes"] = std::max(0.0, row.resident_bytes - row.traffic->workspace_bytes);
  return one;
}

struct Report {
  double init_seconds = 0;
  double init_bytes = 0;
  std::vector<Row> rows;
};

std::string to_text(const Arguments& arguments, const Report& report) {
  return fmt::format(
      "weft exchange: transposes of a real matrix, {:g} MB per rank; {}\n"
      "  MPI_Init took {:.0f} ms and {} per rank\n\n{}\n",
      arguments.megabytes, bench::mpi_version(), report.init_seconds * 1e3,
      megabytes(report.init_bytes), table(report.rows));
}

std::string to_json(const Report& report) {
  auto list = nlohmann::ordered_json::array();
  for (const Row& row : report.rows) list.push_back(to_json(row));
  const nlohmann::ordered_json all = {{"mpi", bench::mpi_version()},
                                      {"mpi_init_seconds", report.init_seconds},
                                      {"mpi_init_bytes", report.init_bytes},
                                      {"rows", list}};
  return all.dump(2) + "\n";
}

// --- The command --------------------------------------------------------------------------------

/// Every method and every library of this build, where nothing was named.
Arguments completed(Arguments arguments) {
  const bool named = !arguments.methods.empty();
  if (!named) arguments.methods = exchange_names();
  if (arguments.against.empty() && !named)
    for (const std::string& name : bench::baseline_names())
      if (bench::has_baseline(name)) arguments.against.push_back(name);
  return arguments;
}

std::vector<Row> measure_all(const Arguments& arguments, MPI_Comm communicator) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &ranks);
  if (ranks < 2) throw Error("exchange: one rank has nobody to exchange with; start at least two");
  const auto counts = rank_counts(ranks);
  const auto methods = std::ssize(arguments.methods) + std::ssize(arguments.against);
  Progress progress("measuring", methods * std::ssize(counts) * arguments.rounds,
                    rank == 0 && on_terminal());
  std::vector<Row> rows;
  for (const int count : counts)
    on_first_ranks(communicator, count, [&](MPI_Comm part) {
      const std::vector<Row> more = measure(arguments, part, progress);
      rows.insert(rows.end(), more.begin(), more.end());
    });
  // Rank 0 takes part in every row; what no method can do is a mistake of the caller's.
  agree_on(communicator, [&] {
    const auto ran = [](const Row& row) { return !row.outside && row.impossible.empty(); };
    if (rank == 0 && std::ranges::none_of(rows, ran)) throw Error(rows.front().impossible);
  });
  return rows;
}

void run(const Arguments& named, MPI_Comm communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  std::optional<TemporaryFile> json;
  if (!named.json.empty()) json.emplace(communicator, named.json, 0);
  const Arguments arguments = completed(named);
  Report report;
  report.init_seconds = largest(startup().seconds, communicator);
  report.init_bytes = largest(static_cast<double>(startup().bytes), communicator);
  report.rows = measure_all(arguments, communicator);
  if (rank == 0) fmt::print("{}", to_text(arguments, report));
  if (json) json->publish_text(to_json(report));
}

}  // namespace

void add_exchange(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand(
      "exchange",
      "Measure the exchange methods alone: transposes of a matrix spread over 2, 4, ... all\n"
      "ranks, with the same share on each. FFTW-MPI and ScaLAPACK run beside them where this\n"
      "build has them.");
  command
      ->add_option("MEGABYTES", arguments->megabytes, "Of the matrix on each rank, in 10^6 bytes")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--exchange", arguments->methods, "The methods to run (default: every one)")
      ->check(CLI::IsMember(exchange_names()))
      ->delimiter(',');
  command
      ->add_option(
          "--against", arguments->against,
          "Other libraries to run in turn with them: fftw-mpi (its transpose), pdgemr2d and "
          "pdtran (of ScaLAPACK; the first redistributes and does not transpose). Default: "
          "those that this build has, unless methods are named")
      ->check(CLI::IsMember(bench::baseline_names()))
      ->delimiter(',');
  command
      ->add_option("--transposes", arguments->transposes, "How many successive transposes to time")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      ->add_option("--rounds", arguments->rounds,
                   "How often all take their turn: each time set up anew, run once unmeasured, and "
                   "timed for that many transposes")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--options", arguments->options,
                      "Further options of the library, \"ranks_per_node=2\" say");
  command->add_option("--json", arguments->json, "Write all figures to this file, too");
  command->footer(
      "GB/s are bytes of a rank's share and second. \"workspace\" is what the method asks for; "
      "\"resident\"\n"
      "is by how much the process grew (by /proc, shared pages in proportion), so that what it "
      "exceeds\n"
      "the workspace by is MPI's: the first method that needs some resource of MPI's pays for "
      "it.\n\n"
      "Example: four ranks as two nodes\n"
      "  mpiexec -n 4 weft exchange 32 --options ranks_per_node=2\n");
  command->callback([arguments, &chosen] {
    chosen = [arguments](MPI_Comm communicator) { run(*arguments, communicator); };
  });
}

}  // namespace weft::command
