// Scripts with which shells complete the command: subcommands, options, and those values that are
// known. Each contains the whole table, so that nothing is started while a user types.
#pragma once

#include <string>

#include "documents/command_entry.hpp"

namespace weft::command {

std::string bash_completion(const CommandEntry& program);
std::string zsh_completion(const CommandEntry& program);
std::string fish_completion(const CommandEntry& program);

}  // namespace weft::command
