// An exchange that moves nothing: passes write to and read from this rank's own memory. It measures
// what a transform costs when communication is free; its results are meaningless.
#include <algorithm>

#include "exchange/exchange.hpp"
#include "exchange/window_strides.hpp"

namespace weft {
namespace {

/// The array before the exchange, laid out as if it were the array after it.
Geometry source_of(Geometry geometry) {
  geometry.to = geometry.from;
  return geometry;
}

class Nowhere : public Exchange {
 public:
  explicit Nowhere(const ExchangeContext& context)
      : geometry_(context.geometry), rank_(context.rank), memory_(context.own) {}

  View outgoing(int k) const override {
    const Piece array{geometry_.from.box(rank_), 0, window_strides(source_of(geometry_), rank_)};
    return view_of(memory_, array, geometry_.kept_of(geometry_.produced(rank_, k)));
  }
  View incoming(int) const override {
    const Piece array{geometry_.to.box(rank_), 0, window_strides(geometry_, rank_)};
    return view_of(memory_, array, geometry_.kept_of(array.box));
  }
  bool acquire(int) override { return true; }
  bool start(int, int) override { return true; }
  bool test() override { return true; }
  bool finish(int) override { return true; }
  void release(int) override {}

 private:
  Geometry geometry_;
  int rank_;
  std::byte* memory_;
};

MemoryNeeds memory(const Geometry& geometry, int rank, const ExchangeSetting&) {
  return {.own = std::max(window_bytes(geometry, rank), window_bytes(source_of(geometry), rank))};
}

}  // namespace

ExchangeMethod nowhere_method() {
  return {.name = "nowhere",
          .description = "moves nothing: for measuring the passes alone",
          .traits = {.for_users = false},
          .memory = memory,
          .make = make_exchange<Nowhere>};
}

}  // namespace weft
