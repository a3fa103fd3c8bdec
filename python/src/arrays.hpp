// Python's arrays as a plan wants them, checked against this rank's part and used where they lie:
// anything with DLPack or the buffer protocol, and for devices DLPack or CUDA's array interface.
// Mistakes are handed to the plan, whose policy decides about them, because other ranks may wait.
#pragma once

#include <deque>

#include "binding.hpp"

namespace weft::python {

/// One end of a plan on this rank, looked up once because every call needs it.
struct End {
  End(const Plan& plan, Side side);

  ElementType type;
  nb::dlpack::dtype dtype;
  Shape extents;
  PerAxis<Index> strides;
  bool is_empty;
  void* own = nullptr;          ///< the plan's own array, once somebody has asked for it
  const void* owner = nullptr;  ///< Plan::owner() then
};

/// Memory of an array that only a plan's device may touch, its shape and strides there, and the
/// plan (a Core) on whose stream it is used.
struct DeviceMemory {
  std::shared_ptr<void> memory;
  End end;
  nb::object core;
};

/// As NumPy calls it.
std::string name_of(nb::dlpack::dtype dtype);

enum class Access { read, write };

struct Seen;

/// The arrays of one side of a call: one, or a list or tuple of several fields. An object with an
/// attribute `local`, such as weft.Array or weft.DeviceArray, stands for that.
class Fields {
 public:
  /// Lets the plan wait for the streams on which arrays of a device are made.
  Fields(Plan& plan, nb::handle given, const End& end, Access access);

  const std::vector<RawArray>& raw() const { return raw_; }
  /// Whether arrays of other libraries or plans are among them, which know nothing of the plan's
  /// stream: they must not be handed back before it is done.
  bool has_others() const { return has_others_; }
  /// The owners of arrays that others made for this call only, for example tensors of DLPack
  /// capsules; a transform in flight keeps them.
  std::vector<std::shared_ptr<void>> take_kept() { return std::move(kept_); }

 private:
  void add(nb::handle given, const End& end, Access access);
  void take(nb::handle array, const End& end, Access access);
  RawArray checked(const Seen& seen, const End& end, Access access);
  RawArray wrong(const End& end, std::string mistake);

  Plan& plan_;
  bool has_others_ = false;
  std::vector<RawArray> raw_;
  std::vector<nb::object> held_;  // views that a call made, until it ends
  std::vector<std::shared_ptr<void>> kept_;
  std::deque<std::string> mistakes_;  // to whose texts raw_ points
};

/// Memory of Weft as a NumPy array, which keeps it.
nb::object numpy_view(std::shared_ptr<void> memory, const End& end);

/// The same as an object that others take through DLPack, for memory of a device that they can use.
nb::object dlpack_view(const DeviceMemory& memory, const Plan::Dlpack& device);

}  // namespace weft::python
