// Folders are those that the packages of Debian, and the shells themselves, use.
#include "documents/write.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "documents/completion.hpp"
#include "documents/manual.hpp"

namespace weft::command {
namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::error_code ignored;  // the file itself shows whether the folder is there
  std::filesystem::create_directories(path.parent_path(), ignored);
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be written", path.string()));
}

}  // namespace

void write_documents(const CommandEntry& program, const std::string& version,
                     const std::string& prefix) {
  const std::filesystem::path share = std::filesystem::path(prefix) / "share";
  const auto page = [&](const std::string& name) { return share / "man/man1" / (name + ".1"); };
  write(page(program.name), manual_page(program, version));
  for (const CommandEntry& subcommand : program.subcommands)
    write(page(program.name + "-" + subcommand.name), manual_page(program, subcommand, version));
  write(share / "bash-completion/completions" / program.name, bash_completion(program));
  write(share / "zsh/site-functions" / ("_" + program.name), zsh_completion(program));
  write(share / "fish/vendor_completions.d" / (program.name + ".fish"), fish_completion(program));
}

}  // namespace weft::command
