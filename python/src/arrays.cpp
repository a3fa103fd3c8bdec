// A call looks at dtype, shape and strides and touches no element.
#include "arrays.hpp"

namespace weft::python {
namespace {

using Readable = nb::ndarray<nb::ro, nb::device::cpu>;
using Writable = nb::ndarray<nb::device::cpu>;

nb::dlpack::dtype dtype_of(ElementType type) {
  const int bits = type.precision == Precision::double_ ? 64 : 32;
  const auto code = type.real ? nb::dlpack::dtype_code::Float : nb::dlpack::dtype_code::Complex;
  return {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(type.real ? bits : 2 * bits),
          1};
}

std::string name_of(nb::dlpack::dtype dtype) {
  static const char* const names[] = {"int",    "uint",    "float", "object",
                                      "bfloat", "complex", "bool"};
  const std::string name = dtype.code < std::size(names) ? names[dtype.code] : "unknown";
  return name == "bool" ? name : name + std::to_string(dtype.bits);
}

template <class Array>
PerAxis<Index> shape_of(const Array& array) {
  PerAxis<Index> shape;
  for (std::size_t axis = 0; axis < array.ndim(); ++axis)
    shape.push_back(static_cast<Index>(array.shape(axis)));
  return shape;
}

template <class Array>
bool has_strides(const Array& array, const End& end) {
  for (int axis = 0; axis < end.extents.size(); ++axis)
    if (end.extents[axis] > 1 && array.stride(static_cast<std::size_t>(axis)) != end.strides[axis])
      return false;
  return true;
}

template <class Array>
bool has_shape(const Array& array, const End& end) {
  if (end.is_empty) return array.size() == 0;
  if (static_cast<int>(array.ndim()) != end.extents.size()) return false;
  for (int axis = 0; axis < end.extents.size(); ++axis)
    if (static_cast<Index>(array.shape(static_cast<std::size_t>(axis))) != end.extents[axis])
      return false;
  return true;
}

}  // namespace

End::End(const Plan& plan, Side side)
    : type{plan.transform().precision,
           side == Side::input ? plan.input_is_real() : plan.output_is_real()},
      dtype(dtype_of(type)),
      extents(box_of(plan.layout(side), plan.rank()).extents()),
      strides(plan.layout(side).strides(plan.rank())),
      is_empty(volume(extents) == 0) {}

Fields::Fields(nb::handle given, const End& end, Access access) {
  if (nb::isinstance<nb::list>(given) || nb::isinstance<nb::tuple>(given)) {
    for (nb::handle field : given) add(field, end, access);
  } else {
    add(given, end, access);
  }
}

void Fields::add(nb::handle given, const End& end, Access access) {
  nb::object array = nb::borrow(given);
  Readable readable;
  Writable writable;
  const auto is_array = [&] {
    return access == Access::read ? nb::try_cast(array, readable, false)
                                  : nb::try_cast(array, writable, false);
  };
  bool found = is_array();
  if (!found && nb::hasattr(array, "local")) {
    array = array.attr("local");
    found = is_array();
    held_.push_back(array);
  }
  if (!found) {
    const std::string kind = access == Access::read ? "array" : "writable array";
    raw_.push_back(wrong(end, "is no " + kind + " in this machine's memory, but of type " +
                                  nb::cast<std::string>(nb::str(given.type()))));
  } else {
    raw_.push_back(access == Access::read ? checked(readable, end) : checked(writable, end));
  }
}

template <class Given>
RawArray Fields::checked(const Given& array, const End& end) {
  if (array.dtype() != end.dtype)
    return wrong(
        end, "has the dtype " + name_of(array.dtype()) + "; this plan's is " + name_of(end.dtype));
  if (array.ndim() > max_axes) return wrong(end, "has more than 6 axes");
  if (!has_shape(array, end))
    return wrong(end, "has the shape " + to_string(shape_of(array)) +
                          "; this rank's part has the shape " + to_string(end.extents));
  if (!end.is_empty && !has_strides(array, end))
    return wrong(end, "lies in memory in another way than its layout says: the strides are " +
                          to_string(end.strides) + " elements there");
  void* const data = const_cast<void*>(static_cast<const void*>(array.data()));
  return {data, end.type, RawArray::unknown, data == end.own ? end.owner : nullptr};
}

RawArray Fields::wrong(const End& end, std::string mistake) {
  mistakes_.push_back(std::move(mistake));
  RawArray array{nullptr, end.type};
  array.mistake = mistakes_.back().c_str();
  return array;
}

nb::object numpy_view(std::shared_ptr<void> memory, const End& end) {
  std::vector<std::size_t> shape;
  std::vector<std::int64_t> strides;
  for (int axis = 0; axis < end.extents.size(); ++axis) {
    shape.push_back(static_cast<std::size_t>(end.extents[axis]));
    strides.push_back(end.strides[axis]);
  }
  void* const data = memory.get();
  auto held = std::make_unique<std::shared_ptr<void>>(std::move(memory));
  nb::capsule owner(held.release(), [](void* pointer) noexcept {
    delete static_cast<std::shared_ptr<void>*>(pointer);
  });
  return nb::cast(
      nb::ndarray<nb::numpy>(data, shape.size(), shape.data(), owner, strides.data(), end.dtype));
}

}  // namespace weft::python
