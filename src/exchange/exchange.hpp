// The interface of every way to move blocks between ranks, and the table that names them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exchange/geometry.hpp"
#include "exchange/transport.hpp"
#include "mpi/communicator.hpp"

namespace weft {

class SharedSlot;
class LoopbackWorld;

/// Says where outgoing blocks must be written and incoming ones will be found, and moves them. The
/// calls come in the order of a schedule, the same on all ranks of the group:
///   acquire(k)   whether outgoing(k) may be written, because nobody still reads what was there
///   start(k, j)  the pass that writes block (k, j) has run; the block travels from here on
///   finish(j)    whether incoming(j) has arrived
///   release(j)   incoming(j) has been read
/// `acquire`, `start` and `finish` return false while pending; the caller retries. `start` does so
/// where the data are still being produced, on a device for example. None of them waits for other
/// ranks, unless `expect_overlap` allows it. An exchange may be run any number of times; it is used
/// by one thread at a time.
class Exchange {
 public:
  virtual ~Exchange() = default;
  /// The caller's result array, for methods that work in it; before every run.
  virtual void bind(std::byte*) {}
  /// Called before every run. If false, `start` may block until the exchange has completed, because
  /// several MPIs are faster when they may.
  virtual void expect_overlap(bool) {}
  virtual View outgoing(int k) const = 0;
  virtual View incoming(int j) const = 0;
  virtual bool acquire(int k) = 0;
  virtual bool start(int k, int j) = 0;
  /// Gives the transport a chance to progress; true where nothing is in flight.
  virtual bool test() = 0;
  /// Whether tests do anything on this rank.
  virtual bool needs_tests() const { return true; }
  virtual bool finish(int j) = 0;
  virtual void release(int j) = 0;
};

/// The memory a method wants on one rank, for the planner to place where lifetimes allow.
struct MemoryNeeds {
  std::size_t send = 0;     ///< written by the pass before, read until the last block has left
  std::size_t receive = 0;  ///< filled from the first start on, read by the pass after
  std::size_t own = 0;      ///< what the rank owes itself: from the pass before to the pass after
  /// Of a window that peers write, from their pass before to the pass after; on all ranks or on
  /// none.
  std::optional<std::size_t> window;
};

/// What holds for every exchange of a plan.
struct ExchangeSetting {
  Topology topology;                     ///< of the plan's communicator
  Index count_limit = 0;                 ///< largest count for MPI; 0: what an int holds
  std::string inter_node = "alltoallv";  ///< the transport between the leaders of nodes
  int in_flight = 0;                     ///< blocks on their way at a time; 0: all
};

/// All that a method is made from.
struct ExchangeContext {
  Geometry geometry;
  ExchangeSetting setting;
  int rank = 0;
  std::vector<int> group;     ///< ranks of the plan's communicator, ascending
  Communicator communicator;  ///< of the group, in the same order
  std::byte* send = nullptr;  ///< the memory asked for
  std::byte* receive = nullptr;
  std::byte* own = nullptr;
  SharedSlot* slot = nullptr;         ///< the window part asked for
  LoopbackWorld* loopback = nullptr;  ///< all ranks of a test in one process
};

struct ExchangeMethod {
  std::string name;
  std::string description;
  MethodTraits traits = {};
  bool needs_one_node = false;  ///< works only where every group lies within one node
  bool for_users = true;        ///< offered by name; false for what only tests and measurements use
  bool for_every_plan = true;   ///< false where `check` may refuse
  /// All passes work on the caller's result array, of the same boxes, order and elements on either
  /// side of every exchange, and views have a base of null.
  bool in_result_array = false;
  /// Throws an Error where the method cannot do that exchange.
  std::function<void(const Geometry&)> check = [](const Geometry&) {};
  std::function<MemoryNeeds(const Geometry&, int rank, const ExchangeSetting&)> memory;
  std::function<std::unique_ptr<Exchange>(ExchangeContext)> make;
  /// What a rank sends to others, where it is not just the blocks.
  std::function<Geometry::Traffic(const Geometry&, int rank, const ExchangeSetting&)> sent =
      [](const Geometry& geometry, int rank, const ExchangeSetting&) {
        return geometry.sent_by(rank);
      };
};

/// Every method, in the order of preference of `auto` where nothing is known.
const std::vector<ExchangeMethod>& exchange_methods();

/// The method that `auto` takes where nothing better is known.
const ExchangeMethod& default_exchange(bool within_nodes);

/// The names of `Options::exchange`: "shared/p2p" has two.
std::vector<std::string> exchange_list(const std::string& text);

/// The method of that name; throws an Error that lists the valid ones.
const ExchangeMethod& find_exchange(const std::string& name);

}  // namespace weft
