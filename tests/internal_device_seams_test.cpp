// What a device needs of the host's parts, on a pretended one: passes that only go on a stream, and
// exchanges that begin when the stream has got there.
#include <gtest/gtest.h>

#include <complex>
#include <memory>
#include <vector>

#include "exchange/call_queue.hpp"
#include "exchange/loopback.hpp"
#include "machine/aligned_buffer.hpp"
#include "plan/program.hpp"

namespace weft {
namespace {

using Complex = std::complex<double>;

/// Work in the order in which it was appended, that is done only when somebody has asked for it
/// three times.
class Stream {
 public:
  static constexpr int refusals = 3;

  void append(std::function<void()> work) { work_.push_back(std::move(work)); }
  Produced mark() {
    return [this, end = work_.size(), asked = 0]() mutable {
      if (++asked <= refusals) return false;
      run_to(end);
      return true;
    };
  }
  void run_to(std::size_t end) {
    for (; done_ < end; ++done_) work_[done_]();
  }
  std::size_t size() const { return work_.size(); }

 private:
  std::vector<std::function<void()>> work_;
  std::size_t done_ = 0;
};

/// A pass of the host on a stream.
class StreamPass : public Pass {
 public:
  StreamPass(std::unique_ptr<Pass> pass, Stream& stream)
      : pass_(std::move(pass)), stream_(stream) {}
  void run(int cell, const std::function<void()>&) override {
    stream_.append([this, cell] { pass_->run(cell, [] {}); });
  }
  void bind_source(const void* data) override { pass_->bind_source(data); }
  void bind_target(void* data) override { pass_->bind_target(data); }
  void bind_function(const RawLineFunction* function) override { pass_->bind_function(function); }
  void bind_scale(double scale) override { pass_->bind_scale(scale); }
  bool may_run_in_place() const override { return pass_->may_run_in_place(); }
  std::size_t buffer_bytes() const override { return pass_->buffer_bytes(); }
  std::size_t traffic_bytes() const override { return pass_->traffic_bytes(); }
  std::string describe() const override { return pass_->describe(); }

 private:
  std::unique_ptr<Pass> pass_;
  Stream& stream_;
};

/// An exchange that asks before it moves anything, as one that copies by itself must.
class Asking : public Exchange {
 public:
  Asking(std::unique_ptr<Exchange> exchange, MarkProduced mark)
      : exchange_(std::move(exchange)), mark_(std::move(mark)) {}
  View outgoing(int k) const override { return exchange_->outgoing(k); }
  View incoming(int j) const override { return exchange_->incoming(j); }
  bool acquire(int k) override { return exchange_->acquire(k); }
  bool start(int k, int j) override {
    if (!produced_) produced_ = mark_();
    if (!produced_()) return false;
    produced_ = nullptr;
    return exchange_->start(k, j);
  }
  bool test() override { return exchange_->test(); }
  bool finish(int j) override { return exchange_->finish(j); }
  void release(int j) override { exchange_->release(j); }

 private:
  std::unique_ptr<Exchange> exchange_;
  MarkProduced mark_;
  Produced produced_;
};

ExchangeMethod asking_method() {
  ExchangeMethod method = find_exchange("loopback");
  method.make = [make = method.make](ExchangeContext context) -> std::unique_ptr<Exchange> {
    const MarkProduced mark = context.mark;
    return std::make_unique<Asking>(make(std::move(context)), mark);
  };
  return method;
}

constexpr int ranks = 3;

/// The result of all ranks, one after another, on the host or on a stream that they share.
struct Result {
  std::vector<std::vector<Complex>> arrays;
  int starts = 0;
  int refused = 0;
};
Result transformed(Stream* stream) {
  const Caches caches{1 << 10, 8 << 10, 0};
  RouteRequest request{Transform({6, 9, 4}, Kind::c2c), {}, {}, {}};
  request.options = Options::parse("engine_effort=estimate, producer_chunks=2, consumer_chunks=3");
  Route route = make_routes(request, Topology::uniform(ranks, 0), caches).forward;
  const ExchangeMethod method = stream ? asking_method() : find_exchange("loopback");
  std::ranges::fill(route.methods, &method);
  const auto shape = std::make_shared<const ProgramShape>(shape_program(route, 1));
  LoopbackWorld world;
  std::vector<AlignedBuffer> arenas;
  std::vector<std::vector<Complex>> in;
  std::vector<std::unique_ptr<Program>> programs;
  Result result;
  for (int rank = 0; rank < ranks; ++rank) {
    ProgramPlan plan = plan_program(shape, rank);
    arenas.emplace_back(plan.memory.arena_bytes);
    ProgramContext context;
    context.caches = &caches;
    context.options = request.options;
    context.fields.push_back({arenas.back().data(), {}, nullptr});
    context.loopback.push_back({&world});
    if (stream) {
      context.mark = [stream] { return stream->mark(); };
      context.make_pass = [stream](PassSpec spec, std::vector<Cell> cells, std::vector<View> from,
                                   std::vector<View> to, const Caches& sizes) {
        return std::make_unique<StreamPass>(
            make_pass(std::move(spec), std::move(cells), std::move(from), std::move(to), sizes),
            *stream);
      };
    }
    programs.push_back(std::make_unique<Program>(std::move(plan), context));
    in.emplace_back(static_cast<std::size_t>(route.source.layout.box(rank).volume()));
    for (std::size_t i = 0; i < in.back().size(); ++i)
      in.back()[i] = {static_cast<double>(i % 7), static_cast<double>(rank)};
    result.arrays.emplace_back(static_cast<std::size_t>(route.target.layout.box(rank).volume()));
    programs.back()->bind(0, in.back().data(), result.arrays.back().data());
  }
  for (const Action& action : programs.front()->schedule())
    for (const auto& program : programs) {
      result.starts += action.verb == Action::Verb::start;
      while (!program->perform(action, [] {})) ++result.refused;
    }
  if (stream) stream->run_to(stream->size());
  return result;
}

TEST(DeviceSeams, AStartThatSaysNotYetIsAskedAgain) {
  Stream stream;
  const Result host = transformed(nullptr), device = transformed(&stream);
  EXPECT_EQ(host.refused, 0);
  EXPECT_GT(device.starts, ranks);
  EXPECT_EQ(device.refused, device.starts * Stream::refusals);
  EXPECT_EQ(device.arrays, host.arrays);
  EXPECT_GT(stream.size(), 0u);
}

/// Calls that are over when they are launched.
class Queue : public CallQueue {
 public:
  Queue(int calls, MarkProduced mark) : CallQueue(calls, 0, std::move(mark)) {}
  using CallQueue::advance_all;
  using CallQueue::advance_until_over;
  using CallQueue::enqueue;
  std::vector<int> launched;

 protected:
  void launch(int call) override { launched.push_back(call); }
  bool advance(int) override { return true; }
};

TEST(DeviceSeams, CallsAreLaunchedWhenTheirDataAreProduced) {
  int marked = 0, produced = 0;
  Queue queue(3, [&] { return [&, number = marked++] { return produced > number; }; });
  for (int call : {2, 0, 1}) queue.enqueue(call);
  EXPECT_FALSE(queue.advance_until_over(0));
  EXPECT_TRUE(queue.launched.empty());
  produced = 1;
  EXPECT_FALSE(queue.advance_all());
  EXPECT_EQ(queue.launched, std::vector<int>{2});
  produced = 3;
  while (!queue.advance_all()) {
  }
  EXPECT_EQ(queue.launched, (std::vector<int>{2, 0, 1}));
}

}  // namespace
}  // namespace weft
