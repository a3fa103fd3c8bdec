// This rank waits in the exchanges of a call, and in steps in which all ranks block in MPI
// together. A rank that waits long says so, and for what.
#include "session/calls.hpp"

#include "machine/retries.hpp"
#include "machine/until.hpp"

namespace weft {
namespace {

constexpr int eager_tries = 100;
constexpr int tries_before_check = 1000;

}  // namespace

Calls::Calls(Resources& resources, const Options& options, const Flights& flights,
             Progress& progress)
    : CallPolicy(resources.job().communicator, options, resources.job().check_calls,
                 resources.watch(), [this](const Wait& wait) { return stall_text(wait); }),
      resources_(resources),
      flights_(flights),
      progress_(progress) {}

/// Waits until all ranks are in that call, before they block in MPI together: a rank that is in
/// another call would never come.
void Calls::meet(std::uint64_t number, const std::string& step) {
  const WatchedStep waiting(stalls(), step);
  MPI_Request all_are_here = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(communicator().get(), &all_are_here), "MPI_Ibarrier");
  until([&] {
    int done = 0;
    check_mpi(MPI_Test(&all_are_here, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done) return true;
    check(number);
    advance_others();
    return false;
  });
}

void Calls::together(std::uint64_t number, const std::string& step,
                     const std::function<void()>& work) {
  meet(number, step);
  const WatchedStep waiting(stalls(), step);
  try {
    work();
  } catch (const Error& error) {
    throw SharedError(error.what(), error.cause());
  }
}

void Calls::agree(const std::function<void()>& work) {
  require_before_finalize();
  const WatchedStep waiting(stalls(), "agree on the arguments of a call");
  resources_.agree(work);
}

void Calls::refuse(const Error& mistake) {
  call([] { return "a call with a mistake"; }, [&] { throw mistake; }, [] {});
}

void Calls::sum_over_ranks(std::span<double> values) {
  require_before_finalize();
  const WatchedStep waiting(stalls(), "add up over the ranks");
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE,
                          MPI_SUM, communicator().get()),
            "MPI_Allreduce");
}

/// It waits by retrying, so that all messages in flight progress meanwhile, and soon lets other
/// ranks run between its tries. Ranks that made another call sent something else: then the result
/// is wrong.
void Calls::wait_for(Run& run, std::uint64_t number) {
  const bool several_nodes = resources_.job().topology.nodes() > 1;
  const Run::Awaited awaited(run, stalls());
  for (Retries tries(eager_tries); !run.advance();) {
    advance_others();
    tries.pause();
    if (tries.pauses() % tries_before_check != 0) continue;
    check(number);
    if (several_nodes) answer_peers();
  }
  check(number);
  if (!run.failure().empty()) throw SharedError(run.failure(), Error::Cause::data);
}

/// What this rank waits for, and where the others of its node are.
std::string Calls::stall_text(const Wait& wait) const {
  const int rank = communicator().rank();
  const std::string place = fmt::format("rank {} (host {}) still waits in {}", rank, host_name(),
                                        resources_.watch().text());
  const std::string others =
      resources_.watch().text_of_others(resources_.job().topology.mates_of(rank));
  if (wait.program == nullptr) return fmt::format("{} to {}{}", place, wait.step, others);
  const Action& action = wait.action;
  const Route& route = wait.program->route();
  const Geometry& geometry = route.exchanges[action.stage];
  std::string peers;
  for (const int peer : geometry.group_of(rank))
    if (peer != rank) peers += fmt::format("{}{}", peers.empty() ? "" : ", ", peer);
  constexpr std::size_t longest = 60;
  if (peers.size() > longest) peers = peers.substr(0, peers.rfind(',', longest)) + ", ...";
  const bool sends = action.verb == Action::Verb::acquire || action.verb == Action::Verb::start;
  return fmt::format("{}, exchange {} ({}), {} chunk {}, with ranks {}{}", place, action.stage,
                     route.methods[action.stage]->name, sends ? "sending" : "receiving",
                     sends ? action.k : action.j, peers, others);
}

void Calls::advance_others() const {
  flights_.advance();
  progress_.test();
}

/// While this rank waits for flags in shared memory it makes no MPI calls, and with MPICH over UCX
/// a peer's flush may block until its target makes one. So it probes.
void Calls::answer_peers() const {
  const auto lock = progress_.exclusive();
  int arrived = 0;
  check_mpi(
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator().get(), &arrived, MPI_STATUS_IGNORE),
      "MPI_Iprobe");
}

}  // namespace weft
