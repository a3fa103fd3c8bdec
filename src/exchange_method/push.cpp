// Ranks of one node copy packed blocks into each other's windows: on a device its copy engines do,
// while its cores go on with passes. Compared with `shared`, memory is written once more, but peers
// are written to in long runs.
#include <algorithm>
#include <cstring>
#include <utility>

#include "exchange/block_buffers.hpp"
#include "exchange/slot_exchange.hpp"

namespace weft {
namespace {

class Push : public SlotExchange {
 public:
  explicit Push(ExchangeContext context)
      : SlotExchange(std::move(context)),
        passes_(context_.memory.device->stream()),
        copies_(context_.memory.device->copy_stream(CopyWay::to_peers)),
        buffers_(as_seen_by(context_.rank)),
        copies_of_call_(static_cast<std::size_t>(buffers_.table().calls())) {
    const BlockTable& table = buffers_.table();
    for (int member = 0; member < table.members; ++member) {
      if (member == table.self) continue;
      const int place = slot_.place_of(context_.group[member]);
      if (table.sends_to(member)) {
        targets_.push_back(place);
        add_copies(member);
      }
      if (table.receives_from(member)) sources_.push_back(place);
    }
  }

  View outgoing(int k) const override { return buffers_.outgoing(k); }
  View incoming(int j) const override { return buffers_.incoming(j); }
  bool acquire(int) override { return true; }

  bool start(int k, int j) override {
    if (!slot_.is_open(targets_)) return false;
    if (copies_ != nullptr) copies_->wait_for(*passes_->mark());
    const BlockTable& table = buffers_.table();
    for (const Copy& copy : copies_of_call_[static_cast<std::size_t>(table.call(k, j))])
      if (copies_ != nullptr)
        copies_->copy(copy.to, copy.from, copy.bytes);
      else
        std::memcpy(copy.to, copy.from, copy.bytes);
    slot_.produce(j, copies_);
    return true;
  }

  bool finish(int j) override {
    if (!slot_.has_arrived(sources_, j, context_.geometry.blocks_of_chunk())) return false;
    // The next pass may write where copies still read.
    if (is_last_chunk() && !slot_.settle()) return false;
    count_finished();
    return true;
  }

 private:
  struct Copy {
    std::byte* to;
    const std::byte* from;
    std::size_t bytes;
  };

  /// The blocks of that rank of the group, which arrive in its window.
  ExchangeContext as_seen_by(int rank) const {
    ExchangeContext context = context_;
    context.rank = rank;
    context.receive = slot_.at(slot_.place_of(rank));
    return context;
  }

  /// The receiver's places for this rank's blocks follow from the geometry.
  void add_copies(int member) {
    const BlockTable& table = buffers_.table();
    const BlockBuffers theirs(as_seen_by(context_.group[member]));
    for (int call = 0; call < table.calls(); ++call) {
      const auto bytes = static_cast<std::size_t>(table.to(call, member).count * table.unit);
      std::byte* const to = theirs.receive_address(call, table.self);
      if (bytes == 0) continue;
      copies_of_call_[static_cast<std::size_t>(call)].push_back(
          {to, buffers_.send_address(call, member), bytes});
      const int place = slot_.place_of(context_.group[member]);
      slot_.map(place, static_cast<std::size_t>(to - slot_.at(place)), bytes);
    }
  }

  Stream* passes_;
  Stream* copies_;  // null on the host
  BlockBuffers buffers_;
  std::vector<std::vector<Copy>> copies_of_call_;
  std::vector<int> targets_;  // places on the node
  std::vector<int> sources_;
};

}  // namespace

ExchangeMethod push_method() {
  return {.name = "push",
          .description = "packed blocks, copied into the windows of the ranks of the same node",
          .traits = {.needs_one_node = true, .sends_messages = false},
          .memory =
              [](const Geometry& geometry, int rank, const ExchangeSetting& setting) {
                MemoryNeeds needs = BlockBuffers::memory(geometry, rank, setting);
                needs.window = std::exchange(needs.receive, 0);
                return needs;
              },
          .make = make_exchange<Push>};
}

}  // namespace weft
