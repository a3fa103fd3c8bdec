// The version of this build of the library, set by CMake.
#include <fmt/format.h>

#include <weft/version.hpp>

namespace weft {

std::string version() {
  return fmt::format("{}.{}.{}", WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR, WEFT_VERSION_PATCH);
}

}  // namespace weft
