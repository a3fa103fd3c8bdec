// Devices' arrays are asked how their owner wants it: https://dmlc.github.io/dlpack/latest and
// https://numba.readthedocs.io/en/stable/cuda/cuda_array_interface.html.
#include "seen.hpp"

#include <array>
#include <cstdlib>
#include <utility>

#include "plan.hpp"

namespace weft::python {
namespace {

/// DLPack's numbers of kinds of memory.
constexpr int dlpack_cpu = 1, dlpack_cuda = 2, dlpack_cuda_host = 3, dlpack_cuda_managed = 13;
/// CUDA's name of its oldest default stream, in both protocols; objects that say nothing mean it.
constexpr std::uintptr_t legacy_stream = 1;

void* as_stream(std::uintptr_t handle) { return reinterpret_cast<void*>(handle); }

Seen wrong(std::string mistake) {
  Seen seen;
  seen.mistake = std::move(mistake);
  return seen;
}

template <class Array>
Seen seen_of(Array array) {
  if (array.ndim() > static_cast<std::size_t>(max_axes)) return wrong("has more than 8 axes");
  Seen seen;
  seen.data = const_cast<void*>(static_cast<const void*>(array.data()));
  seen.dtype = array.dtype();
  for (std::size_t axis = 0; axis < array.ndim(); ++axis) {
    seen.shape.push_back(static_cast<Index>(array.shape(axis)));
    seen.strides.push_back(array.stride(axis));
  }
  seen.kept = std::make_shared<Array>(std::move(array));
  return seen;
}

Seen seen_of(const DeviceMemory& memory) {
  return {.data = memory.memory.get(),
          .dtype = memory.end.dtype,
          .shape = memory.end.extents,
          .strides = memory.end.strides,
          .is_on_device = true,
          .maker = &nb::cast<Core&>(memory.core).plan()};
}

template <class... Settings>
std::optional<Seen> cast(nb::handle object, Access access) {
  nb::ndarray<nb::ro, Settings...> readable;
  nb::ndarray<Settings...> writable;
  if (access == Access::read) {
    if (!nb::try_cast(object, readable, false)) return std::nullopt;
    return seen_of(std::move(readable));
  }
  if (!nb::try_cast(object, writable, false)) return std::nullopt;
  return seen_of(std::move(writable));
}

/// The type that "<c16" and the like name; for unknown names a type that no plan has.
nb::dlpack::dtype dtype_of(const std::string& typestr) {
  constexpr std::array<std::pair<char, nb::dlpack::dtype_code>, 4> codes{
      {{'f', nb::dlpack::dtype_code::Float},
       {'c', nb::dlpack::dtype_code::Complex},
       {'i', nb::dlpack::dtype_code::Int},
       {'u', nb::dlpack::dtype_code::UInt}}};
  for (const auto& [letter, code] : codes)
    if (typestr.size() > 2 && typestr[1] == letter)
      return {static_cast<std::uint8_t>(code),
              static_cast<std::uint8_t>(8 * std::atoi(typestr.c_str() + 2)), 1};
  return {0xff, 0, 1};
}

/// The strides in elements of an array in C's order.
PerAxis<Index> dense_strides(const PerAxis<Index>& shape) {
  PerAxis<Index> strides = shape;
  Index stride = 1;
  for (int axis = shape.size() - 1; axis >= 0; --axis) {
    strides[axis] = stride;
    stride *= shape[axis];
  }
  return strides;
}

/// The entry of that name, or None.
nb::object entry(const nb::dict& described, const char* name) {
  return described.contains(name) ? nb::borrow(described[name]) : nb::none();
}

Seen interface_of(const nb::dict& described) {
  const int version = nb::cast<int>(described["version"]);
  if (version != 2 && version != 3)
    return wrong("has version " + std::to_string(version) +
                 " of __cuda_array_interface__; valid are 2 and 3");
  if (!entry(described, "mask").is_none()) return wrong("has a mask");
  const auto typestr = nb::cast<std::string>(described["typestr"]);
  if (typestr.starts_with('>')) return wrong("has the byte order of other machines: " + typestr);
  const auto shape = nb::cast<std::vector<Index>>(described["shape"]);
  if (shape.size() > static_cast<std::size_t>(max_axes)) return wrong("has more than 8 axes");
  const auto [address, is_read_only] = nb::cast<std::pair<std::uintptr_t, bool>>(described["data"]);
  Seen seen;
  seen.data = reinterpret_cast<void*>(address);
  seen.is_read_only = is_read_only;
  seen.is_on_device = seen.is_of_others = true;
  seen.dtype = dtype_of(typestr);
  seen.shape = per_axis(shape);
  seen.strides = dense_strides(seen.shape);
  const Index bytes = seen.dtype.bits / 8;
  if (const nb::object strides = entry(described, "strides"); !strides.is_none()) {
    seen.strides = per_axis(nb::cast<std::vector<Index>>(strides));
    if (seen.strides.size() != seen.shape.size()) return wrong("has strides for other axes");
    for (Index& stride : seen.strides) {
      if (bytes > 0 && stride % bytes != 0)
        return wrong("has strides that are no multiple of its elements' size");
      stride = bytes > 0 ? stride / bytes : 0;
    }
  }
  const nb::object stream = entry(described, "stream");
  if (version == 2) {
    seen.stream = as_stream(legacy_stream);
  } else if (!stream.is_none()) {
    const auto handle = nb::cast<std::uintptr_t>(stream);
    if (handle == 0)
      return wrong("has the stream 0 in __cuda_array_interface__; valid are 1, 2 or a handle");
    seen.stream = as_stream(handle);
  }
  return seen;
}

/// Only tensors of version 1 and later say that they are read-only; older owners do not take the
/// question.
nb::object capsule_of(nb::handle object, const nb::object& stream) {
  const nb::object give = object.attr("__dlpack__");
  try {
    return give(nb::arg("stream") = stream, nb::arg("max_version") = nb::make_tuple(1, 0));
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_TypeError)) throw;
  }
  return give(nb::arg("stream") = stream);
}

