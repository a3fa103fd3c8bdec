// The version, in the one place that states it: CMake reads it from here.
#pragma once

#include <string>
#include <weft/export.hpp>

/// The version of these headers, major.minor.patch. While the major number is 0, a new minor number
/// may change the API and the ABI; a new patch number changes neither.
#define WEFT_VERSION_MAJOR 0
#define WEFT_VERSION_MINOR 1  ///< see WEFT_VERSION_MAJOR
#define WEFT_VERSION_PATCH 0  ///< see WEFT_VERSION_MAJOR

namespace weft {

/// The version of these headers as one number that grows: 1203 for 0.12.3.
inline constexpr int header_version =
    10000 * WEFT_VERSION_MAJOR + 100 * WEFT_VERSION_MINOR + WEFT_VERSION_PATCH;

/// The version of the library that runs, "0.1.0"; the macros above have the version of the headers.
WEFT_API std::string version();

}  // namespace weft
