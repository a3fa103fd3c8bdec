// The folder is looked up anew at each call, since a program may change its environment.
#include "file/kept_files.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>

namespace weft {
namespace {

namespace fs = std::filesystem;

/// An environment variable that is set and not empty.
std::optional<fs::path> folder_in(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return fs::path(value);
}

}  // namespace

std::optional<fs::path> wisdom_path() {
  if (const char* named = std::getenv("WEFT_WISDOM")) {
    const std::string path = named;
    return path.empty() || path == "none" ? std::nullopt : std::optional<fs::path>(path);
  }
  const auto cache = folder_in("XDG_CACHE_HOME");
  if (cache && cache->is_absolute()) return *cache / "weft";
  const auto home = folder_in("HOME");
  return home ? std::optional(*home / ".cache" / "weft") : std::nullopt;
}

std::string hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

void complain_once(const std::string& line) {
  static std::mutex mutex;
  static std::set<std::string> printed;
  const std::lock_guard lock(mutex);
  if (printed.insert(line).second) std::fprintf(stderr, "weft: %s\n", line.c_str());
}

}  // namespace weft
