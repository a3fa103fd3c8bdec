// The exchange of a rank alone, between passes that all work on its result array: nothing moves.
#include "exchange/exchange.hpp"

namespace weft {
namespace {

class Alone : public Exchange {
 public:
  explicit Alone(const ExchangeContext& context)
      : geometry_(context.geometry), rank_(context.rank) {}

  View outgoing(int) const override { return whole(geometry_.from); }
  View incoming(int) const override { return whole(geometry_.to); }
  bool acquire(int) override { return true; }
  bool start(int, int) override { return true; }
  bool test() override { return true; }
  bool needs_tests() const override { return false; }
  bool finish(int) override { return true; }
  void release(int) override {}

 private:
  /// A view with a null base; the array is bound later.
  View whole(const Layout& layout) const {
    const Box& box = layout.box(rank_);
    return {{nullptr},
            {{box, 0, byte_strides(box.extents(), geometry_.order, geometry_.element.bytes())}}};
  }

  Geometry geometry_;
  int rank_;
};

MemoryNeeds memory(const Geometry&, int, const ExchangeSetting&) { return {}; }

}  // namespace

ExchangeMethod alone_method() {
  return {.name = "alone",
          .description = "data of one rank stay in the result array",
          .traits = {.for_users = false,
                     .for_every_plan = false,
                     .in_result_array = true,
                     .sends_messages = false},
          .memory = memory,
          .make = make_exchange<Alone>};
}

}  // namespace weft
