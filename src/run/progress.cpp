// Progress policies. A test that finds nothing costs a little, and a test that comes late leaves
// the network idle: the adaptive policy measures both while it runs.
#include "run/progress.hpp"

#include <algorithm>

#include "plan/program.hpp"

namespace weft {
namespace {

// The share of the time that tests without effect may take.
constexpr double idle_share = 0.01;
// At least one test is made in this many seconds, even if recent tests found little to do.
constexpr double longest_pause = 500e-6;
// A test that takes this many times as long as an idle one has moved data.
constexpr double busy_factor = 2;
// How fast the estimate for an idle test may grow, in case MPI has become slower.
constexpr double drift = 1.02;
constexpr std::chrono::microseconds thread_pause{50};

}  // namespace

Progress::Progress(ProgressPolicy policy, int poll_tiles)
    : policy_(policy), interval_(policy == ProgressPolicy::poll ? poll_tiles : 1) {}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Progress::between_tiles() {
  if (policy_ == ProgressPolicy::none || policy_ == ProgressPolicy::thread) return;
  if (running_.empty()) return;
  if (++tiles_ < interval_) return;
  if (policy_ == ProgressPolicy::adaptive)
    poll_adaptively();
  else
    poll(Recorder::Thread::caller);
  tiles_ = 0;
}

void Progress::poll_adaptively() {
  const auto begin = Clock::now();
  poll(Recorder::Thread::caller);
  const auto end = Clock::now();
  const double cost = seconds_between(begin, end);
  const double tile = seconds_between(last_test_, begin) / tiles_;
  last_test_ = end;
  idle_cost_ = idle_cost_ == 0 ? cost : std::min(cost, idle_cost_ * drift);
  const double shortest = idle_cost_ / idle_share;
  const auto in_tiles = [&](double time) {
    return static_cast<int>(std::clamp(time / std::max(tile, 1e-9), 1.0, 1e6));
  };
  const bool found_work = cost > busy_factor * idle_cost_;
  interval_ = found_work ? std::max(interval_ / 2, in_tiles(shortest))
                         : std::min(interval_ + interval_ / 4 + 1,
                                    std::max(in_tiles(shortest), in_tiles(longest_pause)));
}

void Progress::test_each() {
  for (const auto& [program, fields] : running_) program->test();
}

void Progress::poll(Recorder::Thread thread) {
  if (recorder_ == nullptr) {
    test_each();
    return;
  }
  const auto begin = Clock::now();
  test_each();
  recorder_->add_poll(thread, begin);
}

void Progress::test() {
  const auto lock = exclusive();
  test_each();
}

void Progress::begin(Program& program) {
  if (!program.needs_tests()) return;
  const auto lock = exclusive();
  if (policy_ == ProgressPolicy::thread && !thread_.joinable())
    thread_ = std::thread([this] { serve(); });
  if (running_.empty()) {
    tiles_ = 0;
    last_test_ = Clock::now();
    wake_.notify_one();
  }
  ++running_[&program];
}

void Progress::end(Program& program) {
  if (!program.needs_tests()) return;
  const auto lock = exclusive();
  const auto ended = running_.find(&program);
  if (--ended->second == 0) running_.erase(ended);
}

std::unique_lock<std::mutex> Progress::exclusive() {
  return policy_ == ProgressPolicy::thread ? std::unique_lock(mutex_)
                                           : std::unique_lock<std::mutex>();
}

void Progress::record(Recorder* recorder) {
  const auto lock = exclusive();
  recorder_ = recorder;
}

/// Alternates tests with short sleeps, because waiting inside MPI would keep a core busy.
void Progress::serve() {
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    if (running_.empty()) {
      wake_.wait(lock, [this] { return stopped_ || !running_.empty(); });
      continue;
    }
    poll(Recorder::Thread::progress);
    lock.unlock();
    std::this_thread::sleep_for(thread_pause);
    lock.lock();
  }
}

}  // namespace weft
