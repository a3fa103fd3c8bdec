// Launches calls in order and polls only the oldest few, which keeps polls cheap.
#include "exchange/call_queue.hpp"

#include <algorithm>

namespace weft {
namespace {

// One MPI_Test progresses every request, so polling the oldest few is enough.
constexpr std::size_t polled_calls = 4;

}  // namespace

void CallQueue::enqueue(int call) {
  pending_[call] = true;
  if (stream_ != nullptr) produced_[call] = stream_->mark();
  waiting_.push_back(call);
  launch_more();
}

void CallQueue::launch_more() {
  while (!waiting_.empty() && (most_ == 0 || static_cast<int>(flying_.size()) < most_)) {
    const int call = waiting_.front();
    if (!is_produced(call)) return;  // those behind it were started later
    waiting_.pop_front();
    flying_.push_back(call);
    launch(call);
  }
}

/// Advances the call; if it is complete, removes it and returns true.
bool CallQueue::settle(int call) {
  if (!advance(call)) return false;
  std::erase(flying_, call);
  pending_[call] = false;
  return true;
}

bool CallQueue::advance_all() {
  for (std::size_t place = 0; place < std::min(flying_.size(), polled_calls);)
    if (!settle(flying_[place])) ++place;
  launch_more();
  return flying_.empty() && waiting_.empty();
}

bool CallQueue::advance_until_over(int call) {
  if (is_over(call)) return true;
  if (std::ranges::find(flying_, call) != flying_.end()) settle(call);
  launch_more();
  return is_over(call);
}

}  // namespace weft
