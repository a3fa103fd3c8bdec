// Sorts the settings of a text by their names. Only Transform and Options know their meaning.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>
#include <weft/request.hpp>

#include "layout/names.hpp"
#include "transform/settings.hpp"

namespace weft {
namespace {

void append(std::string& text, const std::string& setting, const char* separator) {
  if (!text.empty()) text += separator;
  text += setting;
}

[[noreturn]] void fail(const std::string& word, const std::string& name,
                       const std::vector<std::string>& transforms,
                       const std::vector<std::string>& options) {
  std::vector<std::string> all = transforms;
  all.insert(all.end(), options.begin(), options.end());
  const std::string meant = did_you_mean(name, all);
  if (!meant.empty()) throw Error(fmt::format("\"{}\": {}", word, meant));
  throw Error(fmt::format(
      "\"{}\": valid is name=value with one of the names {} (what to compute), {} (how)", word,
      fmt::join(transforms, ", "), fmt::join(options, ", ")));
}

}  // namespace

Request Request::parse(const std::string& text) {
  const std::vector<std::string> transforms = transform_keys(), options = option_keys();
  const auto is_in = [](const std::vector<std::string>& keys, const std::string& name) {
    return std::ranges::find(keys, name) != keys.end();
  };
  std::string what, how;
  for (const std::string& word : settings_in(text)) {
    const std::string name = word.substr(0, word.find('='));
    if (word == "auto") continue;  // "auto": options without a setting
    if (is_in(transforms, name))
      append(what, word, " ");
    else if (is_in(options, name))
      append(how, word, ", ");
    else
      fail(word, name, transforms, options);
  }
  return {Transform::parse(what), Options::parse(how)};
}

}  // namespace weft
