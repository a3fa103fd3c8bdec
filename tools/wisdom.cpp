// `weft wisdom`: lists, shows and removes the results that tuning stored. Rank 0 does the work, on
// any number of ranks.
#include "tune/wisdom.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>
#include <weft/error.hpp>

#include "command.hpp"
#include "ranks.hpp"
#include "text.hpp"

namespace weft::command {
namespace {

struct Arguments {
  std::string folder;
  std::string entry;  // its number in the list, or a part of its name
  bool all = false;
};

using Entry = std::pair<WisdomKey, Wisdom>;

WisdomFolder open(const Arguments& arguments) {
  if (!arguments.folder.empty()) return WisdomFolder(arguments.folder);
  if (const auto path = wisdom_path()) return WisdomFolder(*path);
  throw Error(
      "no wisdom here: WEFT_WISDOM is empty or \"none\", or there is no home; name a folder with "
      "--folder");
}

std::string text_of(const Site& site) {
  return fmt::format("{}, {} per node, on {}, {}",
                     counted(static_cast<std::size_t>(site.ranks), "rank"), site.ranks_per_node,
                     site.machine, site.mpi);
}

/// An entry's name, of which users may type a part.
std::string text_of(const WisdomKey& key) {
  return fmt::format("{}, options {}, {}", key.transform, key.options, text_of(key.site));
}

// --- list ---

/// A table for each machine and MPI, whose names are long and seldom differ. Entries are sorted by
/// machine and MPI.
void print_tables(const WisdomContents& contents) {
  std::vector<std::pair<std::string, Table>> tables;
  int number = 0;
  for (const auto& [key, wisdom] : contents.wisdom) {
    const std::string place = key.site.machine + "; " + key.site.mpi;
    if (tables.empty() || tables.back().first != place)
      tables.emplace_back(place, Table({"no", "transform", "ranks", "per node", "asked",
                                        "milliseconds", "options"}));
    tables.back().second.add(
        {std::to_string(++number), key.transform, std::to_string(key.site.ranks),
         std::to_string(key.site.ranks_per_node), key.options,
         fmt::format("{:.4g}", 1e3 * wisdom.measured_seconds), wisdom.options});
  }
  for (const auto& [place, table] : tables) fmt::print("\n{}\n{}", place, table.text("rlrrlrl"));
}

void list(const Arguments& arguments) {
  const WisdomFolder folder = open(arguments);
  const WisdomContents contents = folder.read();
  fmt::print("weft wisdom: {}: {}, {}\n", folder.path().string(),
             counted(contents.wisdom.size(), "entry", "entries"),
             counted(contents.figures.size(), "set of figures", "sets of figures"));
  print_tables(contents);
}

// --- one entry ---

std::string numbered(const std::vector<std::pair<std::size_t, Entry>>& entries) {
  std::string text;
  for (const auto& [number, entry] : entries)
    text += fmt::format("\n{:>4}  {}", number, text_of(entry.first));
  return text;
}

/// Throws an Error unless the name fits one entry.
Entry chosen_entry(const WisdomContents& contents, const std::string& name,
                   const std::string& path) {
  std::vector<std::pair<std::size_t, Entry>> found;
  const auto wanted = number_in<std::size_t>(name);
  std::size_t number = 0;
  for (const Entry entry : contents.wisdom) {
    ++number;
    if (wanted ? number == *wanted : text_of(entry.first).find(name) != std::string::npos)
      found.emplace_back(number, entry);
  }
  if (found.size() == 1) return found.front().second;
  if (found.empty())
    throw Error(fmt::format("{}: no entry \"{}\" among {}; `weft wisdom list` shows them", path,
                            name, contents.wisdom.size()));
  throw Error(
      fmt::format("{}: \"{}\" is in {} entries:{}", path, name, found.size(), numbered(found)));
}

std::string milliseconds(double seconds) {
  return seconds == 0 ? "not known" : fmt::format("{:.6g} ms", 1e3 * seconds);
}

void print_entry(const WisdomKey& key, const Wisdom& wisdom) {
  fmt::print("transform   {}\n", key.transform);
  fmt::print("ranks       {}, {} per node\n", key.site.ranks, key.site.ranks_per_node);
  fmt::print("machine     {}\n", key.site.machine);
  fmt::print("MPI         {}\n", key.site.mpi);
  fmt::print("asked       {}\n", key.options);
  fmt::print("options     {}\n", wisdom.options);
  fmt::print("measured    {}\n", milliseconds(wisdom.measured_seconds));
  fmt::print("predicted   {}\n", milliseconds(wisdom.predicted_seconds));
  fmt::print("found       {}, by weft {}: {} candidates in up to {:g} s\n", wisdom.date,
             wisdom.version, wisdom.candidates, wisdom.budget_seconds);
}

void show(const Arguments& arguments) {
  const WisdomFolder folder = open(arguments);
  const WisdomContents contents = folder.read();
  const auto [key, wisdom] = chosen_entry(contents, arguments.entry, folder.path().string());
  print_entry(key, wisdom);
  const auto figures = contents.figures.find(key.site);
  if (figures == contents.figures.end()) return;
  fmt::print("\nfigures of these ranks, from which the prediction is made\n");
  for (const auto& [name, value] : figures->second) fmt::print("  {:30}  {:.6g}\n", name, value);
}

// --- removal ---

void remove(const Arguments& arguments) {
  if (arguments.all == !arguments.entry.empty())
    throw Error("wisdom remove: name an entry, or all of them with --all");
  const WisdomFolder folder = open(arguments);
  const WisdomContents contents = folder.read();
  if (arguments.all) {
    folder.clear();
    fmt::print("removed {}, and all figures\n",
               counted(contents.wisdom.size(), "entry", "entries"));
    return;
  }
  const WisdomKey key = chosen_entry(contents, arguments.entry, folder.path().string()).first;
  if (!folder.remove(key))
    throw Error(fmt::format("{}: another job removed it just now", text_of(key)));
  fmt::print("removed {}\n", text_of(key));
}

Command add(Command command, const char* name, const char* description,
            const std::shared_ptr<Arguments>& arguments, void (*work)(const Arguments&),
            Action& chosen) {
  const auto run = [work](const Arguments& named, MPI_Comm communicator) {
    if (rank_in(communicator) == 0) work(named);
  };
  const Command one = add_subcommand(command, chosen, name, description, run, arguments).command;
  one.takes_options_of_parent();  // --folder may come last
  return one;
}

}  // namespace

void add_wisdom(Command program, Action& chosen) {
  auto arguments = std::make_shared<Arguments>();
  Command command = program.add_subcommand(
      "wisdom", "List, show or remove what tuning found and stored for later plans.");
  command.footer(  // and of those below, which take it over when they are added
      "Example: what is known of one shape\n"
      "  weft wisdom list\n"
      "  weft wisdom show \"256x256x256 r2c double\"\n");
  command.requires_subcommand();
  command
      .add("--folder", arguments->folder,
           "The folder (default: $WEFT_WISDOM, else weft in $XDG_CACHE_HOME or "
           "~/.cache)")
      .names_file();
  const char* entry = "Its number in the list, or a part of its name that no other has";
  add(command, "list", "Print a table of all entries", arguments, list, chosen);
  add(command, "show", "Print an entry in full", arguments, show, chosen)
      .add("ENTRY", arguments->entry, entry)
      .required();
  Command removal = add(command, "remove", "Remove an entry", arguments, remove, chosen);
  removal.add("ENTRY", arguments->entry, entry);
  removal.add_flag("--all", arguments->all,
                   "Remove all entries, the figures of machines, and what is kept for devices");
}

}  // namespace weft::command
