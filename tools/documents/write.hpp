// The files of `weft documents`.
#pragma once

#include <string>

#include "documents/command_entry.hpp"

namespace weft::command {

/// Writes the manual pages and the completions to the folders below PREFIX/share in which man,
/// bash, zsh and fish look for those of a program in PREFIX/bin. Throws std::runtime_error where a
/// file cannot be written.
void write_documents(const CommandEntry& program, const std::string& version,
                     const std::string& prefix);

}  // namespace weft::command
