// Copies blocks between the ranks of one process as soon as they are started. Simple, but ranks
// must run in lockstep, one action of the schedule after another.
#include "exchange_method/loopback.hpp"

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
  bool acquire(int) override { return true; }
  bool test() override { return true; }
  bool finish(int) override { return true; }
  void release(int) override {}

  bool start(int k, int j) override {
    const BlockTable& table = buffers_.table();
    const int call = table.call(k, j);
    for (int member = 0; member < table.members; ++member) {
      if (member == table.self) continue;
      const BlockBuffers& peer = *world_.buffers.at(group_[member]);
      if (const Index count = table.to(call, member).count; count > 0)
        std::memcpy(peer.receive_address(call, table.self), buffers_.send_address(call, member),
                    static_cast<std::size_t>(count * table.unit));
    }
    return true;
  }

 private:
  BlockBuffers buffers_;
  int rank_;
  std::vector<int> group_;
  LoopbackWorld& world_;
};

}  // namespace

ExchangeMethod loopback_method() {
  return {.name = "loopback",
          .description = "all ranks in one process: for tests",
          .traits = {.for_users = false},
          .memory = BlockBuffers::memory,
          .make = make_exchange<Loopback>};
}

}  // namespace weft
