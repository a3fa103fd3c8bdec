// Ranks of one node scatter straight into each other's windows: the scatter is the communication.
// No send buffer and no copy by MPI, but every store of the pass crosses to a peer's memory.
#include <algorithm>

#include "exchange/slot_exchange.hpp"
#include "exchange/window_strides.hpp"

namespace weft {
namespace {

class Shared : public SlotExchange {
 public:
  explicit Shared(ExchangeContext context) : SlotExchange(std::move(context)) {
    const Geometry& geometry = context_.geometry;
    for (int peer : context_.group) {
      // A stream keeps this rank's own passes in order.
      const bool needs_flags = peer != context_.rank || !slot_.waits_for_stream();
      if (!intersect(geometry.from.box(context_.rank), geometry.to.box(peer)).empty()) {
        target_ranks_.push_back(peer);
        if (needs_flags) targets_.push_back(slot_.place_of(peer));
        map(peer);
      }
      if (needs_flags &&
          !intersect(geometry.from.box(peer), geometry.to.box(context_.rank)).empty())
        sources_.push_back(slot_.place_of(peer));
    }
  }

  View outgoing(int k) const override {
    const Geometry& geometry = context_.geometry;
    View view;
    for (int peer : target_ranks_) {
      Piece area = area_of(peer);
      area.base = static_cast<int>(view.bases.size());
      view.bases.push_back(slot_.at(slot_.place_of(peer)));
      const Box box = intersect(geometry.produced(context_.rank, k), area.box);
      view.add(area, geometry.kept_of(box));
    }
    return view;
  }

  View incoming(int) const override {
    const Piece area = area_of(context_.rank);
    return view_of(slot_.own(), area, context_.geometry.kept_of(area.box));
  }

  bool acquire(int k) override { return k > 0 || slot_.is_open(targets_); }
  bool start(int, int j) override {
    if (!targets_.empty()) slot_.produce(j);
    return true;
  }

  bool finish(int j) override {
    if (!slot_.has_arrived(sources_, j, context_.geometry.blocks_of_chunk())) return false;
    count_finished();
    return true;
  }

 private:
  /// Maps the bytes that this rank writes for the peer, with the gaps between them.
  void map(int peer) const {
    const Piece area = area_of(peer);
    const Box box = intersect(context_.geometry.from.box(context_.rank), area.box);
    for (const Box& kept : context_.geometry.kept_of(box)) {
      Point last = kept.upper;
      for (Index& index : last) --index;
      const auto begin = static_cast<std::size_t>(area.offset_of(kept.lower));
      const auto end = static_cast<std::size_t>(area.offset_of(last));
      slot_.map(slot_.place_of(peer), begin, end + 1 - begin);
    }
  }

  Piece area_of(int rank) const {
    const Box& box = context_.geometry.to.box(rank);
    return {box, 0, window_strides(context_.geometry, rank)};
  }

  std::vector<int> target_ranks_;
  std::vector<int> targets_;  // places on the node, of ranks that read flags
  std::vector<int> sources_;
};

}  // namespace

ExchangeMethod shared_method() {
  return {.name = "shared",
          .description = "scatters into the windows of the ranks of the same node",
          .traits = {.needs_one_node = true,
                     .default_within_nodes = true,
                     .modelled = true,
                     .peers_write_target = true,
                     .sends_messages = false},
          .memory =
              [](const Geometry& geometry, int rank, const ExchangeSetting&) {
                return MemoryNeeds{.window = window_bytes(geometry, rank)};
              },
          .make = make_exchange<Shared>};
}

}  // namespace weft
