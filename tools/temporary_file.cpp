// What a killed job leaves is removed by the next one that writes the same file, if the process
// that made it is certainly gone: its name says among which kernel's processes to look. A lock
// would say so for any host, but MPI-IO locks whole files on NFS, and would wait forever for one
// held here.
#include "temporary_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <vector>
#include <weft/error.hpp>

#include "ranks.hpp"
#include "text.hpp"

namespace weft::command {
namespace {

namespace fs = std::filesystem;

std::string reason() { return std::strerror(errno); }

[[noreturn]] void fail(const fs::path& target, const std::string& why) {
  throw Error(fmt::format("cannot write {}: {}", target.string(), why));
}

// --- The target ---------------------------------------------------------------------------------

/// The path behind symbolic links, whether there is a file or not: renaming must replace the file,
/// and not the link.
fs::path resolved(const std::string& path) {
  constexpr int most_links = 40;  // as many as Linux follows
  fs::path target = path;
  for (int links = 0; links < most_links; ++links) {
    std::error_code error;
    const fs::path next = fs::read_symlink(target, error);
    if (error) return target;
    target = target.parent_path() / next;  // which is `next` where that begins at the root
  }
  fail(path, "it is a symbolic link that leads back to itself; remove it or name another file");
}

/// What the system knows of the file that is to be replaced; nothing if there is none.
std::optional<struct stat> state_of(const fs::path& target) {
  struct stat state = {};
  return stat(target.c_str(), &state) == 0 ? std::optional(state) : std::nullopt;
}

/// What would make the rename or the writing fail for sure is better said before the work than
/// after. Replacing a file takes no right to write into it, but whoever protected it against
/// writing meant this too, also for root, who may write everything.
void check_target(const fs::path& target, const std::optional<struct stat>& old, Index bytes) {
  if (old && !S_ISREG(old->st_mode)) fail(target, "it is not a regular file");
  constexpr mode_t writable = S_IWUSR | S_IWGRP | S_IWOTH;
  const bool barred = old && access(target.c_str(), W_OK) != 0;
  if (barred && errno != EACCES) fail(target, reason());
  if (barred || (old && (old->st_mode & writable) == 0))
    fail(target, fmt::format("it is write-protected (mode {:o}); allow it with chmod u+w, or name "
                             "another file",
                             old->st_mode & 07777));
  std::error_code unknown;
  const auto space = fs::space(target.has_parent_path() ? target.parent_path() : ".", unknown);
  if (!unknown && space.available < static_cast<std::uintmax_t>(bytes))
    fail(target, fmt::format("it needs {} bytes and {} are free there", bytes, space.available));
}

/// Gives a file the owner and the rights of the one that it will replace, as far as this user may.
/// Where the group is another, it gets no more rights than everybody. Set-user-ID and set-group-ID
/// bits are left out: whoever could write the old file would let others act for this user.
void take_over(const char* path, const struct stat& old) {
  mode_t mode = old.st_mode & 0777;
  if (chown(path, old.st_uid, old.st_gid) != 0 && chown(path, -1, old.st_gid) != 0)
    mode &= ~mode_t{S_IRWXG} | (mode & S_IRWXO) << 3;
  chmod(path, mode);
}

/// A rename is on the disk only when its folder is.
void sync_folder(const fs::path& target) {
  const fs::path folder = target.parent_path();
  const int handle = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (handle < 0) return;
  fsync(handle);
  close(handle);
}

// --- Temporaries --------------------------------------------------------------------------------

/// A name for the processes among which a process number is unique: those of one boot of one
/// kernel, and of one container of it. Host names would not do, since hosts share names and disks.
/// "" where the system does not tell.
std::string process_space() {
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot, '-');
  struct stat space = {};
  if (boot.empty() || stat("/proc/self/ns/pid", &space) != 0) return "";
  return fmt::format("{}-{}", boot, space.st_ino);
}

/// What the names of temporaries begin with, for all processes of this space.
std::string temporary_prefix(const fs::path& target, const std::string& space) {
  return fmt::format("{}.weft-{}-", target.string(), space);
}

/// Not of a process that was killed and nobody has waited for: in containers nobody ever may.
bool is_alive(pid_t process) {
  if (kill(process, 0) != 0 && errno == ESRCH) return false;
  std::string state;
  std::getline(std::ifstream(fmt::format("/proc/{}/stat", process)), state);
  const std::size_t name_end = state.rfind(") ");
  return name_end == std::string::npos || state.compare(name_end, 3, ") Z") != 0;
}

/// Removes what killed jobs have left of this target. What cannot be removed stays, and only takes
/// room.
void remove_abandoned(const fs::path& target) {
  const std::string space = process_space();
  if (space.empty()) return;
  const std::string prefix = fs::path(temporary_prefix(target, space)).filename().string();
  std::vector<fs::path> abandoned;
  std::error_code ignored;
  for (fs::directory_iterator entry(target.has_parent_path() ? target.parent_path() : ".", ignored);
       !ignored && entry != fs::directory_iterator(); entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(prefix)) continue;
    const std::vector<std::string> numbers = split(name.substr(prefix.size()), '-');
    const auto process = number_in<pid_t>(numbers.front());
    const bool is_ours = numbers.size() == 2 && process && *process > 0;
    if (is_ours && !is_alive(*process)) abandoned.push_back(entry->path());
  }
  for (const fs::path& path : abandoned) fs::remove(path, ignored);
}

