// A small grammar by hand: lists and geometric ranges.
#include "net/sizes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <weft/error.hpp>

namespace weft::net {
namespace {

constexpr Index largest_size = Index{1} << 30;  // MPI counts in an int

[[noreturn]] void refuse(const std::string& text) {
  throw Error(
      fmt::format("sizes \"{}\": give bytes from 1 to 1G, as a list (8,64K,1M) or a range "
                  "(8:1M, each four times the one before; 8:1M:2, twice)",
                  text));
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// 0 where it is none.
Index parse_size(std::string_view text) {
  Index number = 0;
  const char* const end = text.data() + text.size();
  const auto [unit, status] = std::from_chars(text.data(), end, number);
  if (status != std::errc{} || number < 1 || number > largest_size) return 0;
  constexpr std::string_view units = "KMG";
  const std::string_view rest(unit, static_cast<std::size_t>(end - unit));
  if (rest.empty()) return number;
  const std::size_t power = units.find(rest);
  if (power == std::string_view::npos || rest.size() != 1) return 0;
  number <<= 10 * (power + 1);
  return number <= largest_size ? number : 0;
}

}  // namespace

std::vector<Index> parse_sizes(const std::string& text) {
  std::set<Index> sizes;
  for (const std::string_view item : split(text, ',')) {
    const auto range = split(item, ':');
    const Index first = parse_size(range.front());
    const Index last = range.size() > 1 ? parse_size(range[1]) : first;
    const Index factor = range.size() > 2 ? parse_size(range[2]) : 4;
    if (first == 0 || last < first || factor < 2 || range.size() > 3) refuse(text);
    for (Index size = first; size <= last; size *= factor) sizes.insert(size);
  }
  return {sizes.begin(), sizes.end()};
}

}  // namespace weft::net
