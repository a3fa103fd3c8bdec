// The arrays of a plan whose device may be a GPU, for code of the host that fills and reads them.
#pragma once

#include <memory>
#include <weft/plan.hpp>

#include "plan_arguments.hpp"

namespace weft::command {

/// The plan's own array at one end, and its elements as the host sees them: the same array, or a
/// copy where the array lies on a device.
template <class T>
class PlanArray {
 public:
  PlanArray(Plan& plan, Side side)
      : plan_(plan), own_(side == Side::input ? plan.input<T>() : plan.output<T>()), seen_(own_) {
    if (is_for_host(plan)) return;
    const Layout& layout = plan.layout(side);
    const auto elements = static_cast<std::size_t>(layout.allocated(plan.rank()));
    bytes_ = elements * sizeof(T);
    seen_ = Array<T>(std::shared_ptr<T[]>(new T[elements]), layout, plan.rank());
  }

  Array<T>& own() { return own_; }
  Array<T>& seen() { return seen_; }
  /// Copies between the two; nothing on the host.
  void send() { plan_.copy(own_.data(), seen_.data(), bytes_); }
  void fetch() { plan_.copy(seen_.data(), own_.data(), bytes_); }

 private:
  Plan& plan_;
  Array<T> own_;
  Array<T> seen_;
  std::size_t bytes_ = 0;  // to copy
};

}  // namespace weft::command
