// The next job that writes the same file removes the temporary of a killed job, if the process that
// made it is certainly gone: the temporary's name says among which kernel's processes to look. A
// lock would say so for any host, but MPI-IO locks whole files on NFS, and would wait forever for a
// lock held here.
#include "file/new_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <sstream>
#include <system_error>
#include <vector>
#include <weft/error.hpp>

namespace weft {
namespace {

namespace fs = std::filesystem;

std::string reason() { return std::strerror(errno); }

[[noreturn]] void fail(const fs::path& target, const std::string& why) {
  throw Error("cannot write " + target.string() + ": " + why);
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
    target = target.parent_path() / next;  // the result is `next` if it begins at the root
  }
  fail(path, "it is a symbolic link that leads back to itself; remove it or name another file");
}

fs::path folder_of(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

/// The system's record of the file that is to be replaced; nothing if there is none.
std::optional<struct stat> state_of(const fs::path& target) {
  struct stat state = {};
  if (stat(target.c_str(), &state) == 0) return state;
  if (errno != ENOENT) fail(target, reason());
  return std::nullopt;
}

/// Reports certain failures of writing and renaming before the work. Replacing a file takes no
/// right to write into it, but whoever protected it against writing meant this too. The same holds
/// for root, who may write everything.
void check_target(const fs::path& target, const std::optional<struct stat>& old,
                  std::int64_t bytes) {
  if (old && !S_ISREG(old->st_mode)) fail(target, "it is not a regular file");
  constexpr mode_t writable = S_IWUSR | S_IWGRP | S_IWOTH;
  const bool barred = old && access(target.c_str(), W_OK) != 0;
  if (barred && errno != EACCES) fail(target, reason());
  if (barred || (old && (old->st_mode & writable) == 0)) {
    std::ostringstream mode;
    mode << std::oct << (old->st_mode & 07777);
    fail(target, "it is write-protected (mode " + mode.str() +
                     "); allow it with chmod u+w, or name another file");
  }
  std::error_code unknown;
  const auto space = fs::space(folder_of(target), unknown);
  if (!unknown && space.available < static_cast<std::uintmax_t>(bytes))
    fail(target, "it needs " + std::to_string(bytes) + " bytes and " +
                     std::to_string(space.available) + " are free there");
}

/// Gives a file the owner and the rights of the file that it will replace, as far as this user may.
/// If its group is another, the group gets no more rights than everybody. Set-user-ID and
/// set-group-ID bits are left out: with them, writers of the old file could act for this user.
void take_over(int file, const struct stat& old) {
  mode_t mode = old.st_mode & 0777;
  if (fchown(file, old.st_uid, old.st_gid) != 0 && fchown(file, -1, old.st_gid) != 0)
    mode &= ~mode_t{S_IRWXG} | (mode & S_IRWXO) << 3;
  fchmod(file, mode);
}

/// A rename is on the disk only when its folder is.
void sync_folder(const fs::path& target) {
  const int handle = open(folder_of(target).c_str(), O_RDONLY | O_CLOEXEC);
  if (handle < 0) return;
  fsync(handle);
  close(handle);
}

// --- Temporaries --------------------------------------------------------------------------------

/// 64 random bits, which nobody can guess.
std::string random_digits() {
  std::random_device random;
  char digits[17];
  std::snprintf(digits, sizeof(digits), "%08x%08x", random(), random());
  return digits;
}

/// A name for the processes among which a process number is unique: one boot of a kernel, and one
/// of its containers. Host names would not do, since hosts share names and disks. "" if the system
/// does not tell.
std::string process_space() {
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot, '-');
  struct stat space = {};
  if (boot.empty() || stat("/proc/self/ns/pid", &space) != 0) return "";
  return boot + "-" + std::to_string(space.st_ino);
}

/// The beginning of temporary endings, for all processes of this space.
std::string common_ending() { return ".weft-" + process_space() + "-"; }

/// A killed process that nobody has waited for is not alive: in containers nobody may ever wait.
bool is_alive(pid_t process) {
  if (kill(process, 0) != 0 && errno == ESRCH) return false;
  std::string state;
  std::getline(std::ifstream("/proc/" + std::to_string(process) + "/stat"), state);
  const std::size_t name_end = state.rfind(") ");
  return name_end == std::string::npos || state.compare(name_end, 3, ") Z") != 0;
}

/// The beginning of the names of the target's temporaries. It is cut, because endings are long and
/// file names have at most 255 bytes.
std::string beginning_of(const fs::path& target) {
  constexpr std::size_t most = 160;
  return target.filename().string().substr(0, most);
}

/// Removes temporaries that killed jobs have left beside this target. A temporary that cannot be
/// removed stays, and only takes room.
void remove_abandoned(const fs::path& target) {
  const std::string beginning = beginning_of(target);
  std::vector<fs::path> abandoned;
  std::error_code ignored;
  for (fs::directory_iterator entry(folder_of(target), ignored);
       !ignored && entry != fs::directory_iterator(); entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(beginning) && is_abandoned(name.substr(beginning.size())))
      abandoned.push_back(entry->path());
  }
  for (const fs::path& path : abandoned) fs::remove(path, ignored);
}

