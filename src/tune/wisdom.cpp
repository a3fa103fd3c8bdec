// Every call reads the file anew: it is small, plans are rare, and other jobs may have written.
#include "tune/wisdom.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <weft/error.hpp>

#include "tune/wisdom_json.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

// Some tens of thousands of entries. What is larger is not ours.
constexpr std::size_t largest_file = std::size_t{16} << 20;

std::string today() {
  const std::time_t now = std::time(nullptr);
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(now));
}

std::string name_of(const std::vector<Kind>& kinds) {
  std::vector<std::string> names;
  for (const Kind kind : kinds) names.push_back(to_string(kind));
  // "r2c" for "c2c,c2c,r2c", "dct2" for "dct2,dct2": the last axis tells it all.
  const bool halved = !names.empty() && (kinds.back() == Kind::r2c || kinds.back() == Kind::c2r ||
                                         kinds.back() == Kind::r2c_packed);
  const Kind others = halved ? Kind::c2c : kinds.empty() ? Kind::none : kinds.back();
  if (!kinds.empty() &&
      std::all_of(kinds.begin(), kinds.end() - 1, [=](Kind kind) { return kind == others; }))
    return names.back();
  return fmt::format("{}", fmt::join(names, ","));
}

/// An environment variable that is set and not empty.
std::optional<fs::path> folder_in(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return fs::path(value);
}

WisdomContents parse(const std::optional<std::string>& text, const fs::path& path) {
  if (!text) return {};
  if (text->size() <= largest_file) return parse_wisdom(*text, path.string());
  WisdomContents nothing;
  nothing.complaints.push_back(
      fmt::format("{}: is larger than {} MiB, and ignored", path.string(), largest_file >> 20));
  return nothing;
}

/// What would not be read again must not be written.
void check(const std::string& text, const fs::path& path) {
  const WisdomContents again = parse(text, path);
  if (!again.complaints.empty())
    throw Error("wisdom that cannot be stored: " + again.complaints.front());
}

}  // namespace

std::string wisdom_name(const Transform& transform) {
  std::string name = fmt::format("{} {} {}", to_string(transform.shape), name_of(transform.kinds),
                                 to_string(transform.precision));
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

std::optional<fs::path> wisdom_path() {
  if (const char* named = std::getenv("WEFT_WISDOM")) {
    const std::string path = named;
    return path.empty() || path == "none" ? std::nullopt : std::optional<fs::path>(path);
  }
  const auto cache = folder_in("XDG_CACHE_HOME");
  if (cache && cache->is_absolute()) return *cache / "weft" / "wisdom.json";
  const auto home = folder_in("HOME");
  return home ? std::optional(*home / ".cache" / "weft" / "wisdom.json") : std::nullopt;
}

WisdomFile::WisdomFile(const fs::path& path, const Turns& turns) : path_(path), turns_(turns) {
  // A link is followed, lest the new file take the link's place.
  std::error_code error;
  if (const fs::path target = fs::canonical(path, error); !error) path_ = target;
}

WisdomContents WisdomFile::read() {
  WisdomContents contents;
  try {
    contents = parse(read_file(path_, largest_file + 1), path_);
  } catch (const std::exception& error) {
    contents.complaints.push_back(fmt::format("{}; it is ignored", error.what()));
  }
  complaints_ = contents.complaints;
  return contents;
}

std::optional<Wisdom> WisdomFile::find(const WisdomKey& key) {
  const WisdomContents contents = read();
  const auto found = contents.wisdom.find(key);
  if (found == contents.wisdom.end()) return std::nullopt;
  try {
    Options::parse(found->second.options);
    return found->second;
  } catch (const Error& error) {
    complaints_.push_back(fmt::format("{}: wisdom of {} on {} ranks: {}; it is ignored",
                                      path_.string(), key.transform, key.site.ranks, error.what()));
    return std::nullopt;
  }
}

std::optional<Figures> WisdomFile::find_figures(const Site& site) {
  const WisdomContents contents = read();
  const auto found = contents.figures.find(site);
  return found == contents.figures.end() ? std::nullopt : std::optional(found->second);
}

template <class Change>
void WisdomFile::rewrite(const Change& change) {
  complaints_.clear();
  const Turn turn(path_, turns_);
  WisdomContents contents = parse(read_file(path_, largest_file + 1), path_);
  const bool damaged = !contents.complaints.empty();
  complaints_ = std::move(contents.complaints);
  if (!turn.complaint().empty()) complaints_.push_back(turn.complaint());
  change(contents);
  const std::string text = print_wisdom(contents);
  check(text, path_);
  if (damaged) turn.keep_aside();
  turn.replace(text);
}

void WisdomFile::store(const WisdomKey& key, const Wisdom& wisdom) {
  Options::parse(wisdom.options);
  Wisdom dated = wisdom;
  if (dated.date.empty()) dated.date = today();
  rewrite([&](WisdomContents& contents) { contents.wisdom[key] = dated; });
}

void WisdomFile::store_figures(const Site& site, const Figures& figures) {
  rewrite([&](WisdomContents& contents) {
    for (const auto& [name, value] : figures) contents.figures[site][name] = value;
  });
}

bool WisdomFile::remove(const WisdomKey& key) {
  bool removed = false;
  if (read().wisdom.contains(key))
    rewrite([&](WisdomContents& contents) { removed = contents.wisdom.erase(key) > 0; });
  return removed;
}

void WisdomFile::clear() {
  rewrite([](WisdomContents& contents) {
    contents.wisdom.clear();
    contents.figures.clear();
  });
}

}  // namespace weft
