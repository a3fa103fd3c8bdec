// Reads /proc/self/smaps. Linux takes some time for each mapping in it, too long for planning.
#include "machine/huge_pages.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace weft {

namespace {

/// Huge pages of ordinary memory, of /dev/shm, and of the system's reserve.
constexpr std::array<std::string_view, 4> properties{
    "AnonHugePages:", "ShmemPmdMapped:", "Shared_Hugetlb:", "Private_Hugetlb:"};

}  // namespace

std::size_t bytes_in_huge_pages(const std::byte* begin, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  std::ifstream mappings("/proc/self/smaps");
  std::size_t found = 0;
  bool is_inside = false;
  for (std::string line; std::getline(mappings, line);) {
    std::istringstream words(line);
    std::string name;
    std::size_t kilobytes = 0;
    std::uintptr_t lower = 0, upper = 0;
    char dash = 0;
    words >> name;
    // A mapping begins with its addresses, "7f3200000000-7f3210000000 rw-s ...". Its properties
    // begin with their names, "ShmemPmdMapped:  2048 kB".
    if (name.empty() || name.back() != ':') {
      std::istringstream addresses(line);
      is_inside = static_cast<bool>(addresses >> std::hex >> lower >> dash >> upper) &&
                  lower < first + bytes && first < upper;
    } else if (is_inside && std::ranges::find(properties, name) != properties.end() &&
               words >> kilobytes) {
      found += kilobytes << 10;
    }
  }
  return found;
}

}  // namespace weft
