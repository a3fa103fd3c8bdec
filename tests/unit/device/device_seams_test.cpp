// Where devices meet the host's parts: exchanges begin when the stream has got there.
#include <gtest/gtest.h>

#include <complex>
#include <memory>
#include <vector>

#include "device/emulated_device.hpp"
#include "exchange/call_queue.hpp"
#include "support/loopback_ranks.hpp"

namespace weft {
namespace {

using Complex = std::complex<double>;

/// An exchange that asks before it moves anything, as one that copies by itself must.
class Asking : public Exchange {
 public:
  Asking(std::unique_ptr<Exchange> exchange, Stream& stream)
      : exchange_(std::move(exchange)), stream_(stream) {}
  View outgoing(int k) const override { return exchange_->outgoing(k); }
  View incoming(int j) const override { return exchange_->incoming(j); }
  bool acquire(int k) override { return exchange_->acquire(k); }
  bool start(int k, int j) override {
    if (!produced_) produced_ = stream_.mark();
    if (!produced_->is_over()) return false;
    produced_ = nullptr;
    return exchange_->start(k, j);
  }
  bool test() override { return exchange_->test(); }
  bool finish(int j) override { return exchange_->finish(j); }
  void release(int j) override { exchange_->release(j); }

 private:
  std::unique_ptr<Exchange> exchange_;
  Stream& stream_;
  SharedMark produced_;
};

ExchangeMethod asking_method() {
  ExchangeMethod method = find_exchange("loopback");
  method.make = [make = method.make](ExchangeContext context) -> std::unique_ptr<Exchange> {
    Stream& stream = *context.memory.device->stream();
    return std::make_unique<Asking>(make(std::move(context)), stream);
  };
  return method;
}

constexpr int ranks = 3;

/// The result of all ranks, one after another, which share a device.
struct Result {
  std::vector<std::vector<Complex>> arrays;
  int starts = 0;
  int refused = 0;
};
Result transformed(Device& device) {
  const Caches caches{1 << 10, 0, 0};  // passes of one axis, as devices have them
  RouteRequest request{Transform({6, 9, 4}, Kind::c2c), {}, {}, {}};
  request.options = Options::parse("engine_effort=estimate, producer_chunks=2, consumer_chunks=3");
  Route route = make_routes(request, Topology::uniform(ranks, 0), caches).forward;
  const ExchangeMethod method = device.stream() ? asking_method() : find_exchange("loopback");
  std::ranges::fill(route.methods, &method);
  ProgramContext context;
  context.caches = &caches;
  context.options = request.options;
  context.device = &device;
  test::LoopbackRanks programs(route, ranks, context);
  std::vector<std::vector<Complex>> in;
  Result result;
  for (int rank = 0; rank < ranks; ++rank) {
    in.emplace_back(static_cast<std::size_t>(route.source.layout.box(rank).volume()));
    for (std::size_t i = 0; i < in.back().size(); ++i)
      in.back()[i] = {static_cast<double>(i % 7), static_cast<double>(rank)};
    result.arrays.emplace_back(static_cast<std::size_t>(route.target.layout.box(rank).volume()));
    programs[rank].bind(0, in.back().data(), result.arrays.back().data());
  }
  for (const Action& action : programs[0].schedule())
    if (action.verb == Action::Verb::start) result.starts += ranks;
  result.refused = programs.run();
  device.synchronize();
  return result;
}

TEST(DeviceSeams, AStartThatSaysNotYetIsAskedAgain) {
  const auto lazy = make_emulated_device(EmulatedOrder::lazy);
  const Result host = transformed(host_device()), device = transformed(*lazy);
  EXPECT_EQ(host.refused, 0);
  EXPECT_GT(device.starts, ranks);
  EXPECT_GT(device.refused, 0);
  for (std::size_t rank = 0; rank < host.arrays.size(); ++rank)
    for (std::size_t i = 0; i < host.arrays[rank].size(); ++i)
      EXPECT_LT(std::abs(device.arrays[rank][i] - host.arrays[rank][i]), 1e-11) << rank << " " << i;
}

/// Calls that are over when they are launched.
class Queue : public CallQueue {
 public:
  Queue(int calls, Stream& stream) : CallQueue(calls, 0, &stream) {}
  using CallQueue::advance_all;
  using CallQueue::advance_until_over;
  using CallQueue::enqueue;
  std::vector<int> launched;

 protected:
  void launch(int call) override { launched.push_back(call); }
  bool advance(int) override { return true; }
};

/// Has produced as much as the test sets in `produced`.
class ToldStream : public Stream {
  struct Told : Mark {
    Told(const ToldStream& stream, int number) : stream(stream), number(number) {}
    bool is_over() const override { return stream.produced > number; }
    const ToldStream& stream;
    int number;
  };

 public:
  void copy(void*, const void*, std::size_t) override {}
  SharedMark mark() override { return std::make_shared<const Told>(*this, marked_++); }
  void wait_for(const Mark&) override {}
  void synchronize() override {}
  int produced = 0;

 private:
  int marked_ = 0;
};

TEST(DeviceSeams, CallsAreLaunchedWhenTheirDataAreProduced) {
  ToldStream stream;
  Queue queue(3, stream);
  for (int call : {2, 0, 1}) queue.enqueue(call);
  EXPECT_FALSE(queue.advance_until_over(0));
  EXPECT_TRUE(queue.launched.empty());
  stream.produced = 1;
  EXPECT_FALSE(queue.advance_all());
  EXPECT_EQ(queue.launched, std::vector<int>{2});
  stream.produced = 3;
  while (!queue.advance_all()) {
  }
  EXPECT_EQ(queue.launched, (std::vector<int>{2, 0, 1}));
}

}  // namespace
}  // namespace weft
