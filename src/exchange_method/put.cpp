// One-sided exchange: every rank writes its blocks directly to their destinations, which on some
// networks needs no processor at the receiver. The price: empty messages tell when a buffer may be
// written and when a block has been, and a flush completes all puts at once, so that blocks needed
// later delay those needed now.
#include <algorithm>
#include <cstdint>

#include "exchange/peer_orders.hpp"
#include "exchange/transport.hpp"
#include "mpi/window.hpp"

namespace weft {
namespace {

/// In each run a rank tells its peers once that its buffer is ready: at the first start, because
/// before that the memory may be in use elsewhere. Then the peers put, and announce each block once
/// it has landed. Messages of different runs cannot be confused, because every message is received
/// within its run.
class Put : public RequestTransport {
 public:
  explicit Put(TransportContext context)
      : RequestTransport(std::move(context)),
        window_(context_.communicator, receive_,
                static_cast<std::size_t>(table_.receive_units * table_.unit)),
        order_(node_aware_order(table_.self, context_.node)),
        ready_(table_.members, MPI_REQUEST_NULL),
        completed_(table_.members) {
    exchange_offsets();
  }

  void start(int k, int j) override {
    const int call = table_.call(k, j);
    if (started_++ == 0) first_call_ = call;
    for (const PeerStep& step : order_) {
      if (receive_count(call, step.receive_from) > 0)
        requests(call).push_back(listen(step.receive_from, call));
      if (send_count(call, step.send_to) > 0) waiting_.push_back({call, step.send_to});
    }
    enqueue(call);
    advance_puts();
  }

  /// Nothing: each put waits only for its own target, not for the call's turn.
  void launch(int) override {}

  bool test() override {
    if (started_ == 0) return true;
    advance_puts();
    return RequestTransport::test() && waiting_.empty() && flying_.empty();
  }

  bool finish(int j) override {
    advance_puts();
    if (!is_open_) return false;
    const auto is_ready = [](MPI_Request request) { return request == MPI_REQUEST_NULL; };
    if (!std::ranges::all_of(ready_, is_ready)) return false;
    // Some blocks may have been produced since; nobody else announces them.
    const auto is_of_chunk = [&](const Block& block) {
      return block.call % table_.consumer_chunks == j;
    };
    if (std::ranges::any_of(waiting_, is_of_chunk)) return false;
    land();
    if (!RequestTransport::finish(j)) return false;
    window_.sync();
    if (++finished_ == table_.consumer_chunks) close();
    return true;
  }

 private:
  struct Block {
    int call;
    int target;
  };

  /// Tells peers, and learns from them, where in a window each block belongs.
  void exchange_offsets() {
    const int calls = table_.calls();
    std::vector<std::int64_t> own(static_cast<std::size_t>(calls) * table_.members);
    offsets_.resize(own.size());
    for (int member = 0; member < table_.members; ++member)
      for (int call = 0; call < calls; ++call)
        own[member * calls + call] = window_.displacement(received(call, member));
    check_mpi(
        MPI_Alltoall(own.data(), calls, MPI_INT64_T, offsets_.data(), calls, MPI_INT64_T, comm()),
        "MPI_Alltoall");
  }

  /// Begins a run: from here on peers may write the receive buffer.
  void open() {
    window_.sync();
    for (const PeerStep& step : order_) {
      if (table_.receives_from(step.receive_from)) tell(step.receive_from, ready_tag());
      if (table_.sends_to(step.send_to)) ready_[step.send_to] = listen(step.send_to, ready_tag());
    }
  }

  void close() {
    check_mpi(MPI_Waitall(static_cast<int>(told_.size()), told_.data(), MPI_STATUSES_IGNORE),
              "MPI_Waitall");
    told_.clear();
    started_ = finished_ = 0;
    is_open_ = false;
  }

  /// The old contents of the receive buffer have been read when the first call is produced.
  void advance_puts() {
    if (!is_open_ && !is_produced(first_call_)) return;
    if (!is_open_) open();
    is_open_ = true;
    int done = 0;
    check_mpi(
        MPI_Testsome(table_.members, ready_.data(), &done, completed_.data(), MPI_STATUSES_IGNORE),
        "MPI_Testsome");
    std::erase_if(waiting_, [&](const Block& block) {
      if (ready_[block.target] != MPI_REQUEST_NULL || !is_produced(block.call)) return false;
      put(block);
      flying_.push_back(block);
      return true;
    });
  }

  void put(const Block& block) {
    const int count = send_count(block.call, block.target);
    check_mpi(
        MPI_Put(sent(block.call, block.target), count, unit_, block.target,
                offsets_[block.target * table_.calls() + block.call], count, unit_, window_.get()),
        "MPI_Put");
  }

  /// Completes all puts and announces them. Only called in finish: a flush may block until the
  /// target calls MPI, which is safe only where the target does not wait for this rank in another
  /// way.
  void land() {
    if (flying_.empty()) return;
    check_mpi(MPI_Win_flush_all(window_.get()), "MPI_Win_flush_all");
    for (const Block& block : flying_) tell(block.target, block.call);
    flying_.clear();
  }

  int ready_tag() const { return table_.calls(); }  // after the tags of the calls

  void tell(int peer, int tag) {
    told_.push_back(MPI_REQUEST_NULL);
    check_mpi(MPI_Isend(&nothing_, 0, MPI_BYTE, peer, tag, comm(), &told_.back()), "MPI_Isend");
  }

  MPI_Request listen(int peer, int tag) {
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Irecv(&nothing_, 0, MPI_BYTE, peer, tag, comm(), &request), "MPI_Irecv");
    return request;
  }

  Window window_;
  std::vector<PeerStep> order_;
  std::vector<std::int64_t> offsets_;  // by target and call
  std::vector<MPI_Request> ready_;     // by member: null if it may be written to
  std::vector<int> completed_;         // output of MPI_Testsome, unused
  std::vector<Block> waiting_;         // their targets are not ready
  std::vector<Block> flying_;          // put, but not known to have landed
  std::vector<MPI_Request> told_;      // messages sent in this run
  int started_ = 0;
  int finished_ = 0;
  int first_call_ = 0;    // of this run
  bool is_open_ = false;  // peers have been told that they may write
};

}  // namespace

TransportMethod put_transport() {
  return {.name = "put",
          .description = "MPI_Put into the receivers' windows",
          .traits = {.device_reach = DeviceReach::staged},
          .make = [](TransportContext context) -> std::unique_ptr<Transport> {
            try {
              return std::make_unique<Put>(std::move(context));
            } catch (const Error& error) {
              throw Error(std::string("exchange \"put\" is impossible here: ") + error.what());
            }
          }};
}

}  // namespace weft
