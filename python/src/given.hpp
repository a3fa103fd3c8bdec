// Arguments of public functions. For one of a wrong type, a sentence names the argument, its value
// and the valid ones; nanobind alone would list C++ signatures.
#pragma once

#include "binding.hpp"

namespace weft::python {

using Indices = std::vector<Index>;
using Counts = std::vector<int>;

/// Addresses of functions of C, and of the data that each is given besides its lines.
using Functions = std::vector<std::pair<std::uintptr_t, std::uintptr_t>>;

/// A shape as NumPy takes it: a list of lengths, or one number where there is one axis.
struct Extents {
  Indices lengths;
};

// The valid values, as the sentence names them.
constexpr const char* valid_for(const int*) { return "is a whole number"; }
constexpr const char* valid_for(const double*) { return "is a real number"; }
constexpr const char* valid_for(const bool*) { return "are True and False"; }
constexpr const char* valid_for(const std::uintptr_t*) { return "is an address"; }
constexpr const char* valid_for(const std::string*) { return "is a text"; }
constexpr const char* valid_for(const Indices*) { return "are whole numbers, one for each axis"; }
constexpr const char* valid_for(const Counts*) { return "is a list of whole numbers"; }
constexpr const char* valid_for(const Extents*) { return "are whole numbers, one for each axis"; }
constexpr const char* valid_for(const std::vector<Counts>*) {
  return "is a list of whole numbers for each axis";
}
constexpr const char* valid_for(const Functions*) { return "are addresses"; }
constexpr const char* valid_for(const Box*) { return "is a weft.Box"; }
constexpr const char* valid_for(const std::vector<Box>*) { return "is a list of weft.Box"; }
constexpr const char* valid_for(const Layout*) { return "is a weft.Layout"; }

/// An argument that is meant to be a T.
template <class T>
struct Given {
  std::optional<T> value;
  nb::object object;  ///< where it is none

  /// Its value, or a TypeError with the sentence.
  const T& as(const std::string& name) const {
    if (value) return *value;
    const auto text = nb::cast<std::string>(nb::repr(object));
    throw nb::type_error(
        (name + ": " + text + "; valid " + valid_for(static_cast<const T*>(nullptr))).c_str());
  }
};

}  // namespace weft::python

namespace nanobind::detail {

template <>
struct type_caster<weft::python::Extents> {
  NB_TYPE_CASTER(weft::python::Extents, const_name("int | collections.abc.Sequence[int]"))
  bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
    make_caster<weft::Index> one;
    if (one.from_python(source, flags, cleanup)) {
      value.lengths = {one.value};
      return true;
    }
    make_caster<weft::python::Indices> several;
    if (!several.from_python(source, flags, cleanup)) return false;
    value.lengths = std::move(several.value);
    return true;
  }
};

template <class T>
struct has_arg_defaults<weft::python::Given<T>> : std::true_type {
};  // so that None comes here, too

/// Takes everything, so that the function itself can name the mistake.
template <class T>
struct type_caster<weft::python::Given<T>> {
  using Caster = make_caster<T>;
  NB_TYPE_CASTER(weft::python::Given<T>, Caster::Name)
  bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
    Caster caster;
    if (!source.is_none() && caster.from_python(source, flags, cleanup) &&
        caster.template can_cast<T>())
      value.value.emplace(caster.operator cast_t<T>());
    else
      value.object = borrow(source);
    return true;
  }
};

}  // namespace nanobind::detail
