// CLI11 behind the names of command_line.hpp, with a help for people.
#include "command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <weft/version.hpp>

#include "documents/write.hpp"
#include "layout/names.hpp"

namespace weft::command {
namespace {

/// Breaks a text into lines that fit beside a column of option names.
std::string wrapped(const std::string& text) {
  constexpr std::size_t width = 70;
  std::istringstream words(text);
  std::string result;
  std::string word;
  for (std::size_t column = 0; words >> word; column += word.size()) {
    if (column > 0 && column + 1 + word.size() > width) column = 0, result += '\n';
    if (column > 0) ++column, result += ' ';
    result += word;
  }
  return result;
}

/// CLI11's "INT:POSITIVE" says too much, and "TEXT" too little.
std::string placeholder_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (type.starts_with("FILE")) return "FILE";
  return type.starts_with("INT") || type.starts_with("UINT") ? "N" : "VALUE";
}

/// Help formatted for people: no type names, but the meaning of values, in lines of readable
/// length.
class Help : public CLI::Formatter {
 public:
  Help() { column_width(28); }
  std::string make_option_opts(const CLI::Option* option) const override {
    const bool is_flag = option->get_expected_max() == 0;
    return is_flag || option->get_positional() ? "" : " " + placeholder_of(*option);
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    const std::string value = option->get_default_str();
    return wrapped(option->get_description() + (value.empty() ? "" : " (default: " + value + ")"));
  }
  std::string make_subcommand(const CLI::App* command) const override {
    std::ostringstream out;
    CLI::detail::format_help(out, command->get_name(), wrapped(command->get_description()),
                             get_column_width());
    return out.str();
  }
};

/// CLI11's own checks print the largest number with all of its 309 digits.
CLI::Validator from_zero(const char* valid, bool (*is_valid)(double)) {
  return CLI::Validator(
      [=](const std::string& text) {
        double number = 0;
        const bool is_number = CLI::detail::lexical_cast(text, number);
        return is_number && is_valid(number) ? "" : fmt::format("{}: valid is {}", text, valid);
      },
      "");
}

/// The options that a command takes, as people write them.
std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// "; did you mean ...", after CLI11's sentence about unexpected arguments, if one of them is near
/// an option, or near a subcommand where none was chosen.
std::string meant_by(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  std::vector<std::string> names = options_of(command);
  for (const CLI::App* one : command.get_subcommands({})) names.push_back(one->get_name());
  for (const std::string& argument : app.remaining(true)) {
    const std::string meant = did_you_mean(argument.substr(0, argument.find('=')), names);
    if (!meant.empty()) return "; " + meant;
  }
  return "";
}

}  // namespace

Option Option::required() const {
  option_->required();
  return *this;
}
Option Option::shows_default() const {
  option_->capture_default_str();
  return *this;
}
Option Option::one_of(const std::vector<std::string>& names) const {
  option_->check(
      [names](const std::string& name) {
        const bool is_one = std::ranges::find(names, name) != names.end();
        return is_one ? "" : fmt::format("{}: {}", name, valid_instead_of(name, names));
      },
      "");
  return completed_by([names] { return names; });
}
/// CLI11 keeps nothing for a shell's completion but the name of a type, where words stand with bars
/// between them.
Option Option::completed_by(std::function<std::vector<std::string>()> words) const {
  option_->type_name_fn([words] { return fmt::format("{}", fmt::join(words(), "|")); });
  return *this;
}
Option Option::names_file() const {
  option_->type_name("FILE");
  return *this;
}
Option Option::between(int lowest, int highest) const {
  option_->check(CLI::Range(lowest, highest));
  return *this;
}
Option Option::positive() const {
  option_->check(from_zero("more than 0", [](double number) { return number > 0; }));
  return *this;
}
Option Option::not_negative() const {
  option_->check(from_zero("0 or more", [](double number) { return number >= 0; }));
  return *this;
}
Option Option::separated_by_commas() const {
  option_->delimiter(',');
  return *this;
}
Option Option::repeatable() const {
  option_->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return *this;
}
Option Option::from_environment(const std::string& variable) const {
  option_->envname(variable);
  return *this;
}
Option Option::needs(Option other) const {
  option_->needs(other.option_);
  return *this;
}
Option Option::hidden() const {
  option_->group("");
  return *this;
}
Option Option::adds_to_description(const std::string& text) const {
  option_->description(option_->get_description() + text);
  return *this;
}