/// Makes the owner wait for its own work on the stream that the plan then waits for.
std::optional<Seen> by_dlpack(nb::handle object, int kind, Access access) {
  if (kind == dlpack_cpu) return cast<nb::device::cpu>(object, access);
  if (kind != dlpack_cuda && kind != dlpack_cuda_host && kind != dlpack_cuda_managed)
    return wrong("lies in the memory of a device that DLPack calls " + std::to_string(kind) +
                 "; valid are the host and CUDA");
  const bool has_stream = kind != dlpack_cuda_host;
  std::optional<Seen> seen =
      cast<>(capsule_of(object, has_stream ? nb::cast(legacy_stream) : nb::none()), access);
  if (!seen) return wrong("cannot be taken through DLPack");
  seen->is_on_device = seen->is_of_others = kind != dlpack_cuda_host;
  if (has_stream) seen->stream = as_stream(legacy_stream);
  return seen;
}

}  // namespace

std::optional<Seen> look_at(nb::handle object, Access access) {
  if (nb::isinstance<DeviceMemory>(object)) return seen_of(nb::cast<DeviceMemory&>(object));
  try {
    if (nb::cast<bool>(nb::getattr(object, "requires_grad", nb::bool_(false))))
      return wrong(lost_gradients);
    // DLPack first: with it the owner orders its streams, which PyTorch's interface does not name.
    if (nb::hasattr(object, "__dlpack_device__")) {
      const auto device = nb::cast<std::pair<int, int>>(object.attr("__dlpack_device__")());
      return by_dlpack(object, device.first, access);
    }
    if (nb::hasattr(object, "__cuda_array_interface__"))
      return interface_of(nb::cast<nb::dict>(object.attr("__cuda_array_interface__")));
    return cast<nb::device::cpu>(object, access);
  } catch (
      const std::exception& error) {  // what the object has raised, or an entry of another type
    return wrong(std::string("cannot be taken: ") + error.what());
  }
}

}  // namespace weft::python
