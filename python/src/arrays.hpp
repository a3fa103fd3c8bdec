// Python's arrays as a plan wants them: anything with DLPack or the buffer protocol, checked
// against this rank's part and used where it lies. Mistakes are handed to the plan, whose policy
// decides about them, because other ranks may wait.
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
  const void* owner = nullptr;  ///< what the plan says of it
};

enum class Access { read, write };

/// The arrays of one side of a call: one, or a list or tuple of several fields. An object with an
/// attribute `local`, such as weft.Array, stands for that.
class Fields {
 public:
  Fields(nb::handle given, const End& end, Access access);

  const std::vector<RawArray>& raw() const { return raw_; }

 private:
  void add(nb::handle given, const End& end, Access access);
  template <class Given>
  RawArray checked(const Given& array, const End& end);
  RawArray wrong(const End& end, std::string mistake);

  std::vector<RawArray> raw_;
  std::vector<nb::object> held_;      // views that a call made, until it ends
  std::deque<std::string> mistakes_;  // to whose texts raw_ points
};

/// Memory of Weft as a NumPy array, which keeps it.
nb::object numpy_view(std::shared_ptr<void> memory, const End& end);

}  // namespace weft::python
