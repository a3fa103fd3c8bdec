// Every call reads the files again instead of caching them: they are small, plans are rare, and
// other jobs may have changed them.
#include "tune/wisdom.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <regex>
#include <weft/error.hpp>

#include "file/whole_file.hpp"
#include "transform/kinds.hpp"
#include "tune/wisdom_json.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

// Real entries are smaller than 1 KiB; a larger file than this is not ours.
constexpr std::size_t largest_entry = std::size_t{64} << 10;

std::string today() {
  const std::time_t now = std::time(nullptr);
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(now));
}

std::string name_of(const std::vector<Kind>& kinds) {
  std::vector<std::string> names;
  for (const Kind kind : kinds) names.push_back(to_string(kind));
  // If the last kind implies the others, it stands for all: "r2c" for "c2c,c2c,r2c", "dct2" for
  // "dct2,dct2".
  const bool halved = !names.empty() && is_half_complex(kinds.back());
  const Kind others = halved ? Kind::c2c : kinds.empty() ? Kind::none : kinds.back();
  if (!kinds.empty() &&
      std::all_of(kinds.begin(), kinds.end() - 1, [=](Kind kind) { return kind == others; }))
    return names.back();
  return fmt::format("{}", fmt::join(names, ","));
}

std::string text_of(const Site& site) {
  return fmt::format("{}\n{}\n{}\n{}", site.machine, site.mpi, site.ranks, site.ranks_per_node);
}

/// Throws an Error if the path is not a folder: older versions kept a single file there.
void check_folder(const fs::path& path) {
  std::error_code ignored;
  if (fs::exists(path, ignored) && !fs::is_directory(path, ignored))
    throw Error(fmt::format("{}: is not a folder and is ignored: wisdom is a folder of small files",
                            path.string()));
}

constexpr const char* entries = "(wisdom|figures)-[0-9a-f]{16}\\.json";
/// See PathMark.
constexpr const char* marks = "device-path-[0-9a-f]{16}\\.txt";
/// See KernelStore.
constexpr const char* kernels = "kernel-[0-9a-f]{16}\\.bin";

/// The names of a folder's files that match the pattern; none if there is no folder.
std::vector<std::string> names_in(const fs::path& folder, const char* names_of_interest) {
  const std::regex pattern(names_of_interest);
  check_folder(folder);
  std::vector<std::string> names;
  if (fs::exists(folder))
    for (const auto& file : fs::directory_iterator(folder))
      if (const std::string name = file.path().filename(); std::regex_match(name, pattern))
        names.push_back(name);
  return names;
}

/// Throws an Error if this build cannot use the entry.
void check(const Wisdom& wisdom) { Options::parse(wisdom.options); }
void check(const Figures&) {}

template <class Entry>
Entry checked_entry(const std::string& text) {
  if (text.size() > largest_entry)
    throw Error(fmt::format("is larger than {} KiB", largest_entry >> 10));
  return parse_entry<Entry>(text);
}

/// The entry in a file; nothing if the file does not exist. Throws an Error if the file holds no
/// valid entry, the entry belongs under another name, or `test` throws.
template <class Entry, class Test>
std::optional<Entry> read_entry(const fs::path& path, const Test& test) {
  try {
    const auto text = read_file(path, largest_entry + 1);
    if (!text) return std::nullopt;
    auto entry = checked_entry<Entry>(*text);
    if (entry_name(entry.first) != path.filename()) throw Error("is named for another key");
    test(entry);
    return entry;
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}; it is ignored", path.string(), error.what()));
  }
}

template <class Value, class Key>
std::optional<Value> find_value(const fs::path& folder, const Key& key) {
  check_folder(folder);
  using Entry = std::pair<Key, Value>;
  const auto entry = read_entry<Entry>(folder / entry_name(key), [&](const Entry& found) {
    if (found.first != key) throw Error("is for another key with the same hash");
    check(found.second);
  });
  return entry ? std::optional(entry->second) : std::nullopt;
}

template <class Entry>
void store_entry(const fs::path& folder, const Entry& entry) {
  check_folder(folder);
  try {
    check(entry.second);
    const std::string text = print_entry(entry);
    checked_entry<Entry>(text);  // never write an entry that could not be read again
    replace_file(folder / entry_name(entry.first), text);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: wisdom is not stored: {}", folder.string(), error.what()));
  }
}

}  // namespace

std::string wisdom_name(const Transform& transform) {
  std::string name = fmt::format("{} {} {}", to_string(transform.shape), name_of(transform.kinds),
                                 to_string(transform.precision));
  if (transform.element_bytes > 0) name += fmt::format(", bytes {}", transform.element_bytes);
  if (std::ranges::any_of(transform.modes, [](const Modes& modes) { return modes != Modes{}; })) {
    std::vector<std::string> kept;
    for (const Modes& modes : transform.modes) kept.push_back(to_string(modes));
    name += fmt::format(", modes {}", fmt::join(kept, ","));
  }
  if (!transform.ellipse.empty())
    name += fmt::format(", ellipse {}", fmt::join(transform.ellipse, ","));
  if (transform.dropped != Dropped::absent)
    name += fmt::format(", dropped {}", to_string(transform.dropped));
  return name;
}

std::string entry_name(const WisdomKey& key) {
  const std::string text =
      fmt::format("{}\n{}\n{}\n{}", text_of(key.site), key.transform, key.options, key.conditions);
  return "wisdom-" + hash_of(text) + ".json";
}

std::string entry_name(const Site& site) { return "figures-" + hash_of(text_of(site)) + ".json"; }

template <class Work>
auto WisdomFolder::attempt(const Work& work) const {
  try {
    return work();
  } catch (const std::exception& error) {
    complain_(error.what());
  }
  return decltype(work())();
}

WisdomContents WisdomFolder::read() const {
  WisdomContents contents;
  const auto read_into = [&]<class Key, class Value>(std::map<Key, Value>& entries,
                                                     const std::string& name) {
    const auto any = [](const auto&) {};
    if (auto entry = attempt([&] { return read_entry<std::pair<Key, Value>>(path_ / name, any); }))
      entries.insert(*std::move(entry));
  };
  for (const std::string& name : attempt([&] { return names_in(path_, entries); }))
    name.starts_with("wisdom-") ? read_into(contents.wisdom, name)
                                : read_into(contents.figures, name);
  return contents;
}

std::optional<Wisdom> WisdomFolder::find(const WisdomKey& key) const {
  return attempt([&] { return find_value<Wisdom>(path_, key); });
}

std::optional<Figures> WisdomFolder::find_figures(const Site& site) const {
  return attempt([&] { return find_value<Figures>(path_, site); });
}

void WisdomFolder::store(const WisdomKey& key, const Wisdom& wisdom) const {
  WisdomEntry entry(key, wisdom);
  if (entry.second.date.empty()) entry.second.date = today();
  attempt([&] { store_entry(path_, entry); });
}

void WisdomFolder::store_figures(const Site& site, const Figures& figures) const {
  attempt([&] { store_entry(path_, FiguresEntry(site, figures)); });
}

bool WisdomFolder::remove(const WisdomKey& key) const {
  return fs::remove(path_ / entry_name(key));
}

void WisdomFolder::clear() const {
  for (const char* const pattern : {entries, marks, kernels})
    for (const std::string& name : names_in(path_, pattern)) fs::remove(path_ / name);
}

}  // namespace weft
