// One partner at a time: the scheduled pairwise exchange, XOR for powers of two and a round-robin
// tournament for other numbers of ranks. No rank receives from two others at once, but each step
// waits for the slower of two partners.
#include "exchange/peer_orders.hpp"
#include "exchange/transport.hpp"

namespace weft {
namespace {

class Pairwise : public RequestTransport {
 public:
  explicit Pairwise(TransportContext context)
      : RequestTransport(std::move(context)),
        order_(pairwise_order(table_.self, table_.members)),
        next_(table_.calls(), steps()) {}

  void launch(int call) override {
    if (!overlapped_) {
      for (const PeerStep& step : order_) exchange(call, step.send_to);
      return;
    }
    next_[call] = 0;
    advance(call);
  }

 private:
  int steps() const { return static_cast<int>(order_.size()); }

  void exchange(int call, int peer) {
    if (peer < 0) return;
    check_mpi(MPI_Sendrecv(sent(call, peer), send_count(call, peer), unit_,
                           peer_or_none(send_count(call, peer), peer), call, received(call, peer),
                           receive_count(call, peer), unit_,
                           peer_or_none(receive_count(call, peer), peer), call, comm(),
                           MPI_STATUS_IGNORE),
              "MPI_Sendrecv");
  }

  static int peer_or_none(int count, int peer) { return count > 0 ? peer : MPI_PROC_NULL; }

  /// Starts the next step if the previous one is complete; true if all are.
  bool advance(int call) override {
    auto& pair = requests(call);
    for (;;) {
      if (!pair.empty()) {
        int done = 0;
        check_mpi(MPI_Testall(2, pair.data(), &done, MPI_STATUSES_IGNORE), "MPI_Testall");
        if (!done) return false;
      }
      if (next_[call] == steps()) return true;
      const int peer = order_[next_[call]++].send_to;
      if (peer < 0) continue;
      pair.assign(2, MPI_REQUEST_NULL);
      if (send_count(call, peer) > 0) pair[0] = send(call, peer);
      if (receive_count(call, peer) > 0) pair[1] = receive(call, peer);
    }
  }

  std::vector<PeerStep> order_;
  std::vector<int> next_;  // by call
};

}  // namespace

TransportMethod pairwise_transport() {
  return {.name = "pairwise",
          .description = "one partner at a time: rank XOR step, or a round-robin tournament",
          .traits = {.modelled = true, .blocks_well = true, .partners = pairwise_order},
          .make = make_transport<Pairwise>};
}

}  // namespace weft
