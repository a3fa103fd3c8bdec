// The simplest fast copy: streaming stores of 16 bytes fill write-combining lines as well as wider
// ones.
#include "bench/copy_candidate.hpp"

#include <sys/mman.h>

#include <cstring>
#include <functional>
#include <new>
#include <thread>
#include <vector>

#include "ranks.hpp"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace weft::bench {
namespace {

constexpr std::size_t bytes_per_thread = std::size_t{64} << 20U;  // more than any cache holds
constexpr std::size_t huge_page = std::size_t{2} << 20U;

struct Deallocate {
  void operator()(char* memory) const { ::operator delete (memory, std::align_val_t{huge_page}); }
};
using Memory = std::unique_ptr<char, Deallocate>;

// In huge pages where the system has them (the fastest); first touched by the thread that uses
// them.
Memory touched_memory(char value) {
  Memory memory(static_cast<char*>(::operator new (bytes_per_thread, std::align_val_t{huge_page})));
#if defined(MADV_HUGEPAGE)
  madvise(memory.get(), bytes_per_thread, MADV_HUGEPAGE);
#endif
  std::memset(memory.get(), value, bytes_per_thread);
  return memory;
}

void stream(const char* from, char* to) {
#if defined(__SSE2__)
  const auto* source = reinterpret_cast<const __m128i*>(from);
  auto* target = reinterpret_cast<__m128i*>(to);
  for (std::size_t word = 0; word < bytes_per_thread / sizeof(__m128i); word += 4)
    for (std::size_t next = word; next < word + 4; ++next)
      _mm_stream_si128(target + next, _mm_load_si128(source + next));
  _mm_sfence();
#else
  std::memcpy(to, from, bytes_per_thread);
#endif
}

struct Pair {
  Memory from, to;
};

class StreamingCopy final : public CopyCandidate {
 public:
  explicit StreamingCopy(const Problem& problem)
      : axes_(problem.input_shape.size()), pairs_(static_cast<std::size_t>(problem.threads)) {
    in_threads([](Pair& pair) { pair = {touched_memory(1), touched_memory(2)}; });
    bytes_ = command::sum(2.0 * static_cast<double>(bytes_per_thread) * problem.threads,
                          problem.communicator);
  }

  double bytes() const override { return bytes_; }
  std::string describe() const override { return "copying"; }
  Field input() override { return nothing(); }
  Field output() override { return nothing(); }
  void run() override {
    in_threads([](Pair& pair) { stream(pair.from.get(), pair.to.get()); });
  }

 private:
  Field nothing() const {
    Field field;
    field.box = whole_box(Shape::filled(axes_, 0));
    return field;
  }

  // Starting new threads each time costs only about 20 us, compared with 10 ms for the copy.
  void in_threads(const std::function<void(Pair&)>& work) {
    std::vector<std::jthread> others;
    for (std::size_t number = 1; number < pairs_.size(); ++number)
      others.emplace_back([&, number] { work(pairs_[number]); });
    work(pairs_.front());
  }

  int axes_;
  std::vector<Pair> pairs_;
  double bytes_ = 0;
};

}  // namespace

std::unique_ptr<CopyCandidate> copy_candidate(const Problem& problem) {
  return std::make_unique<StreamingCopy>(problem);
}

}  // namespace weft::bench
