// Sorts the settings of a text by their names: what they mean is known to Transform and Options
// alone.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <vector>
#include <weft/request.hpp>

namespace weft {
namespace {

void append(std::string& text, const std::string& setting, const char* separator) {
  if (!text.empty()) text += separator;
  text += setting;
}

}  // namespace

Request Request::parse(const std::string& text) {
  const std::vector<std::string> transforms = transform_keys(), options = option_keys();
  const auto is_in = [](const std::vector<std::string>& keys, const std::string& name) {
    return std::ranges::find(keys, name) != keys.end();
  };
  std::string what, how;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    while (word.ends_with(',')) word.pop_back();
    const std::string name = word.substr(0, word.find('='));
    if (word.empty() || word == "auto") continue;  // "auto": options of which none is set
    if (is_in(transforms, name))
      append(what, word, " ");
    else if (is_in(options, name))
      append(how, word, ", ");
    else
      throw Error(
          fmt::format("\"{}\": valid is name=value with one of the names {} (what to compute), {} "
                      "(how)",
                      word, fmt::join(transforms, ", "), fmt::join(options, ", ")));
  }
  return {Transform::parse(what), Options::parse(how)};
}

}  // namespace weft
