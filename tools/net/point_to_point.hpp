// Messages between pairs of ranks: on one node or on two; one pair, or all at once.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "net/measurement.hpp"

namespace weft::net {

/// Pairs of ranks that work at the same time, while all others sleep.
struct Pairs {
  std::string where;         ///< "same node" or "between nodes"
  std::vector<int> members;  ///< partners next to each other
  int count() const { return static_cast<int>(members.size() / 2); }
  /// "same node, 2 pairs"
  std::string name() const { return where + ", " + counted(members.size() / 2, "pair"); }
};

/// The groups that exist: pairs on the first node with several ranks, and between the first two
/// nodes (rank i of one with rank i of the other); of each, only the first pair, and all pairs if
/// there are several.
std::vector<Pairs> pairs_of(const Job& job);

enum class Direction { one_way, both_ways };
const char* to_string(Direction direction);

/// The ends of the pairs and their memory. Collective over the job; only members send.
class PointToPoint {
 public:
  PointToPoint(const Job& job, const Pairs& pairs, Index bytes);
  ~PointToPoint();
  PointToPoint(const PointToPoint&) = delete;
  PointToPoint& operator=(const PointToPoint&) = delete;

  bool takes_part() const { return communicator_ != MPI_COMM_NULL; }
  MPI_Comm communicator() const { return communicator_; }
  /// One message there and one back; both ways: at the same time.
  void ping_pong(Index bytes, Direction direction);
  /// The given number of messages in flight, and a short answer; both ways: the partner's as well,
  /// without an answer.
  void window(Index bytes, int messages, Direction direction);

 private:
  void post(Index bytes, int messages, bool sending);

  MPI_Comm communicator_ = MPI_COMM_NULL;
  int rank_ = 0;
  int partner_ = 0;
  std::vector<char> sent_, received_;
  std::vector<MPI_Request> requests_;
};

/// One line of a table.
struct PairRow {
  Pairs pairs;
  Direction direction = Direction::one_way;
  Index bytes = 0;  ///< of a message
  int window = 1;
  int steps = 0;
  Samples samples = {};  ///< seconds per message, or per two messages if they go both ways

  /// Bytes that all pairs together send in that time.
  double moved() const {
    return static_cast<double>(bytes) * pairs.count() * (direction == Direction::both_ways ? 2 : 1);
  }
  double bandwidth() const { return moved() / samples.median(); }
};

/// The number of messages in a window: fewer than requested if they would fill more memory than
/// caches hold, but at least two.
int window_of(const Arguments& arguments, Index bytes);

enum class Convention { ping_pong, window };
/// Every pair, direction and size in turn, repeatedly. Collective; the same on all ranks.
std::vector<PairRow> measure_pairs(const Arguments& arguments, const Job& job,
                                   Convention convention);

/// The rate at which the ranks of two nodes (or of one, if there is only one) can move data in both
/// directions at once: windows of messages of 1 MiB.
class Link {
 public:
  Link(const Arguments& arguments, const Job& job);
  const Pairs& pairs() const { return row_.pairs; }
  /// Collective: one more sample.
  void take();
  /// Bytes per second, both directions together. The same on all ranks.
  double bandwidth() const { return row_.bandwidth(); }
  const Samples& samples() const { return row_.samples; }

 private:
  const Job& job_;
  PairRow row_;
  std::unique_ptr<PointToPoint> ends_;
};

}  // namespace weft::net
