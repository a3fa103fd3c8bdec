// How long exchanges take at least on a simulated network: on each link, the bytes that have to
// cross it, on the routes that SimGrid takes, over its bandwidth.
#pragma once

#include <map>
#include <vector>
#include <weft/layout.hpp>

namespace simgrid::s4u {
class Host;
class Link;
}  // namespace simgrid::s4u

namespace weft::simulation {

/// The network's share of one exchange, gathered rank by rank.
class LinkLoads {
 public:
  /// Adds what that rank has to send when elements of some bytes go from one layout to the other;
  /// `hosts` has that of each rank. Ranks of one host send nothing to each other.
  void add(int rank, const Layout& from, const Layout& to, Index element_bytes,
           const std::vector<const simgrid::s4u::Host*>& hosts);

  /// Seconds that the busiest link needs.
  double bound() const;
  /// Seconds from the first to the last link of the longest route that was added.
  double longest_latency() const { return longest_latency_; }

 private:
  std::map<const simgrid::s4u::Link*, double> bytes_;
  double longest_latency_ = 0;
};

}  // namespace weft::simulation
