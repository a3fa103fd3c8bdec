// Copies go on the stream of the passes: no pass needs to wait for them, and the chunks of the
// schedule are the pieces in which copies, messages and passes overlap. The price is a buffer of
// the host for each buffer of the device.
#include "exchange/staged.hpp"

#include "machine/aligned_buffer.hpp"

namespace weft {
namespace {

class Staged : public Transport {
 public:
  Staged(const TransportMethod& method, TransportContext context, Stream& stream)
      : table_(context.table),
        send_(context.send),
        receive_(context.receive),
        stream_(stream),
        host_send_(bytes_of(table_.send_units)),
        host_receive_(bytes_of(table_.receive_units)) {
    context.send = host_send_.data();
    context.receive = host_receive_.data();
    transport_ = method.make(std::move(context));
  }

  void expect_overlap(bool overlapped) override { transport_->expect_overlap(overlapped); }
  bool test() override { return transport_->test(); }

  void start(int k, int j) override {
    copy(table_.call(k, j), table_.sent, host_send_.data(), send_);
    transport_->start(k, j);  // launches what it sends when the stream has got here
  }

  bool finish(int j) override {
    if (!transport_->finish(j)) return false;
    for (int k = 0; k < table_.producer_chunks; ++k)
      copy(table_.call(k, j), table_.received, receive_, host_receive_.data());
    return true;
  }

 private:
  std::size_t bytes_of(Index units) const { return static_cast<std::size_t>(units * table_.unit); }

  /// All runs of a call, which are neighbours, but for room that is left between them.
  void copy(int call, const std::vector<BlockTable::Run>& runs, std::byte* to,
            const std::byte* from) {
    const auto* const first = &runs[static_cast<std::size_t>(call * table_.members)];
    const auto* const last = first + table_.members - 1;
    const std::size_t begin = bytes_of(first->offset);
    const std::size_t end = bytes_of(last->offset + last->count);
    if (begin < end) stream_.copy(to + begin, from + begin, end - begin);
  }

  BlockTable table_;
  std::byte* send_;
  std::byte* receive_;
  Stream& stream_;
  AlignedBuffer host_send_;
  AlignedBuffer host_receive_;
  std::unique_ptr<Transport> transport_;
};

}  // namespace

std::unique_ptr<Transport> make_staged(const TransportMethod& method, TransportContext context,
                                       Device& device, DevicePath path) {
  context.stream = device.stream();
  const bool is_direct = path == DevicePath::direct && !method.traits.always_staged;
  if (context.stream == nullptr || is_direct) return method.make(std::move(context));
  return std::make_unique<Staged>(method, std::move(context), *device.stream());
}

}  // namespace weft
