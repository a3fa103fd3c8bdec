// A network between nodes: its kind, its size and where its links are, read from a line of text.
// All links have the same bandwidth; wider ones are several in parallel.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>
#include <weft/axes.hpp>

#include "network/routing.hpp"

namespace weft {

/// What is known of every link and every message; 0: not known.
struct NetworkCosts {
  double bandwidth = 0;  ///< of a link, one way, bytes per second
  double latency = 0;    ///< seconds that a message takes for each link
  double message = 0;    ///< seconds for which each message keeps its sender
  /// Whether they say how long an exchange takes.
  bool are_complete() const { return bandwidth > 0 && latency > 0; }
};

/// A value: places for nodes, numbered from 0, and the links between them. Besides those, each node
/// has a link of its own into the network and one out of it, unless it is a router of a torus.
class Network {
 public:
  /// Nodes whose own links are the only ones that fill up: a switch that is large enough.
  static Network crossbar(Index nodes);

  /// Parses "KIND:SHAPE", then settings, separated by blanks:
  ///   torus:8x8x8 [hosts=N]                the first dimension is the fastest. Each node is a
  ///                                        router; or N > 1 nodes share one
  ///   fattree:LEAF_HOSTSxLEAVES[:TAPER]    LEAF_HOSTS nodes on each leaf switch, which has
  ///                                        LEAF_HOSTS / TAPER (1) links up, each to another spine
  ///   leaves=measured                      of a fat tree: see leaves_are_measured
  ///   dragonfly:GROUPSxROUTERSxHOSTS       in each group ROUTERS routers, each with HOSTS nodes
  ///   crossbar:HOSTS                       only the nodes' own links fill up
  ///   bandwidth=BYTES_PER_SECOND           and latency=SECONDS, of a link; message=SECONDS, of the
  ///                                        sender of a message: NetworkCosts, for every kind
  /// Throws an Error that names the part that is wrong and what is valid.
  static Network parse(const std::string& text);

  /// The text it was made from, without superfluous blanks.
  const std::string& text() const { return text_; }
  /// The number of places for nodes.
  Index places() const;
  /// A place as digits, the fastest first: their counts. Nodes that differ only in the first digits
  /// are near each other.
  const std::vector<int>& extents() const { return extents_; }
  /// Whether nodes are on leaf switches.
  bool has_leaves() const { return uplinks_ > 0; }
  /// Whether the nodes of a leaf are to be found by how near they are to each other.
  bool leaves_are_measured() const { return leaves_are_measured_; }
  const NetworkCosts& costs() const { return costs_; }
  /// Throws an Error if there are more nodes than places.
  void require_places(Index nodes) const;

  std::unique_ptr<const Routing> routing(Detail detail) const {
    return make_routing_(*this, detail);
  }

 private:
  using MakeRouting = std::unique_ptr<const Routing> (*)(const Network&, Detail);
  struct Kind;
  static const std::vector<Kind>& kinds();
  void set(const std::string& setting);

  std::string text_;
  std::vector<int> extents_;
  int uplinks_ = 0;  // of a leaf
  bool leaves_are_measured_ = false;
  NetworkCosts costs_;
  MakeRouting make_routing_ = nullptr;
};

/// What a file says of a network: its description in the first line, and on the others, where there
/// are any, the name of a host and its place. "#" begins a comment.
struct NetworkFile {
  Network network;
  std::map<std::string, int> place_of_host;
};

/// Throws an Error that names the line that is wrong.
NetworkFile parse_network_file(const std::string& content);

/// The content of what WEFT_NETWORK names: the text itself, or that of a file if it has a "/".
/// Throws an Error where that cannot be read.
std::string network_text(const std::string& value);

/// A network, and the nodes of a job in it.
struct JobNetwork {
  Network network;
  std::vector<int> place;  ///< of each rank's node
  Index nodes = 0;
};

/// The place of each node on a tree, whose leaf is known by any name: nodes of one leaf, in their
/// order, fill it, and leaves are numbered as they first appear. Throws an Error where the network
/// has fewer leaves or a leaf fewer places.
std::vector<int> places_on_leaves(const Network& network, const std::vector<std::size_t>& leaf);

/// The leaf of each node, by any name, from the distances between all nodes, row by row: the nodes
/// of a leaf are near each other, and all others are farther. Nodes in their order fill the leaves
/// where distances do not fall into two such classes for every two nodes, or there would be more or
/// larger leaves than the network has.
std::vector<std::size_t> leaves_by_distance(const Network& network,
                                            const std::vector<double>& distances);

/// The switches above a node as Slurm's plugin topology/tree names them, without the node: what
/// SLURM_TOPOLOGY_ADDR ("core.leaf3.node17") begins with, where SLURM_TOPOLOGY_ADDR_PATTERN has
/// "switch" ("switch.switch.node"). Empty where they say nothing of switches.
std::string leaf_in_address(const std::string& address, const std::string& pattern);

}  // namespace weft
