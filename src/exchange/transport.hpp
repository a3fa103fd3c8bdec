// Moving packed blocks between the members of a group: what MPI's collectives and messages do.
// Where the blocks come from is the exchanges' affair.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "exchange/call_queue.hpp"
#include "mpi/communicator.hpp"
#include "pass/view.hpp"

namespace weft {

/// Blocks as runs of a send and a receive buffer, in units, so that counts and offsets fit MPI's
/// int. Runs lie in the order (k, j), then member: those of one (k, j) are one stretch.
struct BlockTable {
  struct Run {
    Index offset = 0;
    Index count = 0;
  };
  int members = 1;
  int self = 0;  ///< this rank among the members; it sends itself nothing unless room is equal
  int producer_chunks = 1;
  int consumer_chunks = 1;
  Index unit = 1;                ///< bytes
  std::vector<Run> sent;         ///< to each member
  std::vector<Run> received;     ///< from each member
  std::vector<Index> room = {};  ///< where runs are padded to equal room: its units, by (k, j)
  Index send_units = 0;
  Index receive_units = 0;

  int calls() const { return producer_chunks * consumer_chunks; }
  int call(int k, int j) const { return k * consumer_chunks + j; }
  const Run& to(int call, int member) const { return sent[call * members + member]; }
  const Run& from(int call, int member) const { return received[call * members + member]; }

  /// Gives every run its offset, from the counts and the room.
  void lay_out();
};

struct TransportContext {
  BlockTable table;
  std::byte* send = nullptr;
  std::byte* receive = nullptr;
  Communicator communicator;  ///< of the members, in their order
  std::vector<int> node;      ///< of each member
  int in_flight = 0;          ///< calls on their way at a time; 0: all
};

/// Calls come in the same order on all members. What was started arrives, and may be overwritten,
/// when it is finished.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual void start(int k, int j) = 0;
  /// Gives it a chance to progress; true where nothing is in flight.
  virtual bool test() = 0;
  /// True when every block for consumer chunk j has arrived, and those sent have left.
  virtual bool finish(int j) = 0;
  /// Whether start may return before the blocks have arrived; false: it may as well block.
  void expect_overlap(bool overlapped) { overlapped_ = overlapped; }

 protected:
  bool overlapped_ = true;
};

/// What planning, the model and the search need to know of a method, which they never ask its name.
struct MethodTraits {
  bool default_within_nodes = false;   ///< what `auto` takes where ranks exchange within a node
  bool default_between_nodes = false;  ///< what it takes elsewhere, unless the model knows better
  bool modelled = false;               ///< has figures of its own, so that the model weighs it
  bool gathers_on_nodes = false;       ///< gains nothing where every rank has a node of its own
  bool peers_write_target = false;     ///< peers may deliver straight into a caller's array
  bool for_comparison = false;         ///< never the fastest: the search leaves it out
};

struct TransportMethod {
  std::string name;
  std::string description;
  MethodTraits traits = {};
  bool equal_room = false;  ///< wants runs padded to equal room
  std::unique_ptr<Transport> (*make)(TransportContext);
};

template <class T>
std::unique_ptr<Transport> make_transport(TransportContext context) {
  return std::make_unique<T>(std::move(context));
}

/// Every transport; the first is the default.
const std::vector<TransportMethod>& transports();
/// The transport of that name; throws an Error that lists the valid ones.
const TransportMethod& find_transport(const std::string& name);

/// A transport whose calls are sets of MPI requests: all that the derived launch is to do is to
/// fill them.
class RequestTransport : public Transport, protected CallQueue {
 public:
  explicit RequestTransport(TransportContext context);
  ~RequestTransport() override;

  void start(int k, int j) override { enqueue(table_.call(k, j)); }
  bool test() override { return advance_all(); }
  bool finish(int j) override;

 protected:
  bool advance(int call) override;
  std::byte* sent(int call, int member) const {
    return send_ + table_.to(call, member).offset * table_.unit;
  }
  std::byte* received(int call, int member) const {
    return receive_ + table_.from(call, member).offset * table_.unit;
  }
  int send_count(int call, int member) const {
    return static_cast<int>(table_.to(call, member).count);
  }
  int receive_count(int call, int member) const {
    return static_cast<int>(table_.from(call, member).count);
  }
  /// Of what is in flight.
  std::vector<MPI_Request>& requests(int call) { return requests_[call]; }
  MPI_Comm comm() const { return context_.communicator.get(); }

  TransportContext context_;
  const BlockTable& table_;
  std::byte nothing_{};
  std::byte* send_;
  std::byte* receive_;
  MPI_Datatype unit_ = MPI_DATATYPE_NULL;

 private:
  std::vector<std::vector<MPI_Request>> requests_;  // by call
};

}  // namespace weft
