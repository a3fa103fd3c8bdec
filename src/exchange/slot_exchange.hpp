// The base of exchanges through the windows of a node. It counts the chunks of a run; after the
// last chunk the windows serve the next run.
#pragma once

#include <utility>

#include "exchange/exchange.hpp"
#include "exchange/shared_slot.hpp"

namespace weft {

class SlotExchange : public Exchange {
 public:
  explicit SlotExchange(ExchangeContext context)
      : context_(std::move(context)), slot_(*context_.slot) {}

  bool test() override { return slot_.settle(); }
  bool needs_tests() const override { return slot_.waits_for_stream(); }
  void release(int) override {
    if (++released_ < consumers()) return;
    released_ = 0;
    slot_.open();
  }
  bool leave() override { return slot_.settle(); }

 protected:
  int producers() const { return context_.geometry.producer.count; }
  int consumers() const { return context_.geometry.consumer.count; }

  /// Whether all other chunks of this run have been finished.
  bool is_last_chunk() const { return finished_ + 1 == consumers(); }
  /// Counts a chunk that has arrived; after the last one, windows serve their next use.
  void count_finished() {
    if (++finished_ < consumers()) return;
    finished_ = 0;
    slot_.next_use();
  }

  ExchangeContext context_;
  SharedSlot& slot_;

 private:
  int finished_ = 0;
  int released_ = 0;
};

}  // namespace weft
