// Arrays as objects of Python describe themselves: by the buffer protocol, DLPack, or CUDA's array
// interface (version 2 or 3). No element is touched.
#pragma once

#include <optional>
#include <string>

#include "arrays.hpp"

namespace weft::python {

/// An array as its owner describes it.
struct Seen {
  void* data = nullptr;
  nb::dlpack::dtype dtype{};
  PerAxis<Index> shape;
  PerAxis<Index> strides;  ///< in elements
  bool is_read_only = false;
  bool is_on_device = false;         ///< where the host may not touch it
  bool is_of_others = false;         ///< on a device, and made by another library
  std::optional<void*> stream = {};  ///< of the device, on which it is being made
  Plan* maker = nullptr;             ///< the plan on whose stream it is being made
  std::shared_ptr<void> kept = {};   ///< an owner to keep while the memory is used, if any
  std::string mistake = {};          ///< in the description; else empty
};

/// The mistake of a tensor of which gradients are wanted.
constexpr const char* lost_gradients =
    "requires gradients, which would be lost here; valid are the functions of weft.torch, and "
    "tensor.detach()";

/// The array that the object is, or nothing. For writing, a read-only array of the host is none.
std::optional<Seen> look_at(nb::handle object, Access access);

}  // namespace weft::python
