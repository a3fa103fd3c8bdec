// Every rank sends to the next rank of a ring and receives from the rank before, on a communicator
// of the test's own. A collective call that never ends leaves this communicator, its request and
// its counts behind.
#include "job/direct_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <vector>

#include "machine/until.hpp"

namespace weft {
namespace {

constexpr std::array<std::size_t, 3> pattern_bytes{8, std::size_t{4} << 10, std::size_t{1} << 20};
constexpr double patience = 10;  // seconds, in which any message between neighbours arrives

using Ring = std::vector<int>;

/// Two rings of all ranks: in the first nearly all neighbours share a node, in the second as few as
/// possible. One ring, if there is one node.
std::vector<Ring> rings_of(const Topology& topology) {
  struct Place {
    int on_node, node, rank;
  };
  std::vector<Place> places;
  std::map<int, int> found;  // by node
  for (int rank = 0; rank < topology.ranks(); ++rank) {
    const int node = topology.node_of(rank);
    places.push_back({found[node]++, node, rank});
  }
  const auto ring = [&](auto&& order) {
    std::ranges::stable_sort(places, {}, order);
    Ring ranks;
    for (const Place& place : places) ranks.push_back(place.rank);
    return ranks;
  };
  std::vector<Ring> rings{ring([](const Place& place) { return place.node; })};
  if (topology.nodes() > 1) rings.push_back(ring([](const Place& place) { return place.on_node; }));
  return rings;
}

/// One pattern on its way.
struct Message {
  int next = 0;
  int previous = 0;
  std::byte* from = nullptr;
  std::byte* to = nullptr;
  int sent = 0;      // bytes
  int received = 0;  // bytes
};

class DirectTest {
 public:
  DirectTest(const Communicator& communicator, Device& device,
             std::span<const std::span<std::byte>> buffers)
      : communicator_(Communicator::duplicate(communicator.get())),
        device_(device),
        buffers_(buffers),
        own_(buffers.size()) {
    for (std::size_t buffer = 0; buffer < buffers.size(); ++buffer)
      own_[buffer] = static_cast<std::int64_t>(buffers[buffer].size() / 2);
    rooms_.resize(own_.size() * static_cast<std::size_t>(communicator.size()));
    const int count = static_cast<int>(own_.size());
    check_mpi(MPI_Allgather(own_.data(), count, MPI_INT64_T, rooms_.data(), count, MPI_INT64_T,
                            communicator.get()),
              "MPI_Allgather");
  }

  void run(const Ring& ring) {
    for (std::size_t buffer = 0; buffer < buffers_.size(); ++buffer)
      for (const std::size_t bytes : pattern_bytes) {
        const Message message = message_in(ring, buffer, bytes);
        agree(communicator_, [&] { prepare(message); });
        agree(communicator_, [&] { send(message); });
        agree(communicator_, [&] { prepare(message); });
        agree(communicator_, [&] { call(message); });
      }
  }

 private:
  std::size_t room(int rank, std::size_t buffer) const {
    return static_cast<std::size_t>(rooms_[static_cast<std::size_t>(rank) * own_.size() + buffer]);
  }

  Message message_in(const Ring& ring, std::size_t buffer, std::size_t bytes) const {
    const int rank = communicator_.rank();
    const std::size_t place =
        static_cast<std::size_t>(std::ranges::find(ring, rank) - ring.begin());
    const int next = ring[(place + 1) % ring.size()];
    const int previous = ring[(place + ring.size() - 1) % ring.size()];
    const auto length = [&](int one, int other) {
      return static_cast<int>(std::min({bytes, room(one, buffer), room(other, buffer)}));
    };
    std::byte* const begin = buffers_[buffer].data();
    return {next,
            previous,
            begin,
            begin + room(rank, buffer),
            length(rank, next),
            length(previous, rank)};
  }

  /// A rank's data in this step. Every byte differs from the same byte of the step before.
  std::vector<std::byte> pattern(int rank, int bytes) const {
    std::vector<std::byte> pattern(static_cast<std::size_t>(bytes));
    for (std::size_t i = 0; i < pattern.size(); ++i)
      pattern[i] = static_cast<std::byte>(i * 7 + static_cast<std::size_t>(rank) * 31 + step_ * 11);
    return pattern;
  }

