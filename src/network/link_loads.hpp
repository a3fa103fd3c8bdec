// Bytes through the links of a network while groups of ranks exchange all with all, and the link
// that carries the most: no exchange can end before that link has carried them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "network/network.hpp"

namespace weft {

/// A member of a group: where its node is, the bytes that it has, and a weight: of those that the
/// group has, the share that it will hold is its weight by the sum of all.
struct Member {
  int place;
  double bytes;
  double weight;
  friend bool operator==(const Member&, const Member&) = default;
};

/// The busiest link: bytes through it, by its width, and its name.
struct BusiestLink {
  double bytes = 0;
  std::string name;
};

class LinkLoads {
 public:
  LinkLoads(const Network& network, Detail detail);

  /// An exchange within a group, at the same time as those of the groups added before. Each member
  /// sends a part of its bytes to each, itself included, by weight. What goes to members on the
  /// same node takes no link. Groups on the same nodes in a row cost little more than one.
  void add(const std::vector<Member>& group);
  BusiestLink busiest();
  /// Links that a byte takes, on average; about, where links are bundled. Known after `busiest`.
  double mean_route() const;

 private:
  /// Sums by class. `at` has an entry for each class, all 0 but those of `present`.
  struct ClassSums {
    std::vector<double> at;
    std::vector<Index> present;
    void add(Index name, double value);
    void clear();
  };
  /// Around each enclosure of one kind.
  struct Around {
    std::vector<double> out, in;
  };

  void settle();
  void add_around(std::size_t kind, double bytes, double weight);
  void add_leg(int leg, double weight);
  void add_flow(int leg, Index source, Index target, double bytes);

  std::unique_ptr<const Routing> routing_;
  std::vector<double> links_;
  std::vector<Around> around_;
  /// Of each leg, bytes by source and target: what many groups have in common takes its links once.
  /// Empty where there are too many classes.
  std::vector<std::vector<double>> flows_;
  ClassSums sources_, targets_;
  std::vector<Index> taken_;
  std::vector<Member> waiting_;  // the last group, by node
  double times_ = 0;             // how often it was added
  std::vector<int> member_of_;   // of each place, its number in the group being merged, or -1
};

/// Every link up to a size of job and network at which that takes milliseconds, bundles beyond.
inline Detail detail_for(const Network& network, Index nodes, Index ranks) {
  constexpr Index most_places = 65536, most_nodes = 4096, most_ranks = 65536;
  return network.places() <= most_places && nodes <= most_nodes && ranks <= most_ranks
             ? Detail::links
             : Detail::bundles;
}

}  // namespace weft