/// Creates an empty file of a new name beside `target`, and returns its path. It is private while
/// it is written if it will have another file's mode, which may be for the eyes of few.
std::string create_beside(const fs::path& target, bool is_private) {
  const std::string prefix = temporary_prefix(target, process_space());
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::string path = fmt::format("{}{}-{}", prefix, getpid(), attempt);
    const int file =
        open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, is_private ? 0600 : 0666);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) fail(target, reason());
    close(file);
    return path;
  }
  fail(target, "its temporary names are all taken");
}

// --- Signals ------------------------------------------------------------------------------------

/// The files to remove on a signal; plain arrays, because a signal handler may touch nothing
/// better.
char doomed_paths[4][4096] = {};

extern "C" void remove_doomed(int signal) {
  for (const char* const path : doomed_paths)
    if (path[0] != '\0') unlink(path);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Signals that are ignored stay ignored.
void handle_signals(void (*handler)(int)) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const auto before = std::signal(signal, handler);
    if (before != SIG_DFL && before != remove_doomed) std::signal(signal, before);
  }
}

/// Remembers a file to remove on a signal.
void doom(const std::string& path) {
  for (auto& doomed : doomed_paths) {
    if (doomed[0] != '\0') continue;
    path.copy(doomed, sizeof(doomed) - 1);  // the array is zeros: no end is missing
    break;
  }
  handle_signals(remove_doomed);
}

/// Forgets it again.
void spare(const std::string& path) {
  bool any_left = false;
  for (auto& doomed : doomed_paths) {
    if (path == doomed) std::ranges::fill(doomed, '\0');
    any_left = any_left || doomed[0] != '\0';
  }
  if (!any_left) handle_signals(SIG_DFL);
}

}  // namespace

TemporaryFile::TemporaryFile(MPI_Comm communicator, const std::string& target, Index bytes)
    : communicator_(communicator), target_(target), published_(target.empty()) {
  if (published_) return;
  agree(communicator, [&] {
    if (rank_in(communicator) != 0) return;
    target_ = resolved(target).string();
    const auto old = state_of(target_);
    remove_abandoned(target_);
    check_target(target_, old, bytes);
    path_ = create_beside(target_, old.has_value());
    doom(path_);
  });
  path_ = broadcast_text(communicator, path_);
  // A limit on the size of files is to fail the write, as a full disk does, and not kill the rank.
  std::signal(SIGXFSZ, SIG_IGN);
}

// Any rank removes it, not only the one that made it: if one rank fails, it may end the job at
// once.
TemporaryFile::~TemporaryFile() {
  if (published_) return;
  unlink(path_.c_str());
  spare(path_);
}

void TemporaryFile::publish() {
  if (published_) return;
  agree(communicator_, [&] {
    if (rank_in(communicator_) != 0) return;
    if (const auto old = state_of(target_)) take_over(path_.c_str(), *old);
    if (std::rename(path_.c_str(), target_.c_str()) != 0)
      throw Error(fmt::format("cannot write {}: {}", target_, reason()));
    spare(path_);
    sync_folder(target_);
  });
  published_ = true;
}

void TemporaryFile::publish_text(const std::string& text) {
  agree(communicator_, [&] {
    if (published_ || rank_in(communicator_) != 0) return;
    std::ofstream stream(path_, std::ios::binary | std::ios::trunc);
    stream << text;
    stream.close();
    if (!stream) throw Error(fmt::format("cannot write {}", path_));
  });
  publish();
}

}  // namespace weft::command
