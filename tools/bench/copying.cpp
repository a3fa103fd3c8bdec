// The simplest fast copy: streaming stores of 16 bytes fill write-combining lines as well as wider
// ones.
#include "bench/copying.hpp"

#include <cstring>
#include <thread>
#include <vector>

#include "job/device_of_rank.hpp"
#include "machine/aligned_buffer.hpp"
#include "ranks.hpp"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace weft::bench {
namespace {

constexpr std::size_t bytes_per_thread = std::size_t{64} << 20U;
constexpr int copies = 4;
constexpr std::size_t device_bytes = std::size_t{128} << 20U;  // caches of devices are larger

void stream(const std::byte* from, std::byte* to) {
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

class HostCopying final : public Copying {
 public:
  /// Memory is first touched by the thread that uses it.
  HostCopying(MPI_Comm communicator, int threads)
      : pairs_(static_cast<std::size_t>(threads)),
        bytes_(command::sum(2.0 * static_cast<double>(bytes_per_thread) * threads, communicator)) {
    in_threads([](Pair& pair) {
      pair = {AlignedBuffer(bytes_per_thread), AlignedBuffer(bytes_per_thread)};
      std::memset(pair.from.data(), 1, bytes_per_thread);
      std::memset(pair.to.data(), 2, bytes_per_thread);
    });
  }

  void run() override {
    in_threads([](Pair& pair) { stream(pair.from.data(), pair.to.data()); });
  }
  double bytes() const override { return bytes_; }

 private:
  struct Pair {
    AlignedBuffer from, to;
  };

  /// Starting new threads each time costs only about 20 us, compared with 10 ms for the copy.
  template <class Work>
  void in_threads(Work&& work) {
    std::vector<std::jthread> others;
    for (std::size_t number = 1; number < pairs_.size(); ++number)
      others.emplace_back([&, number] { work(pairs_[number]); });
    work(pairs_.front());
  }

  std::vector<Pair> pairs_;
  double bytes_;
};

/// Several copies at a time, so that waiting for the last one takes little of the time.
class DeviceCopying final : public Copying {
 public:
  DeviceCopying(std::shared_ptr<Device> device, double bytes)
      : device_(std::move(device)),
        from_(device_->memory().allocate(device_bytes, "an array to copy")),
        to_(device_->memory().allocate(device_bytes, "an array to copy")),
        bytes_(bytes) {}

  static constexpr double own_bytes = 2.0 * copies * device_bytes;

  void run() override {
    for (int number = 0; number < copies; ++number)
      device_->copy(to_.data(), from_.data(), device_bytes);
    device_->synchronize();
  }
  double bytes() const override { return bytes_; }

 private:
  std::shared_ptr<Device> device_;
  Memory from_, to_;
  double bytes_;
};

}  // namespace

std::unique_ptr<Copying> make_copying(MPI_Comm communicator, const std::string& name, int threads) {
  if (is_host_device(name)) return std::make_unique<HostCopying>(communicator, threads);
  std::unique_ptr<Copying> copying;
  const std::string own = device_of_rank(join_job(communicator, 0), name);
  const double bytes = command::sum(DeviceCopying::own_bytes, communicator);
  agree(communicator, [&] { copying = std::make_unique<DeviceCopying>(open_device(own), bytes); });
  return copying;
}

}  // namespace weft::bench
