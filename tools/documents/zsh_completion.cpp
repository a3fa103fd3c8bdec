// A function for each command, with its options as _arguments wants them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "documents/completion.hpp"

namespace weft::command {
namespace {

/// In single quotes, with what _arguments takes for its own signs behind backslashes.
std::string quoted(const std::string& specification) {
  std::string result = "'";
  for (const char c : specification) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

std::string plain(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

/// ":what it is:how to complete it". With no words, () completes nothing; without it, zsh would not
/// complete options where an argument may stand.
std::string value_of(const OptionEntry& option) {
  const std::string words = fmt::format("{}", fmt::join(option.words, " "));
  std::string action = fmt::format("({})", words);
  if (option.placeholder == "FILE") action = "_files";
  if (option.is_list && !words.empty()) action = fmt::format("_values -s , value {}", words);
  const std::string what = option.is_argument ? option.names.front() : option.placeholder;
  return fmt::format(":{}:{}", plain(what), action);
}

std::string specifications(const OptionEntry& option) {
  const std::string indented = " \\\n    ";
  if (option.is_argument)
    return indented +
           quoted(fmt::format("{}{}", option.is_repeatable ? "*" : "", value_of(option)));
  std::string text;
  for (const std::string& name : option.names) {
    const bool takes_value = !option.placeholder.empty();
    const std::string value = takes_value ? value_of(option) : "";
    const std::string form = name + (takes_value && name.starts_with("--") ? "=" : "");
    text += indented +
            quoted(fmt::format("{}[{}]{}", form, plain(first_clause(option.description)), value));
  }
  return text;
}

/// The functions of the command and of its subcommands.
std::string functions(const std::string& name, const CommandEntry& command) {
  std::string inner, options, names, cases;
  for (const OptionEntry& option : command.options) options += specifications(option);
  for (const CommandEntry& one : command.subcommands) {
    const std::string function = name + "_" + one.name;
    inner += functions(function, one);
    names += "\n        " + quoted(one.name + ":" + plain(first_clause(one.description)));
    cases += fmt::format("\n        {}) {} ;;", one.name, function);
  }
  if (command.subcommands.empty())
    return fmt::format("{}() {{\n  _arguments{}\n}}\n\n", name, options);
  return inner + fmt::format(R"({}() {{
  local state line
  _arguments -C{} \
    '1: :->subcommand' '*:: :->arguments'
  case $state in
    subcommand)
      local -a subcommands=({})
      _describe subcommand subcommands ;;
    arguments)
      case $line[1] in{}
      esac ;;
  esac
}}

)",
                             name, options, names, cases);
}

}  // namespace

std::string zsh_completion(const CommandEntry& program) {
  return fmt::format(
      "#compdef {0}\n# Completes {0} in zsh; made by `{0} documents`.\n\n{1}_{0} \"$@\"\n",
      program.name, functions("_" + program.name, program));
}

}  // namespace weft::command
