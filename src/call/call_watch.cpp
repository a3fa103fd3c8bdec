// One word per call says all that ranks must have in common, so that one comparison tells.
#include "call/call_watch.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cstring>

#include "machine/cache_line.hpp"

namespace weft {
namespace {

constexpr auto kinds = static_cast<std::uint64_t>(CallWatch::Call::count);
constexpr auto rule =
    "all ranks must make the same calls in the same order, with the same number of fields and the "
    "same scale, and all or none into the plan's own array";
constexpr int detail_bits = 16;
constexpr int kind_bits = 8;

std::uint64_t number_of(std::uint64_t word) { return word >> (detail_bits + kind_bits); }
std::uint64_t kind_of(std::uint64_t word) {
  return (word >> detail_bits) & ((std::uint64_t{1} << kind_bits) - 1);
}
std::uint64_t word_of(std::uint64_t number, CallWatch::Call kind, std::uint64_t detail) {
  return ((number << kind_bits | static_cast<std::uint64_t>(kind)) << detail_bits) |
         (detail & ((std::uint64_t{1} << detail_bits) - 1));
}

bool has_failed(std::uint64_t word) {
  return kind_of(word) == static_cast<std::uint64_t>(CallWatch::Call::failed);
}

std::string text_of(std::uint64_t word) {
  constexpr std::array names{"forward",
                             "forward into the plan's array",
                             "backward",
                             "backward into the plan's array",
                             "apply",
                             "the exchanges of forward",
                             "making the plan's own array",
                             "packing or unpacking a plane",
                             "left with an error"};
  static_assert(names.size() == kinds);
  if (word == 0) return "no call yet";
  return fmt::format("call {} ({})", number_of(word), names[kind_of(word)]);
}

/// Of one rank: its latest word, and those of its calls by number.
std::size_t stride_of(std::uint64_t kept) {
  const std::size_t bytes = (1 + kept) * sizeof(std::uint64_t);
  return (bytes + line_bytes - 1) / line_bytes * line_bytes;
}

}  // namespace

/// A rank may be ahead by what it has in flight and, where it waits for few others, a little more.
void CallWatch::open(const Communicator& all, const Communicator& node, int in_flight) {
  kept_ = 2 * static_cast<std::uint64_t>(in_flight) + 5;
  own_.assign(kept_, 0);
  if (all.size() == 1) return;
  if (node.size() > 1) {
    try {
      segment_ = std::make_unique<SharedSegment>(node, stride_of(kept_));
      place_ = node.rank();
      places_ = node.size();
      std::memset(segment_->own(), 0, stride_of(kept_));
      check_mpi(MPI_Barrier(node.get()), "MPI_Barrier");
    } catch (const NoSharedMemory&) {
      // on all ranks of this node
    }
  }
  int sees_all = segment_ && places_ == all.size();
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &sees_all, 1, MPI_INT, MPI_MIN, all.get()),
            "MPI_Allreduce");
  if (!sees_all) reductions_ = std::make_unique<CallReductions>(all);
}

std::uint64_t CallWatch::calls() const { return number_of(latest_); }

std::uint64_t CallWatch::announce(Call call, std::uint64_t detail) {
  compare_nodes();
  const std::uint64_t number = calls() + 1;
  const Word word = word_of(number, call, detail);
  own_[number % kept_] = word;
  if (segment_) word_in(segment_->own(), number).store(word, std::memory_order_release);
  publish(word);
  if (reductions_) reductions_->start(word);
  return number;
}

void CallWatch::fail() { publish(word_of(calls(), Call::failed, 0)); }

void CallWatch::finish() noexcept {
  if (reductions_) reductions_->finish();
}

void CallWatch::publish(Word word) {
  latest_ = word;
  if (segment_)
    std::atomic_ref(*reinterpret_cast<Word*>(segment_->own()))
        .store(word, std::memory_order_release);
}

std::atomic_ref<std::uint64_t> CallWatch::word_in(std::byte* memory, std::uint64_t call) const {
  return std::atomic_ref(reinterpret_cast<Word*>(memory)[1 + call % kept_]);
}

std::string CallWatch::text() const { return text_of(latest_); }

std::string CallWatch::text_of_others(const std::vector<int>& ranks) const {
  std::string text;
  for (int place = 0; segment_ && place < places_; ++place)
    if (const Word word = latest_of(place); number_of(word) != calls())
      text += fmt::format("; rank {} is in {}", ranks[place], text_of(word));
  return text;
}

std::uint64_t CallWatch::latest_of(int place) const {
  return std::atomic_ref(*reinterpret_cast<Word*>(segment_->of(place)))
      .load(std::memory_order_acquire);
}

bool CallWatch::is_behind() const {
  for (int place = 0; segment_ && place < places_; ++place)
    if (number_of(latest_of(place)) > calls()) return true;
  return false;
}

void CallWatch::check(std::uint64_t call) const {
  const Word own = own_[call % kept_];
  for (int place = 0; segment_ && place < places_; ++place) {
    if (const Word latest = latest_of(place); has_failed(latest) && number_of(latest) <= call)
      throw Error(fmt::format(
          "rank {} of this node has left the call with an error; see its message", place));
    const Word other = word_in(segment_->of(place), call).load(std::memory_order_acquire);
    if (number_of(other) == call && other != own)
      throw Error(fmt::format("ranks disagree: this one is in {}, rank {} of this node in {}; {}",
                              text_of(own), place, text_of(other), rule));
  }
  compare_nodes();
}

void CallWatch::compare_nodes() const {
  if (reductions_ && !reductions_->all_equal())
    throw Error(fmt::format("ranks disagree in {} or before it; {}", text(), rule));
}

}  // namespace weft
