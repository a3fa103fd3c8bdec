// The arrays that the calls of a plan accept: pointers, ranges of elements, Arrays, and ranges of
// these for several fields. All become RawArrays, whose element type is data.
#pragma once

#include <array>
#include <concepts>
#include <ranges>
#include <span>
#include <type_traits>
#include <vector>
#include <weft/array.hpp>
#include <weft/transform.hpp>

namespace weft {

/// A number that transforms know.
template <class T>
concept ArrayElement = std::same_as<T, float> || std::same_as<T, double> ||
    std::same_as<T, std::complex<float>> || std::same_as<T, std::complex<double>>;

/// Other elements, which plans of Kind::none move as they are: integers, characters, booleans and
/// enumerators. Structures of as many bytes are given as a RawArray.
template <class T>
concept PlainElement =
    !ArrayElement<T> && (std::is_arithmetic_v<T> || std::is_enum_v<T>)&&sizeof(T) <= 16;

/// Anything that arrays may hold.
template <class T>
concept AnyElement = ArrayElement<T> || PlainElement<T>;

/// The type of an array of T.
template <AnyElement T>
constexpr ElementType element_of() {
  if constexpr (PlainElement<T>) return {Precision::double_, true, static_cast<int>(sizeof(T))};
  constexpr bool real = std::is_floating_point_v<T>;
  constexpr bool single = std::is_same_v<T, float> || std::is_same_v<T, std::complex<float>>;
  return {single ? Precision::single_ : Precision::double_, real};
}

/// The local part of one field, whose element type is data.
struct RawArray {
  static constexpr Index unknown = -1;  ///< the size of an array given as a pointer

  void* data = nullptr;         ///< the first element; inputs are only read
  ElementType type;             ///< of the elements
  Index size = unknown;         ///< elements that there is room for, gaps included
  const void* owner = nullptr;  ///< Plan::owner of the plan's own arrays; null for others
  /// A mistake that a language binding has found: the text of the error without its subject, for
  /// example "has float32 elements". The call then ends like any call with a mistake. Null: no
  /// mistake.
  const char* mistake = nullptr;
};

/// The array that begins at `first`; its size is not checked.
template <class T>
requires AnyElement<std::remove_const_t<T>> RawArray raw_array(T* first) {
  using Value = std::remove_const_t<T>;
  return {const_cast<Value*>(first), element_of<Value>()};
}

/// An Array of a plan, or any other.
template <AnyElement T>
RawArray raw_array(const Array<T>& array) {
  RawArray raw = raw_array(array.data());
  raw.size = static_cast<Index>(array.span().size());
  raw.owner = array.owner();
  return raw;
}

/// A std::vector, std::span or std::array of elements.
template <std::ranges::contiguous_range Range>
requires AnyElement<std::ranges::range_value_t<Range>> RawArray raw_array(const Range& range) {
  RawArray raw = raw_array(std::ranges::data(range));
  raw.size = static_cast<Index>(std::ranges::size(range));
  return raw;
}

/// One field.
template <class A>
concept OneField = requires(const A& array) {
  raw_array(array);
};

/// Several fields: a std::vector, std::array or std::span whose elements are one field each.
template <class A>
concept SeveralFields =
    !OneField<A> && std::ranges::input_range<const A> && OneField<std::ranges::range_value_t<A>>;

/// One field as a list of one.
template <OneField A>
std::array<RawArray, 1> raw_fields(const A& array) {
  return {raw_array(array)};
}

/// The list of several fields.
template <SeveralFields A>
std::vector<RawArray> raw_fields(const A& arrays) {
  std::vector<RawArray> fields;
  for (const auto& array : arrays) fields.push_back(raw_array(array));
  return fields;
}

/// Whether results may be written there: A is the type of an expression, a reference for lvalues.
template <class A>
constexpr bool is_writable() {
  using Value = std::remove_cvref_t<A>;
  if constexpr (std::is_pointer_v<Value>)
    return !std::is_const_v<std::remove_pointer_t<Value>>;
  else if constexpr (OneField<Value>)
    return is_writable<decltype(std::declval<A>().data())>();
  else
    return is_writable<std::ranges::range_reference_t<std::remove_reference_t<A>>>();
}

/// Arrays that may be read: one field or several.
template <class A>
concept Readable = OneField<std::remove_cvref_t<A>> || SeveralFields<std::remove_cvref_t<A>>;

/// Arrays that may be written: one field or several.
template <class A>
concept Writable = Readable<A> && is_writable<A>();

}  // namespace weft
