// Blocks are copied and sent in pieces, on a stream for each way: while one piece is on its way by
// MPI, the next one is copied to the host and the last one back to the device. The price is a
// buffer of the host for each buffer of the device.
#include "exchange/staged.hpp"

#include <algorithm>

namespace weft {
namespace {

// A piece is large enough to take far longer than starting its copies, one for each member, and its
// messages. With 16 pieces, the first and the last copy, which nothing overlaps, take about 10 %.
constexpr Index least_piece_bytes = Index{1} << 20;
constexpr Index least_copy_bytes = Index{1} << 18;
constexpr Index most_pieces = 16;

/// How many pieces the blocks of a call are cut into. Collective, since all members must agree.
int count_pieces(const BlockTable& table, const Communicator& communicator) {
  Index largest = 0;  // units of a call
  for (int call = 0; call < table.calls(); ++call)
    for (const auto* runs : {&table.sent, &table.received}) {
      Index units = 0;
      for (int member = 0; member < table.members; ++member)
        units += (*runs)[call * table.members + member].count;
      largest = std::max(largest, units);
    }
  std::int64_t bytes = largest * table.unit;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_INT64_T, MPI_MAX, communicator.get()),
            "MPI_Allreduce");
  const Index most = std::max<Index>(most_pieces / table.calls(), 1);
  const Index least = std::max(least_piece_bytes, table.members * least_copy_bytes);
  return static_cast<int>(std::clamp<Index>(bytes / least, 1, most));
}

/// Where the pieces of a run begin, and how long they are. Sender and receiver cut alike. All
/// pieces together need as much room as the run.
class CutRuns {
 public:
  CutRuns(const BlockTable& table, int pieces) : table_(table), pieces_(pieces) {}

  BlockTable::Run piece(const BlockTable::Run& run, int call, int number) const {
    const Index units = table_.room.empty() ? run.count : table_.room[call];
    const Index begin = std::min(border(units, number), run.count);
    return {run.offset + begin, std::min(border(units, number + 1), run.count) - begin};
  }

  /// Each chunk of the consumer becomes one for each piece.
  BlockTable all_pieces() const {
    BlockTable cut = table_;
    cut.consumer_chunks *= pieces_;
    cut.sent.clear();
    cut.received.clear();
    cut.room.clear();
    for (int call = 0; call < table_.calls(); ++call)
      for (int number = 0; number < pieces_; ++number) {
        for (int member = 0; member < table_.members; ++member) {
          cut.sent.push_back(piece(table_.to(call, member), call, number));
          cut.received.push_back(piece(table_.from(call, member), call, number));
        }
        if (!table_.room.empty())
          cut.room.push_back(border(table_.room[call], number + 1) -
                             border(table_.room[call], number));
      }
    cut.lay_out();
    return cut;
  }

 private:
  Index border(Index units, int number) const { return units * number / pieces_; }

  const BlockTable& table_;
  int pieces_;
};

class Staged : public Transport {
 public:
  Staged(const TransportMethod& method, TransportContext context, Device& device,
         HostMirror& mirror)
      : table_(context.table),
        pieces_(count_pieces(table_, context.communicator)),
        cut_(CutRuns(table_, pieces_).all_pieces()),
        send_(context.send),
        receive_(context.receive),
        passes_(*device.stream()),
        next_piece_(static_cast<std::size_t>(table_.consumer_chunks), 0) {
    agree(context.communicator, [&] {
      to_host_ = device.copy_stream(CopyWay::to_host);
      to_device_ = device.copy_stream(CopyWay::to_device);
      host_send_ = mirror.of(send_, bytes_of(table_.send_units));
      host_receive_ = mirror.of(receive_, bytes_of(table_.receive_units));
    });
    context.table = cut_;
    context.send = host_send_;
    context.receive = host_receive_;
    context.in_flight *= pieces_;
    context.stream = to_host_;
    transport_ = method.make(std::move(context));
  }
  /// Calls that block would keep the next piece from being copied.
  void expect_overlap(bool overlapped) override {
    transport_->expect_overlap(overlapped || pieces_ > 1);
  }
  bool test() override { return transport_->test(); }

