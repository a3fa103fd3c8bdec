// The plan as the binding holds it.
#pragma once

#include "arrays.hpp"

namespace weft::python {

inline Side side_of(bool is_input) { return is_input ? Side::input : Side::output; }

/// A plan, and the facts about its arrays that its calls look up.
class Core {
 public:
  Core(std::uintptr_t comm, const Transform& transform, const std::string& options,
       const Layout& input, const Layout& output);

  Plan& plan() { return plan_; }
  const End& end(Side side) const { return ends_[static_cast<std::size_t>(side)]; }
  Side spectrum() const { return spectral_side(plan_); }
  const End& physical() const { return end(side_of(spectrum() == Side::output)); }
  ElementType spectrum_type() const { return end(spectrum()).type; }

  nb::object own_array(bool is_input);
  nb::object make_array(bool is_input) const;
  /// An array in the memory of the plan's device, for other libraries.
  nb::object dlpack(const DeviceMemory& memory) const;

 private:
  /// As Python has it: on the host a NumPy array, else DeviceMemory.
  nb::object view(std::shared_ptr<void> memory, const End& end) const;

  Plan plan_;
  End ends_[2];
};

}  // namespace weft::python
