// Four significant figures: more than a measurement on a shared machine can say, and enough to
// compare two of them.
#include "text.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "layout/split.hpp"

namespace weft::command {
namespace {

struct Unit {
  double size;
  const char* name;
};

/// In the largest unit that fits, or else in the smallest, which comes last.
std::string in_units(double value, const std::vector<Unit>& units) {
  auto unit = units.begin();
  while (value < unit->size && unit + 1 != units.end()) ++unit;
  return fmt::format("{:.4g} {}", value / unit->size, unit->name);
}

}  // namespace

std::string size_text(double bytes) {
  return in_units(bytes,
                  {{0x1p40, "TiB"}, {0x1p30, "GiB"}, {0x1p20, "MiB"}, {0x1p10, "KiB"}, {1, "B"}});
}

std::string seconds_text(double seconds) {
  return in_units(seconds, {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}});
}

std::string rate_text(double bytes_per_second) {
  return in_units(bytes_per_second, {{1e9, "GB/s"}, {1e6, "MB/s"}});
}

std::string share_text(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string counted(std::size_t count, const std::string& one, const std::string& several) {
  return fmt::format("{} {}", count, count == 1 ? one : several.empty() ? one + "s" : several);
}

std::string printable(std::string_view text, std::size_t most) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.remove_suffix(1);
  std::string result(text.substr(0, most));
  for (char& character : result)
    if (character < 0x20 || character > 0x7e) character = '?';
  return text.size() > result.size() ? result + "..." : result;
}

std::string without_controls(std::string text) {
  unsigned char before = 0;
  for (char& character : text) {
    const auto byte = static_cast<unsigned char>(character);
    // The second set of control characters is C2 80 to C2 9F in UTF-8.
    const bool second_set = before == 0xc2 && byte >= 0x80 && byte <= 0x9f;
    if (byte < 0x20 || byte == 0x7f || second_set) character = '?';
    before = byte;
  }
  return text;
}

std::vector<std::string> list_of(const std::string& text) {
  std::vector<std::string> parts = split(text, ',');
  for (std::string& part : parts) {
    part.erase(0, part.find_first_not_of(' '));
    part.erase(part.find_last_not_of(' ') + 1);
  }
  return parts;
}

std::string Table::text(std::string_view leaning) const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], row[column].size());
  }
  std::string text;
  for (const auto& row : rows_) {
    for (std::size_t column = 0; column < row.size(); ++column)
      text += column < leaning.size() && leaning[column] == 'l'
                  ? fmt::format("  {:<{}}", row[column], widths[column])
                  : fmt::format("  {:>{}}", row[column], widths[column]);
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace weft::command
