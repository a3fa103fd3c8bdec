// Ranks of one node copy packed blocks into each other's windows: on a device its copy engines do,
// while its cores go on with passes. Compared with `shared`, memory is written once more, but peers
// are written to in long runs.
#include <algorithm>
#include <cstring>
#include <utility>

#include "exchange/block_buffers.hpp"
#include "exchange/shared_slot.hpp"

namespace weft {
namespace {

class Push : public Exchange {
 public:
  explicit Push(ExchangeContext context)
      : context_(std::move(context)),
        slot_(*context_.slot),
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

  bool test() override { return slot_.settle(); }
  bool needs_tests() const override { return slot_.waits_for_stream(); }

  bool finish(int j) override {
    if (!slot_.has_arrived(sources_, j, context_.geometry.blocks_of_chunk())) return false;
    if (finished_ + 1 < context_.geometry.consumer.count) {
      ++finished_;
      return true;
    }
    if (!slot_.settle()) return false;  // the next pass may write where copies still read
    finished_ = 0;
    slot_.next_use();
    return true;
  }

  void release(int) override {
    if (++released_ < context_.geometry.consumer.count) return;
    released_ = 0;
    slot_.open();
  }
  bool leave() override { return slot_.settle(); }

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

  ExchangeContext context_;
  SharedSlot& slot_;
  Stream* passes_;
  Stream* copies_;  // null on the host
  BlockBuffers buffers_;
  std::vector<std::vector<Copy>> copies_of_call_;
  std::vector<int> targets_;  // places on the node
  std::vector<int> sources_;
  int finished_ = 0;
  int released_ = 0;
};

}  // namespace

ExchangeMethod push_method() {
  ExchangeMethod method;
  method.name = "push";
  method.description = "packed blocks, copied into the windows of the ranks of the same node";
  method.traits = {.needs_one_node = true, .sends_messages = false};
  method.memory = [](const Geometry& geometry, int rank, const ExchangeSetting& setting) {
    MemoryNeeds needs = BlockBuffers::memory(geometry, rank, setting);
    needs.window = std::exchange(needs.receive, 0);
    return needs;
  };
  method.make = [](ExchangeContext context) -> std::unique_ptr<Exchange> {
    return std::make_unique<Push>(std::move(context));
  };
  return method;
}

}  // namespace weft
