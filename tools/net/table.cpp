// Three significant figures say what a measurement on a shared machine can say.
#include "net/table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace weft::net {
namespace {

struct Unit {
  double size;
  const char* name;
};

/// Three significant figures in the largest unit that fits, or else in the smallest.
template <std::size_t count>
std::string in_units(double value, const std::array<Unit, count>& largest_first) {
  const auto fits = [value](const Unit& unit) { return value >= unit.size; };
  auto unit = std::ranges::find_if(largest_first, fits);
  if (unit == largest_first.end()) --unit;
  const double number = value / unit->size;
  const int digits = number < 9.995 ? 2 : number < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", number, digits, unit->name);
}

}  // namespace

std::string size_text(Index bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto number = static_cast<double>(bytes);
  int unit = 0;
  for (; number >= 1024 && unit < 4; ++unit) number /= 1024;
  return fmt::format("{:.4g} {}", number, units[unit]);
}

std::string seconds_text(double seconds) {
  return in_units(seconds, std::array<Unit, 3>{{{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}}});
}

std::string rate_text(double bytes_per_second) {
  return in_units(bytes_per_second, std::array<Unit, 2>{{{1e9, "GB/s"}, {1e6, "MB/s"}}});
}

std::string share_text(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string Table::text(std::size_t names) const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], row[column].size());
  }
  std::string text;
  for (const auto& row : rows_) {
    for (std::size_t column = 0; column < row.size(); ++column)
      text += column < names ? fmt::format("  {:<{}}", row[column], widths[column])
                             : fmt::format("  {:>{}}", row[column], widths[column]);
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace weft::net
