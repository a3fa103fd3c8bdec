// What a command takes, as data that does not depend on the parser: manual pages and completions
// are made from it.
#pragma once

#include <string>
#include <vector>

namespace weft::command {

struct OptionEntry {
  std::vector<std::string> names;  ///< "-q" and "--quiet", or one without dashes for an argument
  std::string heading;             ///< of the help, under which it stands
  std::string description;
  std::string default_value;
  std::string placeholder;         ///< "FILE", "N" or "VALUE"; "" for a flag
  std::vector<std::string> words;  ///< those that the value may be, as far as they are known
  bool is_argument = false;        ///< in its place, without dashes
  bool is_required = false;
  bool is_repeatable = false;  ///< an argument that may be given several times
  bool is_list = false;        ///< the value may be several words with commas between them
};

struct CommandEntry {
  std::string name;
  std::string description;
  std::string footer;  ///< the end of the help; lines of examples begin with two blanks
  std::vector<OptionEntry> options;
  std::vector<CommandEntry> subcommands;
};

/// A description without line breaks, and only its first clause, for a line of a menu.
std::string one_line(const std::string& text);
std::string first_clause(const std::string& description);

}  // namespace weft::command
