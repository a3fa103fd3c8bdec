// One number per rank: how many calls it has made, and what the last of them is.
#include "session/call_watch.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cstring>

#include "machine/cache_line.hpp"

namespace weft {
namespace {

constexpr std::size_t stride = line_bytes;  // one for each rank
constexpr auto kinds = static_cast<std::uint64_t>(CallWatch::Call::count);

std::atomic_ref<std::uint64_t> number_in(std::byte* memory) {
  return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(memory));
}

std::string text_of(std::uint64_t state) {
  constexpr std::array names{"forward",           "forward", "backward",
                             "backward",          "apply",   "the exchanges of forward",
                             "left with an error"};
  static_assert(names.size() == kinds);
  if (state == 0) return "no call yet";
  return fmt::format("call {} ({})", state / kinds, names[state % kinds]);
}

}  // namespace

void CallWatch::open(const Communicator& node) {
  if (node.size() == 1) return;
  try {
    segment_ = std::make_unique<SharedSegment>(node, stride);
  } catch (const NoSharedMemory&) {
    return;  // on all ranks of this node
  }
  place_ = node.rank();
  places_ = node.size();
  std::memset(segment_->own(), 0, stride);
  check_mpi(MPI_Barrier(node.get()), "MPI_Barrier");
}

std::uint64_t CallWatch::calls() const { return state_ / kinds; }

void CallWatch::announce(Call call) { publish(calls() + 1, call); }

void CallWatch::fail() { publish(calls(), Call::failed); }

void CallWatch::publish(std::uint64_t call, Call kind) {
  state_ = call * kinds + static_cast<std::uint64_t>(kind);
  if (segment_) number_in(segment_->own()).store(state_, std::memory_order_release);
}

std::string CallWatch::text() const { return text_of(state_); }

std::string CallWatch::text_of_others(const std::vector<int>& ranks) const {
  std::string text;
  for (int place = 0; segment_ && place < places_; ++place)
    if (const std::uint64_t state = state_of(place); state / kinds != calls())
      text += fmt::format("; rank {} is in {}", ranks[place], text_of(state));
  return text;
}

std::uint64_t CallWatch::state_of(int place) const {
  return number_in(segment_->of(place)).load(std::memory_order_acquire);
}

bool CallWatch::is_behind() const {
  for (int place = 0; segment_ && place < places_; ++place)
    if (state_of(place) / kinds > calls()) return true;
  return false;
}

void CallWatch::check() const {
  if (!segment_) return;
  const std::uint64_t own = state_of(place_);
  for (int place = 0; place < places_; ++place) {
    const std::uint64_t other = state_of(place);
    if (other % kinds == static_cast<std::uint64_t>(Call::failed) && other / kinds <= own / kinds)
      throw Error(
          fmt::format("rank {} of this node has left the call with an error; see there", place));
    if (other / kinds == own / kinds && other != own)
      throw Error(
          "ranks disagree: all must call the same of forward and backward, and all with the "
          "plan's own result array or none");
  }
}

}  // namespace weft
