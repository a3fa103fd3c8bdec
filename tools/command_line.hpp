// The options of the command and its subcommands. CLI11 parses them, and only command_line.cpp
// includes it: its headers take longer to compile than all else in a file.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace weft::command {

/// An option of a command: a reference to it, through which calls describe it further.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option required() const;
  /// The help shows the value that the variable has now.
  Option shows_default() const;
  Option one_of(const std::vector<std::string>& names) const;
  /// Words that shells offer for the value, which may be another. Called only when it is asked for.
  Option completed_by(std::function<std::vector<std::string>()> words) const;
  /// The value is the name of a file.
  Option names_file() const;
  Option between(int lowest, int highest) const;
  Option positive() const;
  Option not_negative() const;
  /// A list may be typed as one word with commas.
  Option separated_by_commas() const;
  /// Takes one word, and may be given several times.
  Option repeatable() const;
  /// Taken from this environment variable where it is not given.
  Option from_environment(const std::string& variable) const;
  /// May only be given together with the other one.
  Option needs(Option other) const;
  /// The help leaves it out.
  Option hidden() const;
  Option adds_to_description(const std::string& text) const;

 private:
  CLI::Option* option_;
};

/// A command, to which options and subcommands are added: a reference that is valid until `parse`
/// returns. The parser writes into the variables given.
class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}

  /// For text, numbers (int, Index, double) and lists of texts. A name without dashes is an
  /// argument in its place.
  template <class Value>
  Option add(const std::string& name, Value& value, const std::string& description) const;
  Option add_flag(const std::string& name, bool& value, const std::string& description) const;
  /// An option for a positive number; the help shows its default, if that is one.
  template <class Number>
  Option add_positive(const std::string& name, Number& number,
                      const std::string& description) const {
    const Option option = add(name, number, description).positive();
    return number > 0 ? option.shows_default() : option;
  }
  /// One that was added before.
  Option option(const std::string& name) const;

  Command add_subcommand(const std::string& name, const std::string& description) const;
  void requires_subcommand() const;
  /// Options of the command that this one belongs to may also come after its name.
  void takes_options_of_parent() const;
  /// Called while parsing, if the command line names this command.
  void when_chosen(std::function<void()> call) const;

  /// Options added from now on stand under this heading of the help.
  void begin_group(const std::string& heading) const;
  /// The end of the help, also of subcommands that are added from now on.
  void footer(const std::string& text) const;

 private:
  CLI::App* app_;
};

/// The command itself: the beginning of its help, and `declare`, which adds everything else.
struct Program {
  std::string name;
  std::string description;
  std::function<std::string()> version;
  std::function<void(Command)> declare;
};

/// Parses a command line. Returns an exit code if nothing is left to do: after help, a mistake, or
/// `documents`, a subcommand that every program has and that writes manual pages and completions.
/// Only a rank that `prints` says or writes something.
std::optional<int> parse(const Program& program, int argc, const char* const* argv, bool prints);

}  // namespace weft::command
