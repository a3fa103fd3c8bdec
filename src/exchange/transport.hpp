// Moves packed blocks between the members of a group with MPI's collectives or messages. Transports
// know only runs of bytes; the exchanges decide what the blocks hold.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "exchange/call_queue.hpp"
#include "exchange/peer_orders.hpp"
#include "mpi/communicator.hpp"
#include "view/view.hpp"

namespace weft {

/// Blocks as runs of a send and a receive buffer, counted in units so that counts and offsets fit
/// MPI's int. Runs are ordered by (k, j), then by member, so the runs of one (k, j) are contiguous.
struct BlockTable {
  struct Run {
    Index offset = 0;
    Index count = 0;
  };
  int members = 1;
  int self = 0;  ///< this rank's place among the members; sends itself nothing unless room is equal
  int producer_chunks = 1;
  int consumer_chunks = 1;
  Index unit = 1;                ///< bytes
  std::vector<Run> sent;         ///< to each member
  std::vector<Run> received;     ///< from each member
  std::vector<Index> room = {};  ///< units per padded run, by (k, j); empty if runs are not padded
  Index send_units = 0;
  Index receive_units = 0;

  int calls() const { return producer_chunks * consumer_chunks; }
  int call(int k, int j) const { return k * consumer_chunks + j; }
  const Run& to(int call, int member) const { return sent[call * members + member]; }
  const Run& from(int call, int member) const { return received[call * members + member]; }

  /// Whether any call sends blocks to this member, or receives blocks from it.
  bool sends_to(int member) const;
  bool receives_from(int member) const;

  /// Computes the offset of every run from the counts and the room.
  void lay_out();
};

struct TransportContext {
  BlockTable table;
  std::byte* send = nullptr;
  std::byte* receive = nullptr;
  Communicator communicator;  ///< of the members, in their order
  std::vector<int> node;      ///< of each member
  int in_flight = 0;          ///< calls in flight at a time; 0: all
  Stream* stream = nullptr;   ///< the stream that writes the blocks; null on the host
};

/// All members make the same calls in the same order. Started blocks have arrived, and their send
/// memory may be overwritten, once finish has returned true.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual void start(int k, int j) = 0;
  /// Makes progress; true if nothing is in flight.
  virtual bool test() = 0;
  /// True when every block for consumer chunk j has arrived and every block sent has left.
  virtual bool finish(int j) = 0;
  /// Whether start should return before the blocks have arrived. If false, start may block until
  /// the exchange has completed.
  virtual void expect_overlap(bool overlapped) { overlapped_ = overlapped; }

 protected:
  bool overlapped_ = true;
};

/// How a method reaches blocks in the memory of a device.
enum class DeviceReach {
  /// Not at all: the method works only in the host's memory.
  host,
  /// Through buffers of the host. The method needs more of MPI than messages and collectives, which
  /// an MPI may not support in a device's memory.
  staged,
  /// MPI gets addresses on the device if it accepts them, else buffers of the host. Windows lie in
  /// memory that the device reaches.
  direct,
  /// By the device's own messages (DeviceMessages): the method works only on devices.
  device_library
};

/// All that planning, the model and the search know about a method; none of them tests its name.
struct MethodTraits {
  bool for_users = true;        ///< offered by name; false if only for tests and measurements
  bool for_every_plan = true;   ///< false if `check` may refuse
  bool needs_one_node = false;  ///< works only if every group lies within one node
  /// All passes work on the caller's result array, with the same boxes, order and elements on both
  /// sides of every exchange; views have a null base.
  bool in_result_array = false;
  bool default_within_nodes = false;  ///< `auto` takes it for exchanges within a node
  /// `auto` takes it elsewhere, unless the model prefers another.
  bool default_between_nodes = false;
  bool modelled = false;            ///< the model has figures for it and considers it
  bool gathers_on_nodes = false;    ///< no gain if every rank is on a different node
  bool peers_write_target = false;  ///< peers may deliver directly into a caller's array
  bool sends_messages = true;       ///< through MPI: needs a communicator of its group
  bool for_comparison = false;      ///< never the fastest: the search skips it
  bool blocks_well = false;         ///< if nothing overlaps, its blocking calls may be the fastest
  DeviceReach device_reach = DeviceReach::direct;
  /// The order of partners, if a rank has one at a time; null if its messages to all partners are
  /// in flight together.
  PartnerOrder partners = nullptr;
};

struct TransportMethod {
  std::string name;
  std::string description;
  MethodTraits traits = {};
  bool equal_room = false;  ///< needs runs padded to equal room
  std::unique_ptr<Transport> (*make)(TransportContext);
};

template <class T>
std::unique_ptr<Transport> make_transport(TransportContext context) {
  return std::make_unique<T>(std::move(context));
}

/// Every transport.
const std::vector<TransportMethod>& transports();
/// The transport of that name; throws an Error that lists the valid ones.
const TransportMethod& find_transport(const std::string& name);

/// A transport whose calls are sets of MPI requests; the derived launch only has to fill them.
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
  /// Starts one message of a call; the call's number is its tag.
  MPI_Request send(int call, int member) const;
  MPI_Request receive(int call, int member) const;

  /// A call's runs as MPI's collectives take them, in units.
  struct Runs {
    std::vector<int> send, send_offset, receive, receive_offset;
  };
  Runs runs_of(int call) const;
  /// The MPI requests of a call in flight.
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
