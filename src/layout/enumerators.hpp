// Names of enumerators. Invalid values cause an error, because callers may have cast a number.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>
#include <string>
#include <weft/error.hpp>

namespace weft {

/// The name of the value; `names` are in the order of the enumeration. Throws an Error that begins
/// with `what` if the value is invalid.
template <class Enum, class Names>
std::string name_of(Enum value, const Names& names, const std::string& what) {
  const auto number = static_cast<long>(value);
  if (number < 0 || number >= std::ssize(names))
    throw Error(fmt::format("{}: {} is no value of the enumeration; valid are {}", what, number,
                            fmt::join(names, ", ")));
  return names[static_cast<std::size_t>(number)];
}

}  // namespace weft
