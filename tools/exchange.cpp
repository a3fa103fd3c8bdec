// `weft exchange`: the exchange methods alone. Transposes of a distributed matrix, nothing
// computed, for growing numbers of ranks with the same share each.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>
#include <weft/plan.hpp>

#include "bench/measure.hpp"
#include "command.hpp"
#include "parallel_file.hpp"
#include "plan_arguments.hpp"
#include "progress.hpp"

namespace weft::command {
namespace {

using bench::largest;
using Element = double;

struct Arguments {
  double megabytes = 128;
  int transposes = 10;
  std::vector<std::string> methods;
  std::string options;
  std::string json;
};

/// One method on one number of ranks; times and bytes are those of the rank that has most of them.
struct Row {
  std::string method;
  int ranks = 0;
  Index side = 0;  ///< of the matrix
  std::string impossible;
  double setup_seconds = 0;
  std::vector<double> seconds;
  double workspace_bytes = 0;  ///< asked for by the method, with the passes' tiles
  double resident_bytes = 0;   ///< by which the process grew, less the matrix and its transpose
  double sent_bytes = 0;
  double messages = 0;

  double share_bytes() const {
    return static_cast<double>(side) * static_cast<double>(side) * sizeof(Element) / ranks;
  }
  double median() const {
    std::vector<double> sorted = seconds;
    std::ranges::sort(sorted);
    return sorted[sorted.size() / 2];
  }
};

/// Another one at every place: whole numbers, exact up to 2^53.
Element entry(Index row, Index column, Index side) {
  return static_cast<Element>(row * side + column);
}

/// True where every element is what the transpose of the matrix of entries has there.
bool is_transposed(const std::vector<Element>& out, const Plan& plan) {
  const Box& box = plan.output_box();
  const auto strides = strides_of(box.extents(), plan.output_layout().order());
  for (Index row = box.lower[0]; row < box.upper[0]; ++row)
    for (Index column = box.lower[1]; column < box.upper[1]; ++column) {
      const Index place = (row - box.lower[0]) * strides[0] + (column - box.lower[1]) * strides[1];
      if (out[static_cast<std::size_t>(place)] != entry(row, column, plan.transform().shape[1]))
        return false;
    }
  return true;
}

void fill(std::vector<Element>& in, const Box& box, Index side) {
  std::size_t place = 0;
  for (Index row = box.lower[0]; row < box.upper[0]; ++row)
    for (Index column = box.lower[1]; column < box.upper[1]; ++column)
      in[place++] = entry(row, column, side);
}

/// From rows spread over the ranks to columns spread over them, those contiguous.
void transpose(const Arguments& arguments, MPI_Comm communicator, Row& row) {
  Options options = Options::parse(arguments.options);
  options.exchange = row.method;
  const Shape shape{row.side, row.side};
  const Transform transform(shape, std::vector<Kind>(2, Kind::none));
  const Layout rows = Layout::slabs(shape, row.ranks, 0);
  const Layout columns = Layout::slabs(shape, row.ranks, 1).ordered({1, 0});
  const double resident = static_cast<double>(resident_bytes());
  MPI_Barrier(communicator);
  const double began = MPI_Wtime();
  Plan plan(communicator, transform, rows, columns, options);
  row.setup_seconds = largest(MPI_Wtime() - began, communicator);
  std::vector<Element> in(static_cast<std::size_t>(plan.input_size()));
  std::vector<Element> out(static_cast<std::size_t>(plan.output_size()), Element(-1));
  fill(in, plan.input_box(), row.side);
  plan.forward(in.data(), out.data());  // touches all memory
  const bool right = is_transposed(out, plan);
  agree_on(communicator, [&] {
    if (!right)
      throw Error(fmt::format("{}: the transpose is wrong; please report this", row.method));
  });
  const auto arrays = static_cast<double>((in.size() + out.size()) * sizeof(Element));
  row.resident_bytes = largest(
      std::max(0.0, static_cast<double>(resident_bytes()) - resident - arrays), communicator);
  for (int number = 0; number < arguments.transposes; ++number) {
    MPI_Barrier(communicator);
    const double start = MPI_Wtime();
    plan.forward(in.data(), out.data());
    row.seconds.push_back(largest(MPI_Wtime() - start, communicator));
  }
  row.workspace_bytes = largest(static_cast<double>(plan.workspace_bytes()), communicator);
  row.sent_bytes = largest(static_cast<double>(plan.sent().bytes), communicator);
  row.messages = largest(plan.sent().messages, communicator);
}

Row measure(const Arguments& arguments, const std::string& method, MPI_Comm communicator) {
  Row row;
  row.method = method;
  MPI_Comm_size(communicator, &row.ranks);
  const double elements = arguments.megabytes * 1e6 / sizeof(Element) * row.ranks;
  row.side = std::max<Index>(row.ranks, std::llround(std::sqrt(elements)));
  try {
    transpose(arguments, communicator, row);
  } catch (const Error& error) {
    if (!row.seconds.empty()) throw;
    row.impossible = error.what();  // planning fails on all ranks or on none
  }
  return row;
}

/// Powers of two below the number of ranks, and that number.
std::vector<int> rank_counts(int ranks) {
  std::vector<int> counts;
  for (int count = 2; count < ranks; count *= 2) counts.push_back(count);
  counts.push_back(ranks);
  return counts;
}

std::string table(const std::vector<Row>& rows) {
  std::string text =
      fmt::format("  {:<12}{:>6}{:>10}{:>12}{:>12}{:>9}{:>10}{:>12}{:>12}\n", "method", "ranks",
                  "set-up", "transpose", "fastest", "GB/s", "messages", "workspace", "resident");
  for (const Row& row : rows) {
    if (!row.impossible.empty()) {
      text += fmt::format("  {:<12}{:>6}  not here: {}\n", row.method, row.ranks, row.impossible);
      continue;
    }
    text += fmt::format(
        "  {:<12}{:>6}{:>7.0f} ms{:>9.1f} ms{:>9.1f} ms{:>9.1f}{:>10.0f}{:>9.0f} MB{:>9.0f} MB\n",
        row.method, row.ranks, row.setup_seconds * 1e3, row.median() * 1e3,
        std::ranges::min(row.seconds) * 1e3, row.share_bytes() / row.median() * 1e-9, row.messages,
        row.workspace_bytes * 1e-6, row.resident_bytes * 1e-6);
  }
  return text;
}

nlohmann::ordered_json to_json(const std::vector<Row>& rows, double init_seconds,
                               double init_bytes) {
  auto list = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    nlohmann::ordered_json one = {
        {"exchange", row.method}, {"ranks", row.ranks}, {"side", row.side}};
    if (!row.impossible.empty()) {
      one["reason"] = row.impossible;
    } else {
      one["setup_seconds"] = row.setup_seconds;
      one["seconds"] = {{"median", row.median()},
                        {"min", std::ranges::min(row.seconds)},
                        {"samples", row.seconds}};
      one["sent_bytes"] = row.sent_bytes;
      one["messages"] = row.messages;
      one["workspace_bytes"] = row.workspace_bytes;
      one["resident_bytes"] = row.resident_bytes;
    }
    list.push_back(std::move(one));
  }
  return {{"mpi_init_seconds", init_seconds}, {"mpi_init_bytes", init_bytes}, {"rows", list}};
}

void run(const Arguments& arguments, MPI_Comm communicator) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &ranks);
  if (ranks < 2) throw Error("exchange: one rank has nobody to exchange with; start at least two");
  std::optional<TemporaryFile> json;
  if (!arguments.json.empty()) json.emplace(communicator, arguments.json, 0);
  const std::vector<std::string> methods =
      arguments.methods.empty() ? exchange_names() : arguments.methods;
  const double init_seconds = largest(startup().seconds, communicator);
  const double init_bytes = largest(static_cast<double>(startup().bytes), communicator);
  std::vector<Row> rows;
  {
    const auto counts = rank_counts(ranks);
    Progress progress("measuring", std::ssize(methods) * std::ssize(counts),
                      rank == 0 && on_terminal());
    for (const int count : counts) {
      MPI_Comm part = MPI_COMM_NULL;
      MPI_Comm_split(communicator, rank < count ? 0 : MPI_UNDEFINED, rank, &part);
      for (const std::string& method : methods) {
        if (part != MPI_COMM_NULL) rows.push_back(measure(arguments, method, part));
        progress.advance();
      }
      if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
      // Ranks without a part wait here, and those of some MPIs keep a core busy with it.
      MPI_Barrier(communicator);
    }
  }
  // Rank 0 takes part in every row; what nothing can do is a mistake of the caller's.
  agree_on(communicator, [&] {
    if (rank == 0 && std::ranges::none_of(rows, &std::string::empty, &Row::impossible))
      throw Error(rows.front().impossible);
  });
  if (rank == 0)
    fmt::print(
        "weft exchange: transposes of a real matrix, {:g} MB per rank\n"
        "  MPI_Init took {:.0f} ms and {:.0f} MB per rank\n\n{}\n",
        arguments.megabytes, init_seconds * 1e3, init_bytes * 1e-6, table(rows));
  if (json) json->publish_text(to_json(rows, init_seconds, init_bytes).dump(2) + "\n");
}

}  // namespace

void add_exchange(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand(
      "exchange",
      "Measure the exchange methods alone: transposes of a matrix spread over 2, 4, ... all\n"
      "ranks, with the same share on each.");
  command
      ->add_option("MEGABYTES", arguments->megabytes, "Of the matrix on each rank, in 10^6 bytes")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--exchange", arguments->methods, "The methods to run (default: every one)")
      ->check(CLI::IsMember(exchange_names()))
      ->delimiter(',');
  command->add_option("--transposes", arguments->transposes, "How many transposes count")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--options", arguments->options,
                      "Further options of the library, \"ranks_per_node=2\" say");
  command->add_option("--json", arguments->json, "Write all figures to this file, too");
  command->footer(
      "GB/s are bytes of a rank's share and second. \"workspace\" is what the method asks for, "
      "\"resident\"\n"
      "by how much the process grew beyond the matrix and its transpose, memory of MPI "
      "included.\n\n"
      "Example: four ranks as two nodes\n"
      "  mpiexec -n 4 weft exchange 32 --options ranks_per_node=2\n");
  command->callback([arguments, &chosen] {
    chosen = [arguments](MPI_Comm communicator) { run(*arguments, communicator); };
  });
}

}  // namespace weft::command
