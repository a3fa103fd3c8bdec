// Counts the bytes on the links of a network while groups of ranks exchange data all-to-all, and
// finds the busiest link. No exchange can end before that link has carried its bytes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "network/network.hpp"

namespace weft {

/// A member of a group: the place of its node, the bytes that it sends, and its weight. After the
/// exchange it holds the share weight / (sum of all weights) of the group's bytes.
struct Member {
  int place;
  double bytes;
  double weight;
  friend bool operator==(const Member&, const Member&) = default;
};

/// The busiest link: the bytes through it, divided by its width, and its name.
struct BusiestLink {
  double bytes = 0;
  std::string name;
};

class LinkLoads {
 public:
  LinkLoads(const Network& network, Detail detail);

  /// Adds an exchange within a group, which runs at the same time as the exchanges added before.
  /// Each member sends a part of its bytes to every member, itself included, in proportion to the
  /// weights. Bytes between members on the same node take no link. Consecutive groups on the same
  /// nodes cost little more than one.
  void add(const std::vector<Member>& group);
  BusiestLink busiest();
  /// The mean number of links that a byte takes; approximate if links are bundled. Known after
  /// `busiest`.
  double mean_route() const;

 private:
  /// Sums by class. `at` has an entry for each class; only the entries of the classes in `present`
  /// are not 0.
  struct ClassSums {
    std::vector<double> at;
    std::vector<Index> present;
    void add(Index name, double value);
    void clear();
  };
  /// Bytes out of and into each enclosure of one kind.
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
  /// For each leg, bytes by source and target class, so that equal flows of many groups are added
  /// to their links once. Empty if there are too many classes.
  std::vector<std::vector<double>> flows_;
  ClassSums sources_, targets_;
  std::vector<Index> taken_;
  std::vector<Member> waiting_;  // the last group, by node
  double times_ = 0;             // how often it was added
  std::vector<int> member_of_;   // of each place, its number in the group being merged, or -1
};

/// Counts every link if job and network are so small that this takes milliseconds; else counts
/// bundles.
inline Detail detail_for(const Network& network, Index nodes, Index ranks) {
  constexpr Index most_places = 65536, most_nodes = 4096, most_ranks = 65536;
  return network.places() <= most_places && nodes <= most_nodes && ranks <= most_ranks
             ? Detail::links
             : Detail::bundles;
}

}  // namespace weft
