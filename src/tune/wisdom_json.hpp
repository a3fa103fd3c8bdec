// Wisdom as JSON text and back: one flat object for each entry, so that a damaged one can be left
// out alone.
#pragma once

#include <string>

#include "tune/wisdom.hpp"

namespace weft {

/// What can be read of a text, whatever it is; complaints begin with `name`.
WisdomContents parse_wisdom(const std::string& text, const std::string& name);

std::string print_wisdom(const WisdomContents& contents);

}  // namespace weft
