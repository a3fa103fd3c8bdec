// A call looks at dtype, shape and strides and touches no element.
#include "arrays.hpp"

#include <algorithm>
#include <new>

#include "seen.hpp"

namespace weft::python {
namespace {

/// Elements that are no numbers are unsigned integers, or complex numbers of 16 bytes, for NumPy.
nb::dlpack::dtype dtype_of(ElementType type) {
  const auto bytes = static_cast<std::uint8_t>(8 * type.bytes());
  if (type.plain_bytes > 0 && type.plain_bytes <= 8)
    return {static_cast<std::uint8_t>(nb::dlpack::dtype_code::UInt), bytes, 1};
  if (type.plain_bytes > 8)
    return {static_cast<std::uint8_t>(nb::dlpack::dtype_code::Complex), bytes, 1};
  const int bits = type.precision == Precision::double_ ? 64 : 32;
  const auto code = type.real ? nb::dlpack::dtype_code::Float : nb::dlpack::dtype_code::Complex;
  return {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(type.real ? bits : 2 * bits),
          1};
}

bool has_strides(const Seen& seen, const End& end) {
  for (int axis = 0; axis < end.extents.size(); ++axis)
    if (end.extents[axis] > 1 && seen.strides[axis] != end.strides[axis]) return false;
  return true;
}

bool has_shape(const Seen& seen, const End& end) {
  return end.is_empty ? volume(seen.shape) == 0 : seen.shape == end.extents;
}

constexpr nb::dlpack::dtype half_precision{static_cast<std::uint8_t>(nb::dlpack::dtype_code::Float),
                                           16, 1};

/// NumPy's type of the elements in this machine's byte order; None of other libraries' arrays.
nb::object native_dtype(nb::handle array) {
  const nb::object dtype = nb::getattr(array, "dtype", nb::none());
  return nb::hasattr(dtype, "newbyteorder") ? dtype.attr("newbyteorder")("=") : nb::none();
}

/// A copy of a NumPy array, as the plan wants it, if only byte order or alignment of the elements
/// differ from the plan's, or they have half the precision of float; nothing of other arrays.
nb::object native_copy(nb::handle array, const End& end) {
  const nb::object dtype = native_dtype(array);
  if (dtype.is_none() || end.type.plain_bytes > 0) return {};
  const auto name = nb::cast<std::string>(dtype.attr("name"));
  const std::string needed = name_of(end.dtype);
  if (name != needed && !(name == name_of(half_precision) && needed == "float32")) return {};
  const auto shape = nb::cast<std::vector<Index>>(array.attr("shape"));
  if (end.is_empty ||
      !std::equal(shape.begin(), shape.end(), end.extents.begin(), end.extents.end()))
    return array.attr("astype")(needed);  // whose shape is the mistake, or nothing is to be copied
  const Index bytes = memory_span(end.extents, end.strides) * end.dtype.bits / 8;
  const std::shared_ptr<void> memory(::operator new(static_cast<std::size_t>(bytes)),
                                     [](void* pointer) { ::operator delete(pointer); });
  nb::object copy = numpy_view(memory, end);
  copy.attr("__setitem__")(nb::ellipsis(), array);
  return copy;
}

/// Why an object cannot be taken for that access.
std::string mistake_of(nb::handle array, Access access) {
  if (const nb::object dtype = native_dtype(array); !dtype.is_none()) {
    if (!nb::cast<bool>(array.attr("dtype").attr("isnative")))
      return "has the byte order of other machines: " +
             nb::cast<std::string>(array.attr("dtype").attr("str"));
    const auto bytes = nb::cast<Index>(dtype.attr("itemsize"));
    const nb::object strides = nb::getattr(array, "strides", nb::make_tuple());
    for (const Index stride : nb::cast<std::vector<Index>>(strides))
      if (bytes > 0 && stride % bytes != 0)
        return "has strides that are no multiple of its elements' size";
  }
  if (access == Access::write && look_at(array, Access::read)) return "is read-only";
  return "is no array in this machine's memory or a device's, but of type " +
         nb::cast<std::string>(array.type().attr("__name__"));
}

}  // namespace

std::string name_of(nb::dlpack::dtype dtype) {
  static const char* const names[] = {"int",    "uint",    "float", "object",
                                      "bfloat", "complex", "bool"};
  const std::string name = dtype.code < std::size(names) ? names[dtype.code] : "unknown";
  return name == "bool" ? name : name + std::to_string(dtype.bits);
}

End::End(const Plan& plan, Side side)
    : type(plan.element_type(side)),
      dtype(dtype_of(type)),
      extents(box_of(plan.layout(side), plan.rank()).extents()),
      strides(plan.layout(side).strides(plan.rank())),
      is_empty(volume(extents) == 0) {}

namespace {

/// Streams of two plans are in no order.
void wait_for(const Plan& other) {
  try {
    other.synchronize();
  } catch (const Error&) {  // it has been closed, and has waited then
  }
}

}  // namespace

Fields::Fields(Plan& plan, nb::handle given, const End& end, Access access) : plan_(plan) {
  if (nb::isinstance<nb::list>(given) || nb::isinstance<nb::tuple>(given)) {
    for (nb::handle field : given) add(field, end, access);
  } else {
    add(given, end, access);
  }
}

void Fields::add(nb::handle given, const End& end, Access access) {
  if (!nb::hasattr(given, "local")) return take(given, end, access);
  held_.push_back(given.attr("local"));
  take(held_.back(), end, access);
}

void Fields::take(nb::handle array, const End& end, Access access) {
  std::optional<Seen> seen = look_at(array, access);
  if (access == Access::read && (!seen || seen->dtype == half_precision))
    if (const nb::object copy = native_copy(array, end); copy.is_valid()) {
      held_.push_back(copy);
      seen = look_at(copy, access);
    }
  raw_.push_back(seen ? checked(*seen, end, access) : wrong(end, mistake_of(array, access)));
}

RawArray Fields::checked(const Seen& seen, const End& end, Access access) {
  if (!seen.mistake.empty()) return wrong(end, seen.mistake);
  if (access == Access::write && seen.is_read_only) return wrong(end, "is read-only");
  const int plain_bytes = end.type.plain_bytes;
  if (plain_bytes > 0 && seen.dtype.bits * seen.dtype.lanes != 8 * plain_bytes)
    return wrong(end, "has the dtype " + name_of(seen.dtype) + "; this plan's elements have " +
                          std::to_string(plain_bytes) + " bytes");
  if (plain_bytes == 0 && seen.dtype != end.dtype)
    return wrong(end,
                 "has the dtype " + name_of(seen.dtype) + "; this plan's is " + name_of(end.dtype));
  if (!has_shape(seen, end))
    return wrong(end, "has the shape " + to_string(seen.shape) +
                          "; this rank's part has the shape " + to_string(end.extents));
  if (!end.is_empty && !has_strides(seen, end))
    return wrong(end, "lies in memory in another way than its layout says: the strides are " +
                          to_string(end.strides) + " elements there");
  try {
    if (seen.is_on_device && !end.is_empty && !plan_.is_on_device(seen.data))
      return wrong(end, "lies in the memory of a device; that of this plan is device=" +
                            plan_.options().device);
    if (seen.stream) plan_.wait_for_stream(*seen.stream);
  } catch (const std::exception& error) {  // of the device
    return wrong(end, std::string("cannot be used: ") + error.what());
  }
  const bool is_of_other_plan = seen.maker != nullptr && seen.maker != &plan_;
  if (is_of_other_plan) wait_for(*seen.maker);
  has_others_ = has_others_ || seen.is_of_others || is_of_other_plan;
  if (seen.kept) kept_.push_back(seen.kept);
  return {seen.data, end.type, RawArray::unknown, seen.data == end.own ? end.owner : nullptr};
}

RawArray Fields::wrong(const End& end, std::string mistake) {
  mistakes_.push_back(std::move(mistake));
  RawArray array{nullptr, end.type};
  array.mistake = mistakes_.back().c_str();
  return array;
}

namespace {

/// Memory of which nanobind makes an array, and which lives as long as the array.
class View {
 public:
  View(std::shared_ptr<void> memory, const End& end) : data_(memory.get()), dtype_(end.dtype) {
    for (int axis = 0; axis < end.extents.size(); ++axis) {
      shape_.push_back(static_cast<std::size_t>(end.extents[axis]));
      strides_.push_back(end.strides[axis]);
    }
    auto held = std::make_unique<std::shared_ptr<void>>(std::move(memory));
    owner_ = nb::capsule(held.release(), [](void* pointer) noexcept {
      delete static_cast<std::shared_ptr<void>*>(pointer);
    });
  }

  template <class Array>
  nb::object as(int kind, int number) const {
    return nb::cast(
        Array(data_, shape_.size(), shape_.data(), owner_, strides_.data(), dtype_, kind, number));
  }

 private:
  void* data_;
  nb::dlpack::dtype dtype_;
  std::vector<std::size_t> shape_;
  std::vector<std::int64_t> strides_;
  nb::capsule owner_;
};

}  // namespace

nb::object numpy_view(std::shared_ptr<void> memory, const End& end) {
  return View(std::move(memory), end).as<nb::ndarray<nb::numpy>>(nb::device::cpu::value, 0);
}

nb::object dlpack_view(const DeviceMemory& memory, const Plan::Dlpack& device) {
  return View(memory.memory, memory.end).as<nb::ndarray<nb::array_api>>(device.kind, device.number);
}

}  // namespace weft::python