template <class Value>
Option Command::add(const std::string& name, Value& value, const std::string& description) const {
  return Option(app_->add_option(name, value, description));
}
template Option Command::add(const std::string&, std::string&, const std::string&) const;
template Option Command::add(const std::string&, int&, const std::string&) const;
template Option Command::add(const std::string&, std::int64_t&, const std::string&) const;
template Option Command::add(const std::string&, double&, const std::string&) const;
template Option Command::add(const std::string&, std::vector<std::string>&,
                             const std::string&) const;

Option Command::add_flag(const std::string& name, bool& value,
                         const std::string& description) const {
  return Option(app_->add_flag(name, value, description));
}
Option Command::option(const std::string& name) const { return Option(app_->get_option(name)); }

Command Command::add_subcommand(const std::string& name, const std::string& description) const {
  return Command(app_->add_subcommand(name, description));
}
void Command::requires_subcommand() const { app_->require_subcommand(1); }
void Command::takes_options_of_parent() const { app_->fallthrough(); }
void Command::when_chosen(std::function<void()> call) const { app_->callback(std::move(call)); }
void Command::begin_group(const std::string& heading) const {
  app_->option_defaults()->group(heading);
}
void Command::footer(const std::string& text) const { app_->footer(text); }

namespace {

// --- The commands as data -----------------------------------------------------------------------

OptionEntry entry_of(const CLI::Option& option) {
  OptionEntry entry;
  entry.is_argument = option.get_positional();
  if (entry.is_argument) entry.names = {option.get_name(true)};
  for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
  entry.heading = option.get_group();
  entry.description = option.get_description();
  entry.default_value = option.get_default_str();
  if (option.get_expected_max() > 0) entry.placeholder = placeholder_of(option);
  const std::string words = option.get_type_name();
  if (words.find('|') != std::string::npos) entry.words = CLI::detail::split(words, '|');
  entry.is_required = option.get_required();
  entry.is_repeatable = option.get_items_expected_max() > 1;
  entry.is_list = option.get_delimiter() == ',';
  return entry;
}

/// Options that a command takes, also those of the one it belongs to; with group "" they are
/// hidden.
std::vector<const CLI::Option*> options_taken_by(const CLI::App& command) {
  std::vector<const CLI::Option*> options = command.get_options();
  if (command.get_fallthrough())
    for (const CLI::Option* option : command.get_parent()->get_options())
      if (option != command.get_parent()->get_help_ptr()) options.push_back(option);
  std::erase_if(options, [](const CLI::Option* option) { return option->get_group().empty(); });
  return options;
}

CommandEntry entry_of(const CLI::App& command) {
  CommandEntry entry;
  entry.name = command.get_name();
  entry.description = command.get_description();
  entry.footer = command.get_footer();
  for (const CLI::Option* option : options_taken_by(command))
    entry.options.push_back(entry_of(*option));
  for (const CLI::App* one : command.get_subcommands({}))
    entry.subcommands.push_back(entry_of(*one));
  return entry;
}

/// CLI11 ends parsing where a callback throws.
void add_documents(CLI::App& program, bool prints) {
  CLI::App* const command = program.add_subcommand(
      "documents",
      "Write manual pages, and completions for bash, zsh and fish, made from what this command\n"
      "takes.");
  const auto prefix = std::make_shared<std::string>();
  Command(command)
      .add("PREFIX", *prefix, "Below PREFIX/share: ~/.local for one user, /usr/local for all")
      .required()
      .names_file();
  command->callback([&program, prefix, prints] {
    try {
      if (prints) write_documents(entry_of(program), weft::version(), *prefix);
    } catch (const std::runtime_error& error) {
      throw CLI::ValidationError("documents", error.what());
    }
    throw CLI::Success();
  });
}

int end(const CLI::App& app, const CLI::ParseError& error, bool prints) {
  std::ostringstream unseen;
  return prints ? app.exit(error) : app.exit(error, unseen, unseen);
}

}  // namespace

std::optional<int> parse(const Program& program, int argc, const char* const* argv, bool prints) {
  CLI::App app(program.description, program.name);
  app.formatter(std::make_shared<Help>());
  app.set_version_flag("--version", program.version,
                       "Print the versions of weft and of MPI, and exit");
  try {
    program.declare(Command(&app));
    add_documents(app, prints);
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    const bool is_mistake = error.get_exit_code() != 0;  // --help is none
    const std::string meant = is_mistake ? meant_by(app) : "";
    if (meant.empty()) return end(app, error, prints);
    return end(app, CLI::ParseError(error.what() + meant, error.get_exit_code()), prints);
  }
}

}  // namespace weft::command