// --- Signals ------------------------------------------------------------------------------------

/// The files to remove on a signal, in plain arrays, because a signal handler may touch nothing
/// better. They belong to one process, and not to its children made by fork.
char doomed_paths[4][4096] = {};
pid_t doomed_of = 0;

extern "C" void remove_doomed(int signal) {
  for (const char* const path : doomed_paths)
    if (path[0] != '\0' && getpid() == doomed_of) unlink(path);
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
  doomed_of = getpid();
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

void check_replaceable(const std::string& target, std::int64_t bytes) {
  const fs::path path = resolved(target);
  check_target(path, state_of(path), bytes);
}

std::string temporary_ending() {
  return common_ending() + std::to_string(getpid()) + "-" + random_digits();
}

bool is_abandoned(const std::string& ending) {
  const std::string common = common_ending();
  if (process_space().empty() || !ending.starts_with(common)) return false;
  const char* const end = ending.data() + ending.size();
  pid_t process = 0;
  const auto [after, status] = std::from_chars(ending.data() + common.size(), end, process);
  if (status != std::errc{} || process <= 0 || after == end || *after != '-') return false;
  return std::find(after + 1, end, '-') == end && !is_alive(process);
}

NewFile::NewFile(const std::string& target, std::int64_t bytes)
    : target_(resolved(target).string()),
      token_(random_digits() + random_digits()),
      maker_(getpid()) {
  const auto old = state_of(target_);
  remove_abandoned(target_);
  check_target(target_, old, bytes);
  path_ = (fs::path(target_).parent_path() / (beginning_of(target_) + temporary_ending())).string();
  // A file that will get an old file's mode is private while it is written, because the old mode
  // may let only few read it. Links are not followed; an existing file of this name is an error.
  descriptor_ =
      open(path_.c_str(), O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC, old ? 0600 : 0666);
  if (descriptor_ < 0) fail(target_, reason());
  doom(path_);
  try {
    write(token_);
    if (fsync(descriptor_) != 0) fail(target_, reason());  // other hosts must see it
  } catch (...) {
    discard();
    throw;
  }
}

NewFile::~NewFile() { discard(); }

void NewFile::write(const std::string& text) {
  if (ftruncate(descriptor_, 0) != 0) fail(target_, reason());
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count =
        pwrite(descriptor_, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail(target_, count < 0 ? reason() : "the disk is full");
    done += static_cast<std::size_t>(count);
  }
}

void NewFile::publish() {
  if (descriptor_ < 0) return;
  if (fsync(descriptor_) != 0) fail(target_, reason());
  if (const auto old = state_of(target_)) take_over(descriptor_, *old);
  struct stat own = {}, named = {};
  if (fstat(descriptor_, &own) != 0 || lstat(path_.c_str(), &named) != 0) fail(target_, reason());
  if (own.st_dev != named.st_dev || own.st_ino != named.st_ino)
    fail(target_, "another program has replaced " + path_ + ", in which it was made");
  if (std::rename(path_.c_str(), target_.c_str()) != 0) fail(target_, reason());
  spare(path_);
  close(descriptor_);
  descriptor_ = -1;
  sync_folder(target_);
}

void NewFile::discard() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  descriptor_ = -1;
  if (getpid() != maker_) return;  // a child made by fork
  unlink(path_.c_str());
  spare(path_);
}

}  // namespace weft