  void start(int k, int j) override {
    to_host_->wait_for(*passes_.mark());
    for (int number = 0; number < pieces_; ++number) {
      visit_piece(table_.sent, cut_.sent, table_.call(k, j), number, [&](const Neighbours& runs) {
        to_host_->copy(host_send_ + runs.in_pieces, send_ + runs.in_blocks, runs.bytes);
      });
      transport_->start(k, j * pieces_ + number);  // is launched when the copy is over
    }
  }

  /// The stream of passes no longer uses the receive buffer for anything else: it had reached the
  /// start of these messages before they were sent.
  bool finish(int j) override {
    int& number = next_piece_[static_cast<std::size_t>(j)];
    for (; number < pieces_; ++number) {
      if (!transport_->finish(j * pieces_ + number)) return false;
      for (int k = 0; k < table_.producer_chunks; ++k)
        visit_piece(table_.received, cut_.received, table_.call(k, j), number,
                    [&](const Neighbours& runs) {
                      to_device_->copy(receive_ + runs.in_blocks, host_receive_ + runs.in_pieces,
                                       runs.bytes);
                    });
    }
    number = 0;
    passes_.wait_for(*to_device_->mark());
    return true;
  }

 private:
  /// Runs that are neighbours in both buffers, so one copy moves them: bytes from their starts.
  struct Neighbours {
    std::size_t in_blocks = 0;
    std::size_t in_pieces = 0;
    std::size_t bytes = 0;
  };

  std::size_t bytes_of(Index units) const { return static_cast<std::size_t>(units * table_.unit); }

  /// Calls copy(Neighbours) for all runs of a piece.
  template <class Copy>
  void visit_piece(const std::vector<BlockTable::Run>& blocks,
                   const std::vector<BlockTable::Run>& pieces, int call, int number,
                   const Copy& copy) const {
    const CutRuns cut(table_, pieces_);
    Neighbours runs;
    for (int member = 0; member < table_.members; ++member) {
      const BlockTable::Run run = cut.piece(blocks[call * table_.members + member], call, number);
      const BlockTable::Run& piece = pieces[(call * pieces_ + number) * table_.members + member];
      const Neighbours next{bytes_of(run.offset), bytes_of(piece.offset), bytes_of(run.count)};
      if (next.bytes == 0) continue;
      const bool follows = next.in_blocks == runs.in_blocks + runs.bytes &&
                           next.in_pieces == runs.in_pieces + runs.bytes;
      if (!follows && runs.bytes > 0) copy(runs);
      if (!follows) runs = {next.in_blocks, next.in_pieces, 0};
      runs.bytes += next.bytes;
    }
    if (runs.bytes > 0) copy(runs);
  }

  BlockTable table_;
  int pieces_;
  BlockTable cut_;  // by pieces, in buffers of the host
  std::byte* send_;
  std::byte* receive_;
  Stream& passes_;
  Stream* to_host_ = nullptr;
  Stream* to_device_ = nullptr;
  std::byte* host_send_ = nullptr;
  std::byte* host_receive_ = nullptr;
  std::vector<int> next_piece_;  // by chunk of the consumer: the first that has not arrived
  std::unique_ptr<Transport> transport_;
};

}  // namespace

std::unique_ptr<Transport> make_staged(const TransportMethod& method, TransportContext context,
                                       const BlockMemory& memory) {
  context.stream = memory.device->stream();
  const bool is_direct =
      memory.path == DevicePath::direct && method.traits.device_reach == DeviceReach::direct;
  if (context.stream == nullptr || is_direct) return method.make(std::move(context));
  return std::make_unique<Staged>(method, std::move(context), *memory.device, *memory.mirror);
}

}  // namespace weft
