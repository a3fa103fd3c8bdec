// Plans on simulated ranks: each transforms an array, compares the result with the exact spectrum,
// and prints what it took as a line of JSON, and what Weft's model says of it. Computation takes no
// simulated time, so a transform lasts as long as its exchanges.
// Arguments: "simulate" and how often to transform, or "model" and of how many ranks only the model
// is asked; the order of the ranks, "own" or "placed"; an exchange method, or "all" for a plan with
// each; then the other settings of the plan, as Request::parse reads them.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mpi.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>
#include <weft/weft.hpp>

#include "job/job_network.hpp"
#include "link_loads.hpp"
#include "machine/clock.hpp"
#include "modelled.hpp"
#include "mpi/communicator.hpp"
#include "separable_array.hpp"

namespace weft::simulation {
namespace {

/// Of the whole process, which is one thread: the wall time of a machine that does nothing else.
double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

Clock::time_point simulated_now() {
  return Clock::time_point(std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(simgrid::s4u::Engine::get_clock())));
}

/// What all ranks share: they are threads of one process that take turns, one at a time.
struct Shared {
  std::unique_ptr<const SeparableArray> array;
  std::vector<const simgrid::s4u::Host*> hosts;  // by rank
  std::vector<LinkLoads> loads;                  // by exchange
};

Shared& shared() {
  static Shared shared;
  return shared;
}

struct Times {
  double simulated = 0;
  double processor = 0;
};

/// Of a step that all ranks begin at the same simulated time, until the last has ended it.
Times time_together(const std::function<void()>& step) {
  constexpr double rest = 1e-3;  // until the messages of the reduction have been received
  const double begin = largest(MPI_COMM_WORLD, MPI_Wtime()) + rest;
  const double processor_begin = processor_seconds();
  simgrid::s4u::this_actor::sleep_until(begin);
  step();
  const double end = largest(MPI_COMM_WORLD, MPI_Wtime());
  return {end - begin, processor_seconds() - processor_begin};
}

/// What the exchanges of forward have to send. Collective.
void find_link_loads(const Plan& plan) {
  const auto passes = plan.passes();
  shared().hosts.resize(static_cast<std::size_t>(plan.input_layout().ranks()));
  shared().hosts[static_cast<std::size_t>(plan.rank())] = simgrid::s4u::this_actor::get_host();
  shared().loads.assign(passes.size() - 1, {});
  MPI_Barrier(MPI_COMM_WORLD);
  for (std::size_t e = 0; e + 1 < passes.size(); ++e)
    shared().loads[e].add(plan.rank(), passes[e].after, passes[e + 1].before, sizeof(Number),
                          shared().hosts);
  MPI_Barrier(MPI_COMM_WORLD);
}

double relative_error(const Plan& plan, const std::vector<Number>& spectrum) {
  const auto own = shared().array->compare(plan.output_layout(), plan.rank(), spectrum.data());
  double sums[] = {own.error, own.spectrum};
  plan.sum_over_ranks(sums);
  return std::sqrt(sums[0] / sums[1]);
}

/// Collective. What the model says of a plan, on rank 0.
nlohmann::json ask_model(const Plan& plan, const Request& request, MPI_Comm communicator) {
  const Job job = join_job(communicator, request.options.ranks_per_node);
  const std::optional<JobNetwork> network = find_network(job);
  if (plan.rank() != 0) return nlohmann::json::object();
  const RouteRequest planned{request.transform, plan.options(), {}, {}};
  return modelled(make_routes(planned, job.topology, job.caches).forward, network);
}

void print(const nlohmann::json& line) { std::cout << line.dump() << std::endl; }

/// Collective. What one plan took, on rank 0.
nlohmann::json measure(int times, const Request& request, MPI_Comm communicator) {
  std::unique_ptr<Plan> plan;
  const Times planning = time_together(
      [&] { plan = std::make_unique<Plan>(communicator, request.transform, request.options); });
  find_link_loads(*plan);

  std::vector<Number> in(static_cast<std::size_t>(plan->input_size()));
  std::vector<Number> out(static_cast<std::size_t>(plan->output_size()));
  // Of zeros first, so that no buffer holds the result before it has arrived.
  for (int time = 1; time < times; ++time) plan->forward(in, out);
  shared().array->fill(plan->input_layout(), plan->rank(), in.data());
  const Times transform = time_together([&] { plan->forward(in, out); });

  double bound = 0, latency = 0;
  if (plan->rank() == 0)
    for (const LinkLoads& loads : shared().loads) {
      bound += loads.bound();
      latency += loads.longest_latency();
    }
  nlohmann::json line{{"exchanges", fmt::format("{}", fmt::join(plan->exchanges(), "/"))},
                      {"grid", plan->input_layout().process_grid()},
                      {"simulated_seconds", transform.simulated},
                      {"bound_seconds", bound},
                      {"latency_seconds", latency},
                      {"error", relative_error(*plan, out)},
                      {"processor_seconds", transform.processor},
                      {"planning_processor_seconds", planning.processor},
                      {"bytes", plan->sent().bytes},
                      {"messages", plan->sent().messages}};
  line.update(ask_model(*plan, request, communicator));
  plan->close();
  return line;
}

/// One plan, or one for each method that works for this request.
void run(int times, bool placed, const std::string& exchange, Request request) {
  // Not MPI_COMM_WORLD itself: in SMPI its attributes, which plans use, are those of all ranks.
  const Communicator own = Communicator::duplicate(MPI_COMM_WORLD);
  const MPI_Comm communicator = placed ? place(own.get(), request.options.grid) : own.get();
  if (!shared().array) shared().array = std::make_unique<SeparableArray>(request.transform.shape);
  const bool all = exchange == "all";
  for (const std::string& name : all ? all_exchange_names() : std::vector<std::string>{exchange}) {
    request.options.exchange = name;
    nlohmann::json line;
    try {
      line = measure(times, request, communicator);
    } catch (const Error& error) {
      if (!all) throw;
      line = {{"exchanges", name}, {"refused", error.what()}};
    }
    int rank = 0;
    MPI_Comm_rank(communicator, &rank);
    if (rank == 0) print(line);
  }
}

void run(const std::vector<std::string>& words) {
  std::string settings;
  for (std::size_t word = 4; word < words.size(); ++word) settings += " " + words[word];
  Request request = Request::parse(settings);
  const bool placed = words[2] == "placed";
  if (words[0] == "simulate") return run(std::stoi(words[1]), placed, words[3], request);
  request.options.exchange = words[3];
  print(modelled_job(request, std::stoi(words[1]), placed));
}

}  // namespace
}  // namespace weft::simulation

int main(int count, char** words) {
  MPI_Init(&count, &words);
  weft::use_clock(weft::simulation::simulated_now);
  try {
    weft::simulation::run({words + 1, words + count});
  } catch (const std::exception& error) {
    std::cerr << "simulation: " << error.what() << std::endl;
    std::_Exit(1);  // and with it all ranks
  }
  // MPI_Finalize closes what the plans of its process have left open, and all ranks are in one
  // process.
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
