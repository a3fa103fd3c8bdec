// Three tables in `case`, of subcommands, of values and of other words, and one function that looks
// into them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <vector>

#include "documents/completion.hpp"

namespace weft::command {
namespace {

/// What to do for which command, or for which command and option.
class Table {
 public:
  void add(const std::string& pattern, const std::string& action) {
    patterns_[action].push_back(fmt::format("'{}'", pattern));
  }
  std::string text() const {
    std::string text;
    for (const auto& [action, patterns] : patterns_)
      text += fmt::format("    {})\n      {} ;;\n", fmt::join(patterns, " | \\\n    "), action);
    return text;
  }

 private:
  std::map<std::string, std::vector<std::string>> patterns_;
};

struct Tables {
  Table subcommands, values, words;
};

std::string action_for(const OptionEntry& option) {
  std::string action = fmt::format("words='{}' is_value=1", fmt::join(option.words, " "));
  if (option.is_list) action += " is_list=1";
  if (option.placeholder == "FILE") action += " is_file=1";
  return action;
}

void add(const std::string& path, const CommandEntry& command, Tables& tables) {
  std::vector<std::string> words;
  bool takes_files = false;
  for (const OptionEntry& option : command.options) {
    if (option.is_argument) {
      takes_files = takes_files || option.placeholder == "FILE";
      continue;
    }
    words.insert(words.end(), option.names.begin(), option.names.end());
    if (option.placeholder.empty()) continue;
    for (const std::string& name : option.names)
      tables.values.add(path + " " + name, action_for(option));
  }
  for (const CommandEntry& subcommand : command.subcommands) {
    const std::string inner = path + " " + subcommand.name;
    words.push_back(subcommand.name);
    tables.subcommands.add(inner, "path=\"$path $word\"");
    add(inner, subcommand, tables);
  }
  tables.words.add(
      path, fmt::format("words='{}'{}", fmt::join(words, " "), takes_files ? " is_file=1" : ""));
}

}  // namespace

std::string bash_completion(const CommandEntry& program) {
  Tables tables;
  add(program.name, program, tables);
  // "--kind=r2c" arrives as three words.
  return fmt::format(R"(# Completes {0} in bash; made by `{0} documents`.
_{0}() {{
  local word words='' is_value='' is_list='' is_file='' before='' path={0}
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
  if [[ $current == = ]]; then
    current=''
  elif [[ $previous == = ]]; then
    previous=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$path $word" in
{1}    esac
  done
  case "$path $previous" in
{2}  esac
  [[ $is_value ]] || case $path in
{3}  esac
  if [[ $is_file && $current != -* ]]; then
    COMPREPLY=()
    compopt -o default
    return
  fi
  [[ $is_list && $current == *,* ]] && before=${{current%,*}},
  COMPREPLY=($(compgen -P "$before" -W "$words" -- "${{current##*,}}"))
}}
complete -F _{0} {0}
)",
                     program.name, tables.subcommands.text(), tables.values.text(),
                     tables.words.text());
}

}  // namespace weft::command
