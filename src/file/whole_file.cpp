// Files are replaced by renaming a finished temporary, which costs a second file for a moment.
#include "file/whole_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <random>
#include <weft/error.hpp>

namespace weft {
namespace {

namespace fs = std::filesystem;

// Longer than any writer takes.
constexpr std::chrono::hours temporary_lifetime{1};

[[noreturn]] void fail(const char* what, int error = errno) {
  throw Error(fmt::format("{}: {}", what, std::strerror(error)));
}

/// Returns only when the text is on the disk (fsync).
void write_file(const fs::path& path, const std::string& text, mode_t mode) {
  const int descriptor = open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode);
  if (descriptor < 0) fail("cannot be written");
  std::FILE* const file = fdopen(descriptor, "w");
  if (file == nullptr) fail("cannot be written");
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size() &&
                       std::fflush(file) == 0 && fsync(fileno(file)) == 0;
  const int error = errno;
  std::fclose(file);
  if (!written) fail("cannot be written", error);
}

fs::path temporary_in(const fs::path& folder) {
  std::random_device random;
  return folder / fmt::format(".weft-{:08x}{:08x}.new", random(), random());
}

bool is_temporary(const fs::path& path) {
  const std::string name = path.filename();
  return name.starts_with(".weft-") && name.ends_with(".new");
}

/// `now` is the time stamp of a file just written, since a file server's clock may differ from
/// this machine's.
void remove_old_temporaries(const fs::path& folder, fs::file_time_type now) {
  std::error_code error;
  for (fs::directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error)) {
    std::error_code gone;  // another writer may remove the same one
    if (is_temporary(*file) && file->last_write_time(gone) < now - temporary_lifetime)
      fs::remove(*file, gone);
  }
}

}  // namespace

std::optional<std::string> read_file(const fs::path& path, std::size_t most) {
  std::error_code none;
  if (!fs::exists(path, none)) return std::nullopt;
  // Opening a pipe would block until another process writes into it.
  if (!fs::is_regular_file(path, none)) throw Error("is not a regular file");
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open() && !fs::exists(path, none)) return std::nullopt;  // removed just now
  std::string text(most, '\0');
  file.read(text.data(), static_cast<std::streamsize>(most));
  if (!file.is_open() || file.bad()) throw Error("cannot be read");
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

std::optional<std::string> read_own_file(const fs::path& path, std::size_t most) {
  // Opening a pipe would block without O_NONBLOCK.
  const int descriptor = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0 && errno == ENOENT) return std::nullopt;
  if (descriptor < 0) fail("cannot be read");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(fdopen(descriptor, "r"), std::fclose);
  struct stat state = {};
  if (file == nullptr || fstat(descriptor, &state) != 0) fail("cannot be read");
  if (!S_ISREG(state.st_mode)) throw Error("is not a regular file");
  if (state.st_uid != geteuid() || (state.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    throw Error("is of another user, or others may write it; it is ignored");
  std::string text(std::min(most, static_cast<std::size_t>(state.st_size)), '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  return text;
}

void replace_file(const fs::path& path, const std::string& text, mode_t mode) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) fail("cannot be made", error.value());
  const fs::path temporary = temporary_in(path.parent_path());
  try {
    write_file(temporary, text, mode);
    if (std::rename(temporary.c_str(), path.c_str()) != 0) fail("cannot be written");
  } catch (...) {
    std::remove(temporary.c_str());
    throw;
  }
  if (const auto now = fs::last_write_time(path, error); !error)
    remove_old_temporaries(path.parent_path(), now);
}

}  // namespace weft
