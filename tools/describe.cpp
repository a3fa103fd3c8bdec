// `weft describe`: the route of any job size, computed on one rank without starting the others.
#include "plan/describe.hpp"

#include <fmt/core.h>

#include <string>
#include <weft/plan.hpp>

#include "command.hpp"
#include "plan_arguments.hpp"
#include "ranks.hpp"
#include "report/route_picture.hpp"
#include "temporary_file.hpp"
#include "tune/network_text.hpp"

namespace weft::command {
namespace {

struct Arguments {
  std::string shape;
  int ranks = 0;
  int ranks_per_node = 0;
  PlanArguments plan;
  std::string picture;
  std::string network;
  bool placement = false;
};

std::string picture_of(const RouteRequest& request, const Topology& topology) {
  const Route route = make_routes(request, topology, machine_caches()).forward;
  std::vector<Plan::Pass> passes;
  for (const Stage& stage : route.stages)
    passes.push_back({steps_text(stage), stage.from, stage.to});
  std::vector<std::string> exchanges;
  for (const ExchangeMethod* method : route.methods) exchanges.push_back(method->name);
  return report::route_picture(passes, exchanges);
}

/// The loads of the network's links. Without a network, `--placement` knows only nodes.
std::string network_part(const RouteRequest& request, const Topology& topology,
                         const Arguments& arguments) {
  std::string text;
  if (arguments.network.empty() && !arguments.placement) return text;
  const Network network = arguments.network.empty()
                              ? Network::crossbar(topology.nodes())
                              : parse_network_file(network_text(arguments.network)).network;
  const JobNetwork job = in_order(network, topology);
  if (!arguments.network.empty()) text += describe_network(request, topology, job);
  if (arguments.placement) text += describe_placement(request, topology, job);
  return text;
}

/// Every rank computes the text, though one prints it, so that a mistake is an error on all.
void run(const Arguments& arguments, MPI_Comm communicator) {
  const Transform transform = transform_of(arguments.plan, parse_shape(arguments.shape));
  const Options options = options_of(arguments.plan);
  const int ranks = arguments.ranks > 0 ? arguments.ranks : ranks_in(communicator);
  TemporaryFile picture(communicator, arguments.picture, 0);
  const Topology topology = Topology::uniform(ranks, arguments.ranks_per_node);
  const RouteRequest request{transform, options, {}, {}};
  const std::string text = describe(transform, options, ranks, arguments.ranks_per_node) +
                           network_part(request, topology, arguments);
  picture.publish_text(arguments.picture.empty() ? "" : picture_of(request, topology));
  if (rank_in(communicator) == 0) fmt::print("{}{}", text, text.ends_with('\n') ? "" : "\n");
}

}  // namespace

void add_describe(Command program, Action& chosen) {
  const auto [command, arguments] = add_subcommand<Arguments>(
      program, chosen, "describe",
      "Print how a transform would run on any number of ranks, without starting them:\n"
      "passes, exchanges, process grids, bytes and messages, buffers and memory.",
      run);
  add_shape(command, arguments->shape);
  command.add_positive("--ranks,-n", arguments->ranks,
                       "Ranks of the job (default: those it was started on)");
  command
      .add("--ranks-per-node", arguments->ranks_per_node,
           "Ranks that share a node (default: $WEFT_RANKS_PER_NODE, else all of them)")
      .from_environment("WEFT_RANKS_PER_NODE")
      .not_negative();
  command
      .add("--picture", arguments->picture,
           "File for a drawing of the boxes of all ranks before and after each exchange, as SVG")
      .names_file();
  command
      .add("--network", arguments->network,
           "Network between the nodes, torus:8x8x8 for example: adds what the exchanges of "
           "this and other grids put on its busiest link (default: $WEFT_NETWORK)")
      .from_environment("WEFT_NETWORK");
  command.add_flag("--placement", arguments->placement,
                   "Add the same for the orders of ranks in which weft::place could put them");
  add_plan_options(command, arguments->plan);
  command.footer(
      "Example: a real array on 64 nodes with 32 ranks each\n"
      "  weft describe 2048x2048x2048 --kind r2c --ranks 2048 --ranks-per-node 32\n");
}

}  // namespace weft::command
