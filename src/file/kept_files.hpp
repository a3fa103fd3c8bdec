// The folder in which jobs keep data for later jobs, and helpers for the files there.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace weft {

/// The folder to use: $WEFT_WISDOM, else weft in $XDG_CACHE_HOME or ~/.cache. None if WEFT_WISDOM
/// is empty or "none", or if there is no home folder.
std::optional<std::filesystem::path> wisdom_path();

/// 64-bit FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo), because std::hash differs between
/// implementations.
std::string hash_of(const std::string& text);

/// Prints a line on stderr unless this process has already printed the same one.
void complain_once(const std::string& line);

}  // namespace weft
