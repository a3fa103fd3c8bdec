// The interface of all exchange methods, which move blocks between ranks, and the table that lists
// them by name.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "exchange/geometry.hpp"
#include "exchange/staged.hpp"
#include "exchange/transport.hpp"
#include "mpi/communicator.hpp"

namespace weft {

class SharedSlot;
class LoopbackWorld;

/// Says where outgoing blocks must be written and incoming ones will be found, and moves them. The
/// calls come in the order of a schedule, the same on all ranks of the group:
///   acquire(k)   whether outgoing(k) may be written, because nobody still reads its old contents
///   start(k, j)  the pass that writes block (k, j) has run; the block travels from here on
///   finish(j)    whether incoming(j) has arrived
///   release(j)   incoming(j) has been read
/// `acquire`, `start` and `finish` return false while pending; the caller retries. `start` is
/// pending while the data is being produced, or while peers still read the previous data. None of
/// them waits for other ranks, unless `expect_overlap` allows it. An exchange may be run any number
/// of times; it is used by one thread at a time.
class Exchange {
 public:
  virtual ~Exchange() = default;
  /// Sets the caller's result array, for methods that work in it. Called before every run.
  virtual void bind(std::byte*) {}
  /// Whether other work may happen between start and finish. If false, start may block until the
  /// exchange has completed, because several MPIs are slower with nonblocking calls. Called before
  /// every run.
  virtual void expect_overlap(bool) {}
  virtual View outgoing(int k) const = 0;
  virtual View incoming(int j) const = 0;
  virtual bool acquire(int k) = 0;
  virtual bool start(int k, int j) = 0;
  /// Progresses the transport; true if nothing is in flight.
  virtual bool test() = 0;
  /// Whether tests do anything on this rank.
  virtual bool needs_tests() const { return true; }
  virtual bool finish(int j) = 0;
  virtual void release(int j) = 0;
  /// True once peers no longer depend on this rank in this run. False while flags for peers wait
  /// for a device's stream; the caller retries.
  virtual bool leave() { return true; }
};

/// The memory, in bytes, that a method needs on one rank. The planner places it, and overlays
/// memory whose lifetimes do not overlap.
struct MemoryNeeds {
  std::size_t send = 0;     ///< written by the pass before, read until the last block has left
  std::size_t receive = 0;  ///< filled from the first start on, read by the pass after
  std::size_t own = 0;      ///< the rank's blocks to itself, from the pass before to the pass after
  /// Size of a window that peers write; in use from their pass before to the pass after. Set on all
  /// ranks or on none.
  std::optional<std::size_t> window = {};
};

/// Settings shared by all exchanges of a plan.
struct ExchangeSetting {
  Topology topology;      ///< of the plan's communicator
  Index count_limit = 0;  ///< largest count passed to MPI; 0: the largest int
  std::string inter_node = Options().inter_node;  ///< the transport between the leaders of nodes
  int in_flight = 0;                              ///< blocks in flight at a time; 0: all
};

/// The communicators of one exchange and field.
struct GroupCommunicators {
  Communicator all;  ///< of the group's ranks, ascending
  /// Of the group's lowest rank on each node, for methods that gather on nodes. Empty on other
  /// ranks, and if the group is on one node.
  Communicator leaders;
};

/// Everything a method needs to create an exchange.
struct ExchangeContext {
  Geometry geometry;
  ExchangeSetting setting;
  int rank = 0;
  std::vector<int> group;     ///< ranks of the plan's communicator, ascending
  Communicator communicator;  ///< of the group, in the same order
  Communicator leaders;       ///< see GroupCommunicators
  std::byte* send = nullptr;  ///< this and the next two: the memory requested in MemoryNeeds
  std::byte* receive = nullptr;
  std::byte* own = nullptr;
  SharedSlot* slot = nullptr;          ///< the window requested in MemoryNeeds
  DeviceMessages* messages = nullptr;  ///< between all ranks of the plan, if the method needs them
  BlockMemory memory;                  ///< the kind of memory of these buffers
  LoopbackWorld* loopback = nullptr;   ///< all ranks of a test in one process
};

struct ExchangeMethod {
  std::string name;
  std::string description;
  MethodTraits traits = {};
  /// Throws an Error if the method cannot do this exchange.
  std::function<void(const Geometry&)> check = [](const Geometry&) {};
  std::function<MemoryNeeds(const Geometry&, int rank, const ExchangeSetting&)> memory;
  std::function<std::unique_ptr<Exchange>(ExchangeContext)> make;
  /// The bytes and messages that a rank sends to others; by default only its blocks.
  std::function<Geometry::Traffic(const Geometry&, int rank, const ExchangeSetting&)> sent =
      [](const Geometry& geometry, int rank, const ExchangeSetting&) {
        return geometry.sent_by(rank);
      };
};

/// For ExchangeMethod::make.
template <class T>
std::unique_ptr<Exchange> make_exchange(ExchangeContext context) {
  return std::make_unique<T>(std::move(context));
}

/// Every method, in the order in which `auto` prefers them without wisdom or a model.
const std::vector<ExchangeMethod>& exchange_methods();

/// For measuring passes: blocks go to the rank's own memory.
const ExchangeMethod& exchange_without_communication();
/// For a rank alone, in its result array.
const ExchangeMethod& exchange_of_one_rank();

/// Whether the method can move blocks in this device's memory.
bool reaches_memory_of(const ExchangeMethod& method, const std::string& device);

/// Whether all ranks that exchange with each other are on one node.
enum class Reach { within_nodes, between_nodes };

/// The method that `auto` takes without wisdom or a model.
const ExchangeMethod& default_exchange(Reach reach);

/// Splits `Options::exchange` into names: "shared/p2p" has two.
std::vector<std::string> exchange_list(const std::string& text);

/// The method of that name; throws an Error that lists the valid ones.
const ExchangeMethod& find_exchange(const std::string& name);

}  // namespace weft
