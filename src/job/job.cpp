// All that the ranks have to agree on before planning, by a few small collectives.
#include "job/job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "call/array_checks.hpp"
#include "layout/layout_text.hpp"
#include "machine/instruction_set.hpp"
#include "mpi/launcher.hpp"
#include "plan/describe.hpp"

namespace weft {

namespace {

/// The text in rank 0's environment. Collective.
std::string text_from_environment(const Communicator& communicator, const char* name) {
  const char* const own = std::getenv(name);
  return broadcast_text(communicator.get(), own != nullptr ? own : "");
}

/// Options with one option set by its own variable in rank 0's environment. Collective even if a
/// rank does not need it, because ranks may have been given different options. Throws on all ranks
/// if the variable has no value of the option.
Options option_from_environment(const Communicator& communicator, const char* name,
                                const char* key) {
  const std::string text = text_from_environment(communicator, name);
  Options options;
  if (text.empty()) return options;
  agree(communicator, [&] {
    try {
      options = Options::parse(fmt::format("{}={}", key, text));
    } catch (const Error& error) {
      throw Error(fmt::format("{}=\"{}\": {}", name, text, error.what()));
    }
  });
  return options;
}

Caches smallest_caches(const Communicator& communicator) {
  Caches caches;
  agree(communicator, [&] { caches = machine_caches(); });
  std::array<std::uint64_t, 3> levels{caches.level1, caches.level2, caches.level3};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, levels.data(), static_cast<int>(levels.size()),
                          MPI_UINT64_T, MPI_MIN, communicator.get()),
            "MPI_Allreduce");
  return {levels[0], levels[1], levels[2]};
}

}  // namespace

Job join_job(MPI_Comm communicator, int ranks_per_node) {
  Job job;
  job.communicator = Communicator::duplicate(communicator);
  warn_of_foreign_launcher();
  job.node = job.communicator.split_by_node();
  // All ranks split, whatever options they were given: differences are reported later.
  const int rank = job.node.rank();
  const Options pretended =
      option_from_environment(job.communicator, "WEFT_RANKS_PER_NODE", "ranks_per_node");
  if (ranks_per_node == 0) ranks_per_node = pretended.ranks_per_node;
  job.node = job.node.split(ranks_per_node > 0 ? rank / ranks_per_node : 0, rank);
  job.topology = Topology(find_nodes(job.communicator, job.node));
  job.verify = option_from_environment(job.communicator, "WEFT_VERIFY", "verify").verify;
  job.check_calls =
      option_from_environment(job.communicator, "WEFT_CHECK", "check_calls").check_calls;
  const std::string instructions = text_from_environment(job.communicator, "WEFT_INSTRUCTIONS");
  agree(job.communicator, [&] { limit_instruction_set(instructions); });
  job.caches = smallest_caches(job.communicator);
  return job;
}

Options completed_by_environment(const Job& job, const Options& options,
                                 const Transform& transform) {
  const std::string text = text_from_environment(job.communicator, "WEFT_OPTIONS");
  if (text.empty()) return options;
  Options completed;
  agree(job.communicator, [&] {
    try {
      Options environment = Options::parse(text);
      if (environment.ranks_per_node != 0)
        throw Error("ranks_per_node has a variable of its own, WEFT_RANKS_PER_NODE");
      if (transform.element_bytes > 0) {
        environment.verify = false;
        environment.wire = Wire::exact;
        environment.wire_error = 0;
      }
      completed = options.completed_by(environment);
    } catch (const Error& error) {
      throw Error(fmt::format("WEFT_OPTIONS=\"{}\": {}", text, error.what()));
    }
  });
  return completed;
}

Routes check_request(const Job& job, const RouteRequest& request) {
  Routes routes;
  // An error on one rank is more informative than the message that it differs from the others.
  agree(job.communicator, [&] {
    routes = make_routes(request, job.topology, job.caches);
    check_strides("input", routes.input, job.communicator.rank());
    check_strides("output", routes.output, job.communicator.rank());
  });
  const Transform& transform = request.transform;
  std::vector<std::string> kinds;
  for (Kind kind : transform.kinds) kinds.push_back(to_string(kind));
  require_same(job.communicator, {{"shape", to_string(transform.shape)},
                                  {"kinds", fmt::format("{}", fmt::join(kinds, " "))},
                                  {"bytes", std::to_string(transform.element_bytes)},
                                  {"precision", to_string(transform.precision)},
                                  {"scale", to_string(transform.scale)},
                                  {"modes", modes_text(transform)},
                                  {"options", to_string(request.options)},
                                  {"input layout", layout_text(request.input)},
                                  {"output layout", layout_text(request.output)}});
  return routes;
}

}  // namespace weft
