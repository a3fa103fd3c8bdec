// How texts of transforms and of requests are cut into settings.
#pragma once

#include <string>
#include <vector>

namespace weft {

/// The settings of a text, "name=value" with blanks or commas and blanks between them. Lists may
/// have blanks behind their commas: "kinds=r2c, c2c" is one setting, since "c2c" has no name.
/// "auto" is no part of a list, but stands for options of which none is set.
std::vector<std::string> settings_in(const std::string& text);

}  // namespace weft
