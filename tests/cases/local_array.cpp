// The guards around test arrays, and how a wrong element is reported.
#include "cases/local_array.hpp"

#include <algorithm>
#include <cstdint>
#include <sstream>

namespace weft::test {
namespace {

constexpr std::size_t line = 64;
constexpr std::size_t guard_bytes = 4 * line;
constexpr std::byte guard{0xa5};

}  // namespace

GuardedMemory::GuardedMemory(std::size_t bytes, std::size_t offset)
    : memory_(bytes + offset + 2 * guard_bytes + line, guard), bytes_(bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.data()) + guard_bytes;
  begin_ = guard_bytes + (line - address % line) % line + offset;
  poison(data(), bytes);
}

void* GuardedMemory::data() { return memory_.data() + begin_; }

bool GuardedMemory::intact() const {
  const auto is_guard = [](std::byte byte) { return byte == guard; };
  const auto begin = memory_.begin() + static_cast<std::ptrdiff_t>(begin_);
  const auto end = begin + static_cast<std::ptrdiff_t>(bytes_);
  return std::all_of(memory_.begin(), begin, is_guard) && std::all_of(end, memory_.end(), is_guard);
}

std::string describe_difference(const Point& point, const Exact& found, const Exact& expected) {
  std::ostringstream text;
  text << "at";
  for (Index coordinate : point) text << " " << coordinate;
  text.precision(17);
  text << ": " << found << " instead of " << expected;
  return text.str();
}

}  // namespace weft::test
