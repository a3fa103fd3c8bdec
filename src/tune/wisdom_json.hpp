// Converts wisdom to JSON text and back: one object per entry, which includes the full key. Text
// that is read is never trusted, and damaged text is rejected rather than repaired.
#pragma once

#include <string>
#include <utility>

#include "tune/wisdom.hpp"

namespace weft {

using WisdomEntry = std::pair<WisdomKey, Wisdom>;
using FiguresEntry = std::pair<Site, Figures>;

// Both functions work for either kind of entry.

/// If the text is not an entry, throws an Error with one line that names the mistake.
template <class Entry>
Entry parse_entry(const std::string& text);

template <class Entry>
std::string print_entry(const Entry& entry);

}  // namespace weft
