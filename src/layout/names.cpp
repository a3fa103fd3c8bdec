// The distance is the least number of letters to exchange with their neighbour, to replace, to
// leave out or to add. A third of a name may be wrong.
#include "layout/names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace weft {
namespace {

std::string in_small_letters(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return text;
}

std::size_t distance_between(const std::string& from, const std::string& to) {
  std::vector<std::size_t> before_last, last, row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    before_last = std::move(last);
    last = row;
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string did_you_mean(const std::string& name, const std::vector<std::string>& names) {
  constexpr std::size_t longest = 100;  // a longer word is near no name
  if (name.size() > longest || std::ranges::find(names, name) != names.end()) return "";
  std::size_t least = longest;
  std::vector<std::string> nearest;
  for (const std::string& candidate : names) {
    const std::size_t distance = distance_between(in_small_letters(name), candidate);
    if (3 * distance > std::max(name.size(), candidate.size()) || distance > least) continue;
    if (distance < least) nearest.clear();
    least = distance;
    nearest.push_back(candidate);
  }
  return nearest.size() == 1 ? fmt::format("did you mean `{}`?", nearest.front()) : "";
}

std::string valid_instead_of(const std::string& name, const std::vector<std::string>& names,
                             const std::string& introduction) {
  const std::string meant = did_you_mean(name, names);
  return meant.empty() ? fmt::format("{} {}", introduction, fmt::join(names, ", ")) : meant;
}

}  // namespace weft