  /// Writes the pattern to send, and wrong bytes where the neighbour's pattern will arrive.
  void prepare(const Message& message) {
    ++step_;
    std::vector<std::byte> poison = pattern(message.previous, message.received);
    for (std::byte& byte : poison) byte = ~byte;
    const std::vector<std::byte> own = pattern(communicator_.rank(), message.sent);
    device_.copy(message.from, own.data(), own.size());
    device_.copy(message.to, poison.data(), poison.size());
    device_.synchronize();
  }

  void check(const Message& message, const char* way) const {
    std::vector<std::byte> found(static_cast<std::size_t>(message.received));
    device_.copy(found.data(), message.to, found.size());
    device_.synchronize();
    if (found != pattern(message.previous, message.received))
      throw Error(fmt::format("{} bytes from rank {} to rank {} by {} arrived wrong",
                              message.received, message.previous, communicator_.rank(), way));
  }

  void send(const Message& message) {
    std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    try {
      check_mpi(MPI_Irecv(message.to, message.received, MPI_BYTE, message.previous, 0,
                          communicator_.get(), &requests[0]),
                "MPI_Irecv");
      check_mpi(MPI_Isend(message.from, message.sent, MPI_BYTE, message.next, 0,
                          communicator_.get(), &requests[1]),
                "MPI_Isend");
      wait(requests, message);
    } catch (const Error&) {
      give_up(requests);
      throw;
    }
    check(message, "MPI_Isend");
  }

  static bool are_over(std::span<MPI_Request> requests) {
    return until(
        [&] {
          int done = 0;
          check_mpi(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done,
                                MPI_STATUSES_IGNORE),
                    "MPI_Testall");
          return done != 0;
        },
        patience);
  }

  void wait(std::span<MPI_Request> requests, const Message& message) const {
    if (are_over(requests)) return;
    throw Error(fmt::format("{} bytes from rank {} to rank {} did not arrive within {} s",
                            message.received, message.previous, communicator_.rank(), patience));
  }

  /// A receive that has been cancelled is over at once, unless its message arrives just then.
  static void give_up(std::array<MPI_Request, 2>& requests) {
    if (requests[0] != MPI_REQUEST_NULL) {
      MPI_Cancel(&requests[0]);
      are_over({requests.data(), 1});
    }
    for (MPI_Request& request : requests)
      if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  }

  /// MPI reads these until a collective call is over.
  struct Counts {
    std::vector<int> sent, received, places;
  };

  void call(const Message& message) {
    const std::vector<int> none(static_cast<std::size_t>(communicator_.size()), 0);
    auto counts = std::make_unique<Counts>(Counts{none, none, none});
    counts->sent[static_cast<std::size_t>(message.next)] = message.sent;
    counts->received[static_cast<std::size_t>(message.previous)] = message.received;
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Ialltoallv(message.from, counts->sent.data(), counts->places.data(), MPI_BYTE,
                             message.to, counts->received.data(), counts->places.data(), MPI_BYTE,
                             communicator_.get(), &request),
              "MPI_Ialltoallv");
    try {
      wait({&request, 1}, message);
    } catch (const Error&) {
      // MPI has no way to give it up.
      static_cast<void>(counts.release());
      static_cast<void>(new Communicator(communicator_));
      throw;
    }
    check(message, "MPI_Ialltoallv");
  }

  Communicator communicator_;
  Device& device_;
  std::span<const std::span<std::byte>> buffers_;
  std::vector<std::int64_t> own_;    // half of each buffer, in bytes
  std::vector<std::int64_t> rooms_;  // the same of all ranks
  std::size_t step_ = 0;
};

}  // namespace

void test_direct_messages(const Communicator& communicator, const Topology& topology,
                          Device& device, std::span<const std::span<std::byte>> buffers) {
  DirectTest test(communicator, device, buffers);
  for (const Ring& ring : rings_of(topology)) test.run(ring);
}

}  // namespace weft
