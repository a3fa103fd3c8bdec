// Moves blocks by memcpy between the ranks of one process, when they are started: ranks must be run
// in step, one action of the schedule after another.
#include "exchange/loopback.hpp"

#include <cstring>

namespace weft {
namespace {

class Loopback : public Exchange {
 public:
  explicit Loopback(const ExchangeContext& context)
      : buffers_(context), rank_(context.rank), group_(context.group), world_(*context.loopback) {
    world_.buffers[rank_] = &buffers_;
  }
  ~Loopback() override { world_.buffers.erase(rank_); }

  View outgoing(int k) const override { return buffers_.outgoing(k); }
  View incoming(int j) const override { return buffers_.incoming(j); }
  void acquire(int) override {}
  bool test() override { return true; }
  void finish(int) override {}
  void release(int) override {}

  void start(int k, int j) override {
    for (int member = 0; member < buffers_.members(); ++member) {
      if (buffers_.is_self(member)) continue;
      const BlockBuffers& peer = *world_.buffers.at(group_[member]);
      const auto& out = buffers_.sent(member, k, j);
      for (int source = 0; source < peer.members(); ++source)
        if (group_[source] == rank_ && out.count > 0)
          std::memcpy(peer.receive_address(peer.received(source, k, j)), buffers_.send_address(out),
                      static_cast<std::size_t>(out.count * buffers_.unit_bytes()));
    }
  }

 private:
  BlockBuffers buffers_;
  int rank_;
  std::vector<int> group_;
  LoopbackWorld& world_;
};

}  // namespace

ExchangeMethod loopback_method() {
  return {"loopback",
          "all ranks in one process: for tests",
          false,
          false,
          BlockBuffers::memory,
          [](ExchangeContext context) -> std::unique_ptr<Exchange> {
            return std::make_unique<Loopback>(context);
          }};
}

}  // namespace weft
