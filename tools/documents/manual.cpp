// One page for each subcommand, as for git's: options of a name differ between them.
#include "documents/manual.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>
#include <vector>

namespace weft::command {
namespace {

/// A text as roff prints it unchanged. Every dash is the ASCII one, so that options can be copied.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool begins_line = result.empty() || result.back() == '\n';
    if (begins_line && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
      continue;
    }
    result += c == '-' ? "\\-" : std::string(1, c);
  }
  return result;
}

std::string section(const std::string& heading) { return fmt::format(".SH {}\n", heading); }

std::string subsection(const std::string& heading) {
  return fmt::format(".SS \"{}\"\n", escaped(heading));
}

std::string paragraph(const std::string& text) {
  return fmt::format(".PP\n{}\n", escaped(one_line(text)));
}

std::string see_also(const std::string& page) { return fmt::format(".BR {} (1)", escaped(page)); }

// --- Options ------------------------------------------------------------------------------------

std::string text_of(const OptionEntry& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names)
    names.push_back(fmt::format("\\f{}{}\\fR", option.is_argument ? 'I' : 'B', escaped(name)));
  std::string text = fmt::format(".TP\n{}", fmt::join(names, ", "));
  if (!option.placeholder.empty() && !option.is_argument)
    text += fmt::format(" \\fI{}\\fR", option.placeholder);
  text += fmt::format("\n{}", escaped(one_line(option.description)));
  if (!option.default_value.empty())
    text += fmt::format(" (default: {})", escaped(option.default_value));
  return text + "\n";
}

/// All options, those of a heading together.
std::string options_of(const CommandEntry& command) {
  std::string text, heading = "Options";  // CLI11's own, which the section's name repeats
  for (const OptionEntry& option : command.options) {
    if (option.heading != heading) text += subsection(option.heading);
    heading = option.heading;
    text += text_of(option);
  }
  return text;
}

std::string synopsis(const std::string& path, const CommandEntry& command) {
  std::string text = fmt::format("\\fB{}\\fR [\\fIOPTIONS\\fR]", escaped(path));
  if (!command.subcommands.empty()) text += " \\fISUBCOMMAND\\fR [\\fIOPTIONS\\fR]";
  for (const OptionEntry& option : command.options) {
    if (!option.is_argument) continue;
    const std::string name = fmt::format("\\fI{}\\fR{}", escaped(option.names.front()),
                                         option.is_repeatable ? "..." : "");
    text += option.is_required ? " " + name : fmt::format(" [{}]", name);
  }
  return text + "\n";
}

// --- The rest -----------------------------------------------------------------------------------

/// The end of the help: paragraphs, and lines of examples, which begin with two blanks.
std::string footer_of(const std::string& footer) {
  std::istringstream lines(footer);
  std::string text, prose, line;
  bool in_example = false;
  const auto begin = [&](bool is_example) {
    if (in_example) text += ".RE\n.fi\n";
    if (!prose.empty()) text += escaped(one_line(prose)) + "\n";
    prose.clear();
    if (!text.empty()) text += ".PP\n";
    if (is_example) text += ".nf\n.RS\n";
    in_example = is_example;
  };
  while (std::getline(lines, line)) {
    const bool is_example = line.starts_with("  ");
    if (is_example != in_example || (line.empty() && !prose.empty())) begin(is_example);
    if (is_example)
      text += escaped(line.substr(2)) + "\n";
    else
      prose += line + " ";
  }
  if (in_example) return text + ".RE\n.fi\n";
  return text + escaped(one_line(prose)) + "\n";
}

std::string beginning(const std::string& page, const std::string& path, const CommandEntry& command,
                      const std::string& version) {
  std::string capitals = page;
  for (char& c : capitals) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return fmt::format(".TH {} 1 \"\" \"weft {}\" \"Weft\"\n", capitals, version) + section("NAME") +
         fmt::format("{} \\- {}\n", escaped(page), escaped(first_clause(command.description))) +
         section("SYNOPSIS") + synopsis(path, command) + section("DESCRIPTION") +
         escaped(one_line(command.description)) + "\n";
}

/// A subcommand below the one that has the page.
std::string part_of(const std::string& path, const CommandEntry& command) {
  std::string text = section(fmt::format("\"{}\"", escaped(path))) + synopsis(path, command) +
                     paragraph(command.description);
  for (const OptionEntry& option : command.options) text += text_of(option);
  return text;
}

std::string page_name(const CommandEntry& program, const CommandEntry& subcommand) {
  return program.name + "-" + subcommand.name;
}

}  // namespace

std::string manual_page(const CommandEntry& program, const std::string& version) {
  std::string text = beginning(program.name, program.name, program, version) + section("OPTIONS") +
                     options_of(program) + section("SUBCOMMANDS");
  std::vector<std::string> pages;
  for (const CommandEntry& subcommand : program.subcommands) {
    pages.push_back(see_also(page_name(program, subcommand)));
    text += fmt::format(".TP\n{}\n{}\n", pages.back(), escaped(one_line(subcommand.description)));
  }
  return text + section("NOTES") + footer_of(program.footer) + section("SEE ALSO") +
         fmt::format("{} ,\n.BR mpiexec (1)\n", fmt::join(pages, " ,\n"));
}

std::string manual_page(const CommandEntry& program, const CommandEntry& subcommand,
                        const std::string& version) {
  const std::string path = program.name + " " + subcommand.name;
  std::string text = beginning(page_name(program, subcommand), path, subcommand, version) +
                     section("OPTIONS") + options_of(subcommand);
  for (const CommandEntry& part : subcommand.subcommands)
    text += part_of(path + " " + part.name, part);
  if (!subcommand.footer.empty()) text += section("NOTES") + footer_of(subcommand.footer);
  return text + section("SEE ALSO") + see_also(program.name) + "\n";
}

}  // namespace weft::command
