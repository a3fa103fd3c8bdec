// Receives from all ranks at once and a bounded number of sends in flight, which keeps the network
// busy without flooding it. Ranks of other nodes come first.
#include "exchange/peer_orders.hpp"
#include "exchange/transport.hpp"

namespace weft {
namespace {

constexpr int most_outstanding = 16;

class PointToPoint : public RequestTransport {
 public:
  explicit PointToPoint(TransportContext context)
      : RequestTransport(std::move(context)),
        order_(node_aware_order(table_.self, context_.node)),
        next_(table_.calls(), static_cast<int>(order_.size())),
        receives_(table_.calls()) {}

  /// Sends before receives: Open MPI over TCP leaves its link idle for a third of the time if a
  /// receive is posted before the message is announced.
  void launch(int call) override {
    requests(call).clear();
    next_[call] = 0;
    for (int free = most_outstanding; free > 0 && send_next(call); --free) {
    }
    receives_[call].begin = static_cast<int>(requests(call).size());
    for (const PeerStep& step : order_)
      if (receive_count(call, step.receive_from) > 0)
        requests(call).push_back(receive(call, step.receive_from));
    receives_[call].end = static_cast<int>(requests(call).size());
  }

  bool advance(int call) override {
    if (requests(call).empty()) return true;
    int done = 0;
    completed_.resize(requests(call).size());
    check_mpi(MPI_Testsome(static_cast<int>(requests(call).size()), requests(call).data(), &done,
                           completed_.data(), MPI_STATUSES_IGNORE),
              "MPI_Testsome");
    return replace(call, done);
  }

 private:
  /// Starts a new send for each send among the first `done` entries of completed_; true if no
  /// request and no send is left.
  bool replace(int call, int done) {
    if (done == MPI_UNDEFINED) return next_[call] == static_cast<int>(order_.size());
    for (int i = 0; i < done; ++i)
      if (completed_[i] < receives_[call].begin || completed_[i] >= receives_[call].end)
        send_next(call);
    return false;
  }

  bool send_next(int call) {
    while (next_[call] < static_cast<int>(order_.size())) {
      const int peer = order_[next_[call]++].send_to;
      if (send_count(call, peer) == 0) continue;
      requests(call).push_back(send(call, peer));
      return true;
    }
    return false;
  }

  struct Range {
    int begin = 0;
    int end = 0;
  };

  std::vector<PeerStep> order_;
  std::vector<int> next_;        // by call: the step of the next send
  std::vector<Range> receives_;  // by call: which of its requests are receives
  std::vector<int> completed_;
};

}  // namespace

TransportMethod p2p_transport() {
  return {.name = "p2p",
          .description =
              "MPI_Isend and MPI_Irecv, a bounded number of sends at a time, other nodes first",
          .traits = {.modelled = true},
          .make = make_transport<PointToPoint>};
}

}  // namespace weft
