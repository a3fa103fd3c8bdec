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

/// Throws an Error with one line that says what is wrong if the text is not such an entry.
template <class Entry>
Entry parse_entry(const std::string& text);

template <class Entry>
std::string print_entry(const Entry& entry);

}  // namespace weft
