// Names of enumerators, and an error for values that are none: callers may have cast a number.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>
#include <string>
#include <weft/error.hpp>

namespace weft {

/// The value's name, of the names in the order of its enumeration. Throws an Error that begins with
/// `what` where it has none.
template <class Enum, class Names>
std::string name_of(Enum value, const Names& names, const std::string& what) {
  const auto number = static_cast<long>(value);
  if (number < 0 || number >= std::ssize(names))
    throw Error(fmt::format("{}: {} is no value of the enumeration; valid are {}", what, number,
                            fmt::join(names, ", ")));
  return names[static_cast<std::size_t>(number)];
}

}  // namespace weft
