// Wisdom as JSON text and back: one object for each entry, which repeats the key in full. Nothing
// read is trusted, and nothing is repaired.
#pragma once

#include <string>
#include <utility>

#include "tune/wisdom.hpp"

namespace weft {

using WisdomEntry = std::pair<WisdomKey, Wisdom>;
using FiguresEntry = std::pair<Site, Figures>;

// Of either kind of entry.

/// Throws an Error, a line that says what is wrong, for any text that is no such entry.
template <class Entry>
Entry parse_entry(const std::string& text);

template <class Entry>
std::string print_entry(const Entry& entry);

}  // namespace weft
