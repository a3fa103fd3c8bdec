// Packed blocks over any transport: needs send and receive buffers, but no unpacking.
#include "exchange_method/packed.hpp"

#include "exchange/block_buffers.hpp"
#include "exchange/staged.hpp"

namespace weft {
namespace {

class Packed : public Exchange {
 public:
  Packed(const ExchangeContext& context, const TransportMethod& method)
      : buffers_(context, method.equal_room ? Room::equal : Room::as_needed) {
    if (buffers_.table().members == 1) return;
    TransportContext moved;
    moved.table = buffers_.table();
    moved.send = context.send;
    moved.receive = context.receive;
    moved.communicator = context.communicator;
    for (int rank : context.group) moved.node.push_back(context.setting.topology.node_of(rank));
    moved.in_flight = context.setting.in_flight;
    transport_ = make_staged(method, std::move(moved), context.memory);
  }

  View outgoing(int k) const override { return buffers_.outgoing(k); }
  View incoming(int j) const override { return buffers_.incoming(j); }
  void expect_overlap(bool overlapped) override {
    if (transport_) transport_->expect_overlap(overlapped);
  }
  bool acquire(int) override { return true; }
  void release(int) override {}
  bool start(int k, int j) override {
    if (transport_) transport_->start(k, j);
    return true;
  }
  bool test() override { return !transport_ || transport_->test(); }
  bool needs_tests() const override { return transport_ != nullptr; }
  bool finish(int j) override { return !transport_ || transport_->finish(j); }

 private:
  BlockBuffers buffers_;
  std::unique_ptr<Transport> transport_;  // null if there is nobody to send to
};

}  // namespace

ExchangeMethod packed_method(const TransportMethod& transport) {
  ExchangeMethod method;
  method.name = transport.name;
  method.description = transport.description;
  method.traits = transport.traits;
  method.memory = BlockBuffers::memory;
  method.make = [transport](const ExchangeContext& context) -> std::unique_ptr<Exchange> {
    return std::make_unique<Packed>(context, transport);
  };
  if (transport.equal_room) {
    method.memory = BlockBuffers::padded_memory;
    method.sent = BlockBuffers::padded_traffic;
  }
  return method;
}

}  // namespace weft
