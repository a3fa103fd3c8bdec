// Manual pages, in the man(7) language that groff and mandoc read.
#pragma once

#include <string>

#include "documents/command_entry.hpp"

namespace weft::command {

/// The page of the program itself, weft(1).
std::string manual_page(const CommandEntry& program, const std::string& version);
/// The page of one of its subcommands, weft-bench(1) say, which contains the subcommand's own ones.
std::string manual_page(const CommandEntry& program, const CommandEntry& subcommand,
                        const std::string& version);

}  // namespace weft::command
