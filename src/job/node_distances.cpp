// One partner at a time, so that no two messages meet at a node.
#include "job/node_distances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "exchange/peer_orders.hpp"
#include "machine/clock.hpp"

namespace weft {
namespace {

constexpr int most_nodes = 1024;
constexpr int round_trips = 12;
constexpr int tag = 1;

/// Seconds one way, on the rank that is `first`.
double distance_to(int partner, bool first, MPI_Comm leaders) {
  char byte = 0;
  const auto send = [&] {
    check_mpi(MPI_Send(&byte, 1, MPI_CHAR, partner, tag, leaders), "MPI_Send");
  };
  const auto receive = [&] {
    check_mpi(MPI_Recv(&byte, 1, MPI_CHAR, partner, tag, leaders, MPI_STATUS_IGNORE), "MPI_Recv");
  };
  double shortest = std::numeric_limits<double>::infinity();
  for (int trip = 0; trip < round_trips; ++trip) {
    const Clock::time_point begin = Clock::now();
    first ? send() : receive();
    first ? receive() : send();
    shortest = std::min(shortest, seconds_between(begin, Clock::now()) / 2);
  }
  return shortest;
}

}  // namespace

std::vector<double> node_distances(const Job& job) {
  agree(job.communicator, [&] {
    if (job.topology.nodes() > most_nodes)
      throw Error(fmt::format("network: leaves of {} nodes cannot be measured; valid are up to {}",
                              job.topology.nodes(), most_nodes));
  });
  const bool leads = job.node.rank() == 0;
  const Communicator leaders = job.communicator.split(leads ? 0 : 1, job.communicator.rank());
  if (!leads) return {};
  const int nodes = leaders.size(), own = leaders.rank();
  std::vector<double> row(static_cast<std::size_t>(nodes)), all;
  for (const PeerStep& step : pairwise_order(own, nodes))
    if (const int partner = step.send_to; partner >= 0) {
      const double distance = distance_to(partner, own < partner, leaders.get());
      if (own < partner) row[partner] = distance;
    }
  if (own == 0) all.resize(row.size() * row.size());
  check_mpi(
      MPI_Gather(row.data(), nodes, MPI_DOUBLE, all.data(), nodes, MPI_DOUBLE, 0, leaders.get()),
      "MPI_Gather");
  for (std::size_t pair = 0; pair < all.size(); ++pair)  // both halves alike
    all[pair] = std::max(all[pair], all[pair % row.size() * row.size() + pair / row.size()]);
  return all;
}

}  // namespace weft
