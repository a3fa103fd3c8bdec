// `weft describe`: the route of any job size, computed on one rank without starting the others.
#include <fmt/core.h>

#include <memory>
#include <string>
#include <weft/plan.hpp>

#include "command.hpp"
#include "plan_arguments.hpp"
#include "ranks.hpp"

namespace weft::command {
namespace {

struct Arguments {
  std::string shape;
  int ranks = 0;
  int ranks_per_node = 0;
  PlanArguments plan;
};

/// Every rank computes it, though one prints, so that a mistake is an error on all.
void run(const Arguments& arguments, MPI_Comm communicator) {
  const Transform transform = transform_of(arguments.plan, parse_shape(arguments.shape));
  const std::string text = describe(transform, options_of(arguments.plan),
                                    arguments.ranks > 0 ? arguments.ranks : ranks_in(communicator),
                                    arguments.ranks_per_node);
  if (rank_in(communicator) == 0) fmt::print("{}{}", text, text.ends_with('\n') ? "" : "\n");
}

}  // namespace

void add_describe(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App& command = add_subcommand(
      program, chosen, "describe",
      "Print how a transform would run on any number of ranks, without starting them:\n"
      "passes, exchanges, process grids, bytes and messages, buffers and memory.",
      arguments, run);
  add_shape(command, arguments->shape);
  add_positive(command, "--ranks,-n", arguments->ranks,
               "Ranks of the job (default: those it was started on)");
  command
      .add_option("--ranks-per-node", arguments->ranks_per_node,
                  "Ranks that share a node (default: $WEFT_RANKS_PER_NODE, else all of them)")
      ->envname("WEFT_RANKS_PER_NODE")
      ->check(CLI::NonNegativeNumber);
  add_plan_options(command, arguments->plan);
  command.footer(
      "Example: a real array on 64 nodes with 32 ranks each\n"
      "  weft describe 2048x2048x2048 --kind r2c --ranks 2048 --ranks-per-node 32\n");
}

}  // namespace weft::command
