// The recorder: what it stores of a run, by thread, and that it counts spans that do not fit.
#include "run/trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "machine/aligned_buffer.hpp"
#include "plan/program.hpp"
#include "run/run.hpp"

namespace weft {
namespace {

using What = Trace::Span::What;

/// Rank 0 of two, whose exchanges go nowhere.
class Alone {
 public:
  explicit Alone(ProgressPolicy policy = ProgressPolicy::none) : progress(policy, 1) {
    RouteRequest request{Transform({8, 8, 8}, Kind::c2c), {}, {}, {}};
    request.options.output = OutputLayout::transposed;
    request.options.engine_effort = EngineEffort::estimate;
    request.options.producer_chunks = 2;
    request.options.consumer_chunks = 3;
    const Routes routes = make_routes(request, Topology::uniform(2, 0), caches_);
    ProgramPlan plan = plan_program(shape_without_communication(routes.forward), 0);
    arena_ = AlignedBuffer(plan.memory.arena_bytes);
    ProgramContext context;
    context.caches = &caches_;
    context.options = request.options;
    context.fields.push_back({arena_.data(), {}, nullptr});
    program = std::make_unique<Program>(std::move(plan), context);
    program->bind(0, in_.data(), out_.data());
  }

  void run() {
    StallWatch stalls(0, 0, {});
    Run run = Run::of_field(*program, 0, progress);
    const Run::Awaited awaited(run, stalls);
    while (!run.advance()) {
    }
  }

 private:
  Caches caches_{1 << 10, 8 << 10, 0};
  AlignedBuffer arena_, in_{8 * 8 * 8 * 16}, out_{8 * 8 * 8 * 16};

 public:
  std::unique_ptr<Program> program;
  Progress progress;
};

auto count(const Trace& trace, What what) {
  return std::ranges::count(trace.spans, what, &Trace::Span::what);
}

/// Disjoint, or one within the other.
bool nest(const Trace::Span& a, const Trace::Span& b) {
  return a.end <= b.begin || b.end <= a.begin || (a.begin <= b.begin && b.end <= a.end) ||
         (b.begin <= a.begin && a.end <= b.end);
}

TEST(Recorder, KeepsEveryActionOfARun) {
  Alone alone;
  Recorder recorder(1000);
  alone.run();  // nobody records
  alone.progress.record(&recorder);
  alone.run();
  alone.progress.record(nullptr);
  alone.run();
  const Trace trace = recorder.read();
  EXPECT_EQ(trace.dropped, 0u);
  ASSERT_EQ(trace.spans.size(), alone.program->alone(false).size());
  EXPECT_EQ(count(trace, What::pass), 2 + 3);
  EXPECT_EQ(count(trace, What::start), 2 * 3);
  EXPECT_EQ(count(trace, What::finish), 3);
  for (std::size_t i = 0; i < trace.spans.size(); ++i) {
    const Trace::Span& span = trace.spans[i];
    EXPECT_LE(span.begin, span.end);
    EXPECT_FALSE(span.waited) << span.name;
    EXPECT_FALSE(span.by_progress_thread);
    if (i > 0) {
      EXPECT_LE(trace.spans[i - 1].end, span.begin);
    }
  }
}

TEST(Recorder, NamesSayWhatIsDone) {
  Alone alone;
  Recorder recorder(1000);
  alone.progress.record(&recorder);
  alone.run();
  const Trace trace = recorder.read();
  const auto has = [&](const std::string& name) {
    return std::ranges::count(trace.spans, name, &Trace::Span::name);
  };
  EXPECT_EQ(has("exchange 0: start block 1, 2"), 1);
  EXPECT_EQ(has("exchange 0: here is chunk 2"), 1);
  const Trace::Span& last =
      *std::ranges::find(trace.spans.rbegin(), trace.spans.rend(), What::pass, &Trace::Span::what);
  EXPECT_EQ(last.name.rfind("pass 1: c2c along axis ", 0), 0u) << last.name;
  EXPECT_EQ(last.name.substr(last.name.size() - 9), ", chunk 2");
}

TEST(Recorder, PollsLieWithinPasses) {
  Alone alone(ProgressPolicy::poll);
  Recorder recorder(1000);
  alone.progress.record(&recorder);
  alone.run();
  const Trace trace = recorder.read();
  EXPECT_GT(count(trace, What::poll), 0);
  for (const Trace::Span& poll : trace.spans) {
    for (const Trace::Span& other : trace.spans) EXPECT_TRUE(nest(poll, other)) << other.name;
    if (poll.what != What::poll) continue;
    EXPECT_TRUE(std::ranges::any_of(trace.spans, [&](const Trace::Span& pass) {
      return pass.what == What::pass && pass.begin <= poll.begin && poll.end <= pass.end;
    }));
  }
}

TEST(Recorder, CountsWhatDoesNotFit) {
  Alone alone;
  Recorder recorder(4);
  alone.progress.record(&recorder);
  alone.run();
  const Trace trace = recorder.read();
  EXPECT_EQ(trace.spans.size(), 4u);
  EXPECT_EQ(trace.dropped, alone.program->alone(false).size() - 4);
  EXPECT_EQ(trace.spans.front().name, "exchange 0: may write chunk 0") << "the first ones are kept";
}

TEST(Recorder, ThreadsDoNotMix) {
  constexpr int each = 50000;
  Recorder recorder(each);
  const auto poll = [&](Recorder::Thread thread) {
    for (int i = 0; i < each + 10; ++i) recorder.add_poll(thread, Clock::now());
  };
  std::thread other(poll, Recorder::Thread::progress);
  poll(Recorder::Thread::caller);
  other.join();
  const Trace trace = recorder.read();
  EXPECT_EQ(trace.dropped, 20u);
  ASSERT_EQ(trace.spans.size(), 2u * each);
  for (std::size_t i = 0; i < trace.spans.size(); ++i)
    ASSERT_EQ(trace.spans[i].by_progress_thread, i >= each);
}

}  // namespace
}  // namespace weft
