// Every rank keeps its data, so there is nothing to move: a pass finds in the result array what the
// pass before has left there.
#include "exchange/exchange.hpp"
#include "exchange/result_array.hpp"

namespace weft {
namespace {

class Stay : public Exchange {
 public:
  explicit Stay(const ExchangeContext& context)
      : before_(result_array(context.geometry, context.geometry.from, context.rank)),
        after_(result_array(context.geometry, context.geometry.to, context.rank)) {}

  View outgoing(int) const override { return before_; }
  View incoming(int) const override { return after_; }
  bool acquire(int) override { return true; }
  bool start(int, int) override { return true; }
  bool test() override { return true; }
  bool needs_tests() const override { return false; }
  bool finish(int) override { return true; }
  void release(int) override {}

 private:
  View before_;
  View after_;
};

void check(const Geometry& geometry) {
  if (!geometry.stays())
    throw Error("exchange stay: ranks exchange data; valid is auto, which takes it where none do");
}

}  // namespace

ExchangeMethod stay_method() {
  return {.name = "stay",
          .description = "moves nothing: passes work in the result array",
          .traits = {.for_users = false,
                     .for_every_plan = false,
                     .in_result_array = true,
                     .sends_messages = false,
                     .device_reach = DeviceReach::host},
          .check = check,
          .memory = [](const Geometry&, int, const ExchangeSetting&) { return MemoryNeeds(); },
          .make = make_exchange<Stay>};
}

}  // namespace weft
