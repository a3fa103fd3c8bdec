// Cuts the texts of transforms and of requests into settings.
#pragma once

#include <string>
#include <vector>

namespace weft {

/// The settings of a text: "name=value", separated by blanks, or by commas and blanks. Lists may
/// have blanks behind their commas: "kinds=r2c, c2c" is one setting, since "c2c" has no name.
/// "auto" is never part of a list: it stands for options without a setting.
std::vector<std::string> settings_in(const std::string& text);

/// The parts between separators; none of an empty text.
std::vector<std::string> parts_of(const std::string& list, char separator);

}  // namespace weft
