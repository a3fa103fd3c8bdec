// A line for each option and subcommand, with the subcommands under which it is valid.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "documents/completion.hpp"

namespace weft::command {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

/// `condition` is an expression of fish, true where the command was named.
std::string lines(const std::string& begin, const std::string& condition,
                  const CommandEntry& command) {
  const auto line = [&](const std::string& when, const std::string& rest) {
    return fmt::format("{} -n {} {}\n", begin, quoted(when), rest);
  };
  std::string text;
  for (const OptionEntry& option : command.options) {
    if (option.is_argument) {
      if (option.placeholder == "FILE") text += line(condition, "-F");
      continue;
    }
    std::string rest;
    for (const std::string& name : option.names)
      rest += name.starts_with("--") ? "-l " + name.substr(2) + " " : "-s " + name.substr(1) + " ";
    if (option.placeholder == "FILE")
      rest += "-r -F ";
    else if (!option.placeholder.empty())
      rest += "-x ";
    if (!option.words.empty())
      rest += fmt::format("-a {} ", quoted(fmt::format("{}", fmt::join(option.words, " "))));
    text += line(condition, rest + "-d " + quoted(first_clause(option.description)));
  }
  std::string names;
  for (const CommandEntry& one : command.subcommands) names += " " + one.name;
  for (const CommandEntry& one : command.subcommands) {
    text += line(condition + "; and not __fish_seen_subcommand_from" + names,
                 fmt::format("-a {} -d {}", one.name, quoted(first_clause(one.description))));
    text += lines(begin, condition + "; and __fish_seen_subcommand_from " + one.name, one);
  }
  return text;
}

}  // namespace

std::string fish_completion(const CommandEntry& program) {
  const std::string begin = "complete -c " + program.name;
  return fmt::format("# Completes {0} in fish; made by `{0} documents`.\n{1} -f\n{2}", program.name,
                     begin, lines(begin, "true", program));
}

}  // namespace weft::command
