// Packed blocks as messages of the devices' own library, in the order of streams: the host does not
// copy, and waits only if something else is in flight. The price is the library's own demand,
// usually a device for each rank.
#include <utility>

#include "exchange/block_buffers.hpp"
#include "exchange/exchange.hpp"

namespace weft {
namespace {

class DevicePointToPoint : public Exchange {
 public:
  explicit DevicePointToPoint(const ExchangeContext& context)
      : messages_(context.messages),
        passes_(*context.memory.device->stream()),
        buffers_(context),
        producers_(context.geometry.producer.count) {
    const BlockTable& table = buffers_.table();
    calls_.resize(static_cast<std::size_t>(table.calls()));
    for (int number = 0; number < table.calls(); ++number)
      for (int member = 0; member < table.members; ++member) {
        if (member == table.self) continue;
        const int peer = context.group[static_cast<std::size_t>(member)];
        const auto add = [&](std::vector<Message>& all, const BlockTable::Run& run,
                             std::byte* memory) {
          const auto bytes = static_cast<std::size_t>(run.count * table.unit);
          if (bytes > 0) all.push_back({peer, memory, bytes});
        };
        Call& call = calls_[static_cast<std::size_t>(number)];
        add(call.sent, table.to(number, member), buffers_.send_address(number, member));
        add(call.received, table.from(number, member), buffers_.receive_address(number, member));
      }
  }

  View outgoing(int k) const override { return buffers_.outgoing(k); }
  View incoming(int j) const override { return buffers_.incoming(j); }
  void expect_overlap(bool overlapped) override { overlapped_ = overlapped; }
  bool acquire(int) override { return true; }

  bool start(int k, int j) override {
    Call& call = this->call(k, j);
    if (call.sent.empty() && call.received.empty()) return true;
    if (!call.written) call.written = passes_.mark();
    call.arrived = messages_->exchange(call.sent, call.received, *call.written);
    if (!call.arrived) return false;
    call.written = nullptr;
    return true;
  }

  bool test() override { return true; }
  bool needs_tests() const override { return false; }

  /// If nothing else is in flight, the stream of passes waits, and the host goes on. Otherwise this
  /// stream may hold passes of other transforms, in a different order on each rank, and streams
  /// could wait for each other forever.
  bool finish(int j) override {
    for (int k = 0; k < producers_; ++k) {
      SharedMark& arrived = call(k, j).arrived;
      if (!arrived) continue;
      if (!overlapped_)
        passes_.wait_for(*arrived);
      else if (!arrived->is_over())
        return false;
      arrived = nullptr;
    }
    return true;
  }
  void release(int) override {}

 private:
  using Message = DeviceMessages::Message;

  /// One block for each peer.
  struct Call {
    std::vector<Message> sent, received;
    SharedMark written;  // while the device does not take the messages
    SharedMark arrived;
  };

  Call& call(int k, int j) { return calls_[static_cast<std::size_t>(buffers_.table().call(k, j))]; }

  DeviceMessages* messages_;  // null where there is nobody to send to
  Stream& passes_;
  BlockBuffers buffers_;
  int producers_;
  bool overlapped_ = true;
  std::vector<Call> calls_;
};

}  // namespace

ExchangeMethod device_p2p_method() {
  return {.name = "device_p2p",
          .description = "packed blocks, sent by the devices' own library in the order of streams",
          .traits = {.sends_messages = false, .device_reach = DeviceReach::device_library},
          .memory = BlockBuffers::memory,
          .make = make_exchange<DevicePointToPoint>};
}

}  // namespace weft
