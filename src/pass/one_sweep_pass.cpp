// A pass with at most one step: a single sweep whose tiles go directly from source to target, so
// that it needs no memory beyond tile buffers.
#include <fmt/format.h>

#include "pass/tile_pass.hpp"

namespace weft {
namespace {

class OneSweepPass : public TilePass {
 public:
  OneSweepPass(PassParts parts, const Caches& caches)
      : TilePass(std::move(parts), caches), sweep_(make_only_sweep(caches)) {
    for (int worker = 0; worker < spec().threads; ++worker)
      buffers_.push_back(sweep_->make_buffers());
    prepare_sums(*sweep_, *sweep_);
  }

  void run(int index, const std::function<void()>& poll) override {
    const Cell& cell = cells()[index];
    const View& source = from()[cell.consumes];
    const View& target = to()[cell.produces];
    run_units(index, sweep_->tiles(cell.domain), poll, [&](Index tile, int worker) {
      SweepCall sweep_call = call();
      sweep_call.sums = sums({.is_first = true, .is_last = true}, worker);
      sweep_->run_tile(cell.domain, tile, source, target, buffers_[worker], sweep_call);
    });
  }

  std::size_t buffer_bytes() const override { return sweep_->buffer_bytes() * buffers_.size(); }
  std::string describe() const override {
    return fmt::format("tile {}", to_string(sweep_->tile()));
  }

 private:
  std::unique_ptr<const Sweep> make_only_sweep(const Caches& caches) const {
    SweepSpec sweep = sweep_spec(spec().computation.along_lines().front());
    sweep.source = source_side();
    sweep.target = target_side();
    return make_sweep(std::move(sweep), domains_of(cells()), from(), to(), caches);
  }

  std::unique_ptr<const Sweep> sweep_;
  std::vector<TileBuffers> buffers_;  // by worker
};

}  // namespace

std::unique_ptr<Pass> make_one_sweep_pass(PassParts parts, const Caches& caches) {
  return std::make_unique<OneSweepPass>(std::move(parts), caches);
}

}  // namespace weft
