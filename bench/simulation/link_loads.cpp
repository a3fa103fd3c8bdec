// Asks SimGrid for the route of each pair of ranks that exchange something: correct for any
// platform, at the cost of a search for every pair.
#include "link_loads.hpp"

#include <algorithm>
#include <simgrid/s4u.hpp>

namespace weft::simulation {

void LinkLoads::add(int rank, const Layout& from, const Layout& to, Index element_bytes,
                    const std::vector<const simgrid::s4u::Host*>& hosts) {
  const Box own = from.box(rank);
  const simgrid::s4u::Host* const host = hosts[static_cast<std::size_t>(rank)];
  for (int other = 0; other < to.ranks(); ++other) {
    const simgrid::s4u::Host* const target = hosts[static_cast<std::size_t>(other)];
    const Index elements = target == host ? 0 : intersect(own, to.box(other)).volume();
    if (elements == 0) continue;
    std::vector<simgrid::s4u::Link*> links;
    double latency = 0;
    host->route_to(target, links, &latency);
    longest_latency_ = std::max(longest_latency_, latency);
    for (const simgrid::s4u::Link* link : links)
      bytes_[link] += static_cast<double>(elements * element_bytes);
  }
}

double LinkLoads::bound() const {
  double seconds = 0;
  for (const auto& [link, bytes] : bytes_)
    seconds = std::max(seconds, bytes / link->get_bandwidth());
  return seconds;
}

}  // namespace weft::simulation
